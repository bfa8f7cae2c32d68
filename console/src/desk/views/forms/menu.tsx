import { isSvcError } from '@svc/sdk';
import { KeySquare } from 'lucide-react';
import { useState } from 'react';
import { supportsPasskeys } from '../../../dashboard/operations/webauthn';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Text } from '../../../ui/lists/value';
import type { KeptDevice } from '../../device/kept-device';
import { type LogIn, leaveDesk } from '../../device/leave';
import { isOffline } from '../../device/problem';
import { useIdle } from '../../flow/use-idle';
import { useStaffTexts } from '../../language/staff';

type Fault = 'wrongAccount' | 'wrongLogIn' | 'wrongPasskey' | 'noPasskey' | 'busy' | 'offline' | 'unexpected';

/** Names the screen, and leaves the desk with the log-in of a member. */
export function Menu({
  device,
  onClose,
  onLeft,
}: {
  readonly device: KeptDevice;
  readonly onClose: () => void;
  readonly onLeft: () => void;
}) {
  const { menu: t } = useStaffTexts();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  // Nobody's half-typed password stays on the screen.
  useIdle(60, 'menu', onClose);
  const send = async (logIn: LogIn) => {
    setBusy(true);
    setFault(undefined);
    try {
      if (await leaveDesk(device, logIn)) return onLeft();
      setFault('wrongAccount');
    } catch (error) {
      setFault(faultOf(error, logIn));
    }
    setBusy(false);
  };
  return (
    <Dialog title={t.title} busy={isBusy} onClose={onClose}>
      <Form names={['email', 'password']} onSend={(sent) => void (isBusy || send(sent))}>
        <Stack>
          <p>
            {t.device(
              <strong>
                <Text of={device.name} />
              </strong>,
            )}
          </p>
          <p>{t.about}</p>
          <TextField label={t.email} name="email" type="email" autoComplete="off" required />
          <TextField label={t.password} name="password" type="password" autoComplete="off" required />
          {fault && <Notice tone="bad">{t[fault]}</Notice>}
          {supportsPasskeys() && (
            <Button busy={isBusy} onClick={() => void (isBusy || send('passkey'))}>
              <KeySquare size={16} aria-hidden="true" />
              {t.withPasskey}
            </Button>
          )}
          <DialogActions>
            <Cancel />
            <Button look="danger" type="submit" busy={isBusy}>
              {t.action}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

function faultOf(error: unknown, logIn: LogIn): Fault {
  // The browser, or the member in its dialog.
  if (!isSvcError(error) && logIn === 'passkey') return 'noPasskey';
  if (isSvcError(error, 'invalid_credentials', 'invalid_request'))
    return logIn === 'passkey' ? 'wrongPasskey' : 'wrongLogIn';
  if (isSvcError(error, 'rate_limit_exceeded')) return 'busy';
  return isOffline(error) ? 'offline' : 'unexpected';
}
