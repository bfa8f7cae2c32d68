import { LogOut } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { Choices, Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import { NativeForm } from './native-form';

/** Asks before the sign-in of this browser ends. */
export function SignOut({ brand, client, action, xsrf }: Extract<PageData, { readonly view: 'sign_out' }>) {
  const company = brand?.company?.trim();
  return (
    <Frame brand={brand} title={t.signOut.tab}>
      <NativeForm action={action} xsrf={xsrf}>
        <Outcome tone="calm" icon={LogOut} title={t.signOut.title}>
          <p>
            {client && <>{t.signOut.asked(<Text of={client.name} />)} </>}
            {company ? t.signOut.text(<Text of={company} />) : t.signOut.plain}
          </p>
        </Outcome>
        <Choices>
          <Button type="submit" look="primary" name="logout" value="yes">
            {t.signOut.action}
          </Button>
          <Button type="submit">{t.signOut.stay}</Button>
        </Choices>
      </NativeForm>
    </Frame>
  );
}
