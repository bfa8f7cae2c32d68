import { isSvcError, type SvcStaff } from '@svc/sdk';
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
import { type LogIn, leaveDesk } from '../../device/leave';
import { isOffline } from '../../device/problem';
import type { DeskService } from '../../device/service';
import { startStaff } from '../../device/start-staff';
import { useIdle } from '../../flow/use-idle';
import { useStaffTexts } from '../../language/staff';

type Fault =
  | 'wrongAccount'
  | 'wrongLogIn'
  | 'wrongPasskey'
  | 'noPasskey'
  | 'notAllowed'
  | 'busy'
  | 'offline'
  | 'unexpected';

/** Names the screen. With their log-in, a member begins to work here, or leaves the desk. */
export function Menu({
  service,
  onClose,
  onStarted,
  onLeft,
}: {
  readonly service: DeskService;
  readonly onClose: () => void;
  readonly onStarted: (staff: SvcStaff) => void;
  readonly onLeft: () => void;
}) {
  const { menu: t } = useStaffTexts();
  const [isLeaving, setLeaving] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  // Nobody's half-typed password stays on the screen.
  useIdle(60, 'menu', () => isBusy || onClose());
  const leave = () => {
    setFault(undefined);
    setLeaving(true);
  };
  const perform = async (logIn: LogIn): Promise<Fault | undefined> => {
    if (!isLeaving) return void onStarted(await startStaff(service, logIn));
    if (!(await leaveDesk(service.device, logIn))) return 'wrongAccount';
    return void onLeft();
  };
  const send = async (logIn: LogIn) => {
    setBusy(true);
    setFault(undefined);
    const found = await perform(logIn).catch((error: unknown) => faultOf(error, logIn));
    if (found === undefined) return;
    setFault(found);
    setBusy(false);
  };
  return (
    <Dialog title={isLeaving ? t.leave : t.title} busy={isBusy} onClose={onClose}>
      <Form names={['email', 'password']} onSend={(sent) => void (isBusy || send(sent))}>
        <Stack>
          <p>
            {t.device(
              <strong>
                <Text of={service.device.name} />
              </strong>,
            )}
          </p>
          <p>{isLeaving ? t.leaveAbout : t.about}</p>
          <TextField label={t.email} name="email" type="email" autoComplete="off" required />
          <TextField label={t.password} name="password" type="password" autoComplete="off" required />
          {fault && <Notice tone="bad">{t[fault]}</Notice>}
          {supportsPasskeys() && (
            <Button busy={isBusy} onClick={() => void (isBusy || send('passkey'))}>
              <KeySquare size={16} aria-hidden="true" />
              {isLeaving ? t.withPasskey : t.startWithPasskey}
            </Button>
          )}
          <DialogActions>
            {isLeaving ? (
              <Cancel />
            ) : (
              <Button look="quiet" busy={isBusy} onClick={leave}>
                {t.leave}
              </Button>
            )}
            <Button look={isLeaving ? 'danger' : 'primary'} type="submit" busy={isBusy}>
              {isLeaving ? t.action : t.start}
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
  if (isSvcError(error, 'role_insufficient')) return 'notAllowed';
  if (isSvcError(error, 'rate_limit_exceeded')) return 'busy';
  return isOffline(error) ? 'offline' : 'unexpected';
}
