import { type Device, formatDeeplink, type Operations } from '@svc/sdk';
import { QrCode } from '../../ui/codes/qr-code';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Confirm } from '../../ui/forms/confirm';
import { CopyButton } from '../../ui/forms/copy';
import { Dialog, DialogActions } from '../../ui/forms/dialog';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useShownOnce } from '../shown-once';
import style from './enrollment-code.module.css';
import { useDeviceChange } from './use-device-change';
import { useHasEnrolled } from './use-has-enrolled';

/** A device and its code, which the service tells this once. */
type PendingDevice = Operations['consoleCreateDevice']['reply'];

/** Names the device as well, so that the guard on guessed codes lets it in. */
const linkOf = ({ id }: Device, { code }: PendingDevice['enrollment']) =>
  formatDeeplink({ kind: 'enroll', code, device: id });

const useNewCode = ({ id, environment }: Device) =>
  useDeviceChange(() => svc.console.devices.regenerateCode(id, environment));

/** A code in place of one that was lost. */
export function NewCode({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const renew = useNewCode(device);
  if (renew.data) return <EnrollmentCode first={renew.data} onClose={onClose} />;
  return (
    <Confirm
      title={
        <>
          New code for “<Text of={device.name} />
          ”?
        </>
      }
      action="Make a new code"
      look="primary"
      busy={renew.isPending}
      error={renew.error}
      onConfirm={() => renew.mutate(undefined)}
      onClose={onClose}
    >
      The code before it works no more.
    </Confirm>
  );
}

/** Shows a code until it is used or has run out. */
export function EnrollmentCode({
  first,
  onClose,
}: {
  readonly first: PendingDevice;
  readonly onClose: () => void;
}) {
  useShownOnce();
  const renew = useNewCode(first.device);
  const { device, enrollment } = renew.data ?? first;
  const ranOut = useCountdown(enrollment.expires_at) === 0;
  const hasEnrolled = useHasEnrolled(device, !ranOut);
  return (
    <Dialog
      title={
        <>
          Enroll “<Text of={device.name} />”
        </>
      }
      onClose={onClose}
    >
      {hasEnrolled ? (
        <Notice tone="good">The device is enrolled and active. Its code is used up.</Notice>
      ) : (
        <>
          <p>Scan this at the device, or type the code there. It works once, and is shown this once.</p>
          <div className={style.code}>
            <QrCode
              text={linkOf(device, enrollment)}
              label={`QR code of ${enrollment.code}`}
              stale={ranOut}
            />
            <code className={style.text}>{ranOut ? <s>{enrollment.code}</s> : enrollment.code}</code>
            {!ranOut && <LiveCode {...enrollment} />}
          </div>
          {ranOut && (
            <Notice
              tone="warn"
              action={
                <Button look="primary" busy={renew.isPending} onClick={() => renew.mutate(undefined)}>
                  Make a new code
                </Button>
              }
            >
              The code ran out. Make a new one; the device stays as it is.
            </Notice>
          )}
          {renew.error && <Failure error={renew.error} />}
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{hasEnrolled ? 'Done' : 'Close'}</Button>
      </DialogActions>
    </Dialog>
  );
}

const LiveCode = ({ code, expires_at: until }: PendingDevice['enrollment']) => (
  <>
    <span>
      Good for <Countdown until={until} />
    </span>
    <CopyButton text={code} label="Copy the code" />
  </>
);
