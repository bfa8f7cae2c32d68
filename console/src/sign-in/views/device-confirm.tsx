import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { Choices, Frame } from '../frame/frame';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import style from './form.module.css';
import { NativeForm } from './native-form';

/** Asks whether the code is that of the person's own device, because a link can contain somebody else's. */
export const DeviceConfirm = ({
  brand,
  action,
  xsrf,
  userCode,
  client,
}: Extract<PageData, { readonly view: 'device_confirm' }>) => (
  <Frame brand={brand} title={t.deviceConfirm.tab}>
    <NativeForm action={action} xsrf={xsrf}>
      <input type="hidden" name="user_code" value={userCode} />
      <div className={style.intro}>
        <h1>{t.deviceConfirm.title}</h1>
        <p>{t.deviceConfirm.text(<Text of={client.name} />)}</p>
      </div>
      <p className={style.shown}>
        <span id="code-label">{t.deviceConfirm.code}</span>
        <output aria-labelledby="code-label">{userCode}</output>
      </p>
      <p className={style.caution}>
        <TriangleAlert size={18} aria-hidden="true" />
        {t.deviceConfirm.onlyYours}
      </p>
      <Choices>
        <Button type="submit" look="primary" name="confirm" value="yes">
          {t.deviceConfirm.action}
        </Button>
        <Button type="submit" name="abort" value="yes">
          {t.deviceConfirm.stop}
        </Button>
      </Choices>
    </NativeForm>
  </Frame>
);
