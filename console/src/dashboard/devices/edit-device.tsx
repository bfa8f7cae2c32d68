import type { Device } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { useSend } from '../operations/send';
import { DEVICE_FIELDS, DeviceFields, type DeviceInput } from './device-fields';

export function EditDevice({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const save = useSend('consoleUpdateDevice', { done: 'Device saved', onSuccess: onClose });
  const send = ({ name, deviceType, locationId }: DeviceInput) =>
    save.mutate({
      path: { id: device.id },
      body: {
        name,
        deviceType: deviceType as Device['deviceType'],
        locationId: locationId.trim() === '' ? null : locationId,
      },
    });
  return (
    <Dialog
      title={
        <>
          Edit “<Text of={device.name} />”
        </>
      }
      busy={save.isPending}
      onClose={onClose}
    >
      <Form names={DEVICE_FIELDS} error={save.error} onSend={send}>
        <Stack>
          <DeviceFields device={device} />
          {save.error && <Failure error={save.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={save.isPending}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
