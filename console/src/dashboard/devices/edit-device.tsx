import type { Device } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { DEVICE_FIELDS, DeviceFields, type DeviceInput } from './device-fields';
import { useDeviceChange } from './use-device-change';

export function EditDevice({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const { id, environment } = device;
  const save = useDeviceChange(
    ({ name, deviceType, locationId }: DeviceInput) => {
      const body = {
        name,
        deviceType: deviceType as Device['deviceType'],
        locationId: locationId.trim() === '' ? null : locationId,
      };
      return svc.request('consoleUpdateDevice', { path: { id }, query: { environment }, body });
    },
    { done: 'Device saved', onDone: onClose },
  );
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
      <Form names={DEVICE_FIELDS} error={save.error} onSend={(input) => save.mutate(input)}>
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
