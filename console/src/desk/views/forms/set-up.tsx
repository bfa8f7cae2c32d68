import { isSvcError } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Notice } from '../../../ui/layout/surface';
import { type Claim, claimDevice } from '../../device/claim';
import type { KeptDevice } from '../../device/kept-device';
import { isOffline } from '../../device/problem';
import { useStaffTexts } from '../../language/staff';
import { Frame, type OnLanguage } from '../frame';
import style from './form.module.css';

type Fault = 'incomplete' | 'failed' | 'offline' | 'busy' | 'noStorage' | 'unexpected';

/** Makes this browser a desk with the code of a device. Even a link's code waits for a press, which says what will happen. */
export function SetUp({
  claim,
  onLanguage,
  onDone,
}: {
  readonly claim: Claim | undefined;
  readonly onLanguage: OnLanguage;
  readonly onDone: (device: KeptDevice) => void;
}) {
  const { setUp: t } = useStaffTexts();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const send = async (typed: string) => {
    const code = typed.trim();
    if (!isComplete(code)) return setFault('incomplete');
    setBusy(true);
    setFault(undefined);
    try {
      const deviceId = code === claim?.code ? claim.deviceId : undefined;
      return onDone(await claimDevice({ code, ...(deviceId !== undefined && { deviceId }) }));
    } catch (error) {
      setFault(faultOf(error));
    }
    setBusy(false);
  };
  return (
    <Frame onLanguage={onLanguage}>
      <div className={style.form}>
        <h1>{t.title}</h1>
        <p>{t.about}</p>
        <Form
          names={['code']}
          className={`${style.fields} ${style.code}`}
          onSend={({ code }) => void (isBusy || send(code))}
        >
          <TextField
            label={t.code}
            name="code"
            defaultValue={claim?.code}
            placeholder="SV-0000-0000"
            hint={t.hint}
            error={fault === 'incomplete' ? t.incomplete : undefined}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            autoFocus
          />
          {fault && fault !== 'incomplete' && <Notice tone="bad">{t[fault]}</Notice>}
          <div className={style.actions}>
            <Button look="primary" type="submit" busy={isBusy}>
              {t.action}
            </Button>
          </div>
        </Form>
      </div>
    </Frame>
  );
}

/** Eight symbols, with or without SV and dashes. */
const isComplete = (code: string): boolean => /^(SV)?[0-9A-Z]{8}$/i.test(code.replace(/[\s-]/g, ''));

function faultOf(error: unknown): Fault {
  if (isSvcError(error, 'enrollment_failed', 'invalid_request')) return 'failed';
  if (isSvcError(error, 'rate_limit_exceeded')) return 'busy';
  if (error instanceof DOMException) return 'noStorage';
  return isOffline(error) ? 'offline' : 'unexpected';
}
