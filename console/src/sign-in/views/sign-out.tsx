import { LogOut } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { findKey, type KeyScope } from '../flow/browser-key';
import { forgetBrowser } from '../flow/steps';
import { Choices, Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import { NativeForm } from './native-form';

/** Asks before the sign-in of this browser ends. */
export function SignOut({
  brand,
  client,
  action,
  xsrf,
  account,
}: Extract<PageData, { readonly view: 'sign_out' }>) {
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
          {account && <ForgetToo account={account} />}
        </Choices>
      </NativeForm>
    </Frame>
  );
}

/** Signs out, and makes this browser as new as it was. Only for a browser that has a key. */
function ForgetToo({ account }: { readonly account: KeyScope }) {
  const [state, setState] = useState<'no-key' | 'idle' | 'forgetting' | 'failed'>('no-key');
  useEffect(() => {
    void findKey(account).then((key) => key && setState('idle'));
  }, [account]);
  if (state === 'no-key') return null;
  const forgetAndSignOut = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    setState('forgetting');
    forgetBrowser(account, new AbortController().signal).then(
      () => form?.requestSubmit(form.querySelector<HTMLButtonElement>('[name=logout]')),
      () => setState('failed'),
    );
  };
  return (
    <>
      <Button busy={state === 'forgetting'} onClick={forgetAndSignOut}>
        {t.signOut.forget}
      </Button>
      {state === 'failed' && <Notice tone="warn">{t.signOut.notForgotten}</Notice>}
    </>
  );
}
