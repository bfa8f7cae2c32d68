import { type Device, formatDeeplink, type Operations } from '@svc/sdk';
import { QrCodeLater } from '../../ui/codes/qr-code-later';
import { Confirm } from '../../ui/dialogs/confirm';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { CopyButton } from '../../ui/forms/copy';
import { More } from '../../ui/forms/more';
import { Stack } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { useSend } from '../operations/send';
import { useShownOnce } from '../shown-once';
import style from './enrollment-code.module.css';
import { DeskSetup, deskAddress } from './key/desk-setup';
import { isShared, KioskSetup } from './key/kiosk-setup';
import { useHasEnrolled } from './use-has-enrolled';

type PendingDevice = Operations['consoleCreateDevice']['reply'];

/** A shared screen opens it with its camera and becomes a desk. Includes the device's ID, so the limit on guessed codes doesn't block it. */
const linkOf = (device: Device, { code }: PendingDevice['enrollment']) =>
  isShared(device)
    ? deskAddress({ code, deviceId: device.id })
    : formatDeeplink({ kind: 'enroll', code, device: device.id });

export function NewCode({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const renew = useSend('consoleRegenerateDeviceCode');
  if (renew.data) return <EnrollmentCode first={renew.data} onClose={onClose} />;
  return (
    <Confirm
      title={
        <>
          New code for “<Text of={device.name} />
          ”?
        </>
      }
      action="Create a new code"
      look="primary"
      busy={renew.isPending}
      error={renew.error}
      onConfirm={() => renew.mutate({ path: { id: device.id } })}
      onClose={onClose}
    >
      The previous code stops working.
    </Confirm>
  );
}

export function EnrollmentCode({
  first,
  onClose,
}: {
  readonly first: PendingDevice;
  readonly onClose: () => void;
}) {
  useShownOnce();
  const renew = useSend('consoleRegenerateDeviceCode');
  const { device, enrollment } = renew.data ?? first;
  const hasExpired = useCountdown(enrollment.expires_at) === 0;
  const hasEnrolled = useHasEnrolled(device, !hasExpired);
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
        <Notice tone="good">The device is enrolled and active.</Notice>
      ) : (
        <>
          <p>
            {isShared(device)
              ? 'Scan this code with the tablet, and it becomes a desk where people register and sign in. Or open /desk there and type the code. It works once and is shown only now.'
              : 'Scan this code on the device, or type it there. It works once and is shown only now.'}
          </p>
          <Stack gap={3} align="center">
            <QrCodeLater
              text={linkOf(device, enrollment)}
              label={`QR code for ${enrollment.code}`}
              stale={hasExpired}
            />
            <code className={style.text}>{hasExpired ? <s>{enrollment.code}</s> : enrollment.code}</code>
            {!hasExpired && <ActiveCode {...enrollment} />}
          </Stack>
          {!hasExpired && isShared(device) && (
            <>
              <DeskSetup address={linkOf(device, enrollment)} />
              <More title="With your own program" open={false}>
                <KioskSetup code={enrollment.code} />
              </More>
            </>
          )}
          {hasExpired && (
            <Notice
              tone="warn"
              action={
                <Button
                  look="primary"
                  busy={renew.isPending}
                  onClick={() => renew.mutate({ path: { id: device.id } })}
                >
                  Create a new code
                </Button>
              }
            >
              The code has expired. Create a new one. The device stays as it is.
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

const ActiveCode = ({ code, expires_at: until }: PendingDevice['enrollment']) => (
  <>
    <span>
      Expires in <Countdown until={until} />
    </span>
    <CopyButton text={code} label="Copy the code" />
  </>
);
