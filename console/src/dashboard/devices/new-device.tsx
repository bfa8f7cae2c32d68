import type { Device } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { useSend } from '../operations/send';
import { DEVICE_FIELDS, DeviceFields, type DeviceInput } from './device-fields';
import { EnrollmentCode } from './enrollment-code';

export function NewDevice({ onClose }: { readonly onClose: () => void }) {
  const create = useSend('consoleCreateDevice');
  const send = ({ name, deviceType, locationId }: DeviceInput) =>
    create.mutate({
      body: {
        name,
        deviceType: deviceType as Device['deviceType'],
        ...(locationId.trim() !== '' && { locationId }),
      },
    });
  if (create.data) return <EnrollmentCode first={create.data} onClose={onClose} />;
  return (
    <Dialog title="Add a device" busy={create.isPending} onClose={onClose}>
      <Form names={DEVICE_FIELDS} error={create.error} onSend={send}>
        <Stack>
          <DeviceFields />
          {create.error && <Failure error={create.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={create.isPending}>
              Add and show code
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
