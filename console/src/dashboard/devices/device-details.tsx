import type { Device } from '@svc/sdk';
import { Dialog } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';

export const DeviceDetails = ({
  device,
  onClose,
}: {
  readonly device: Device;
  readonly onClose: () => void;
}) => (
  <Dialog title={device.name} onClose={onClose}>
    <Facts
      facts={{
        Status: <DeviceStatus of={device.status} />,
        Enrollment: <DeviceEnrollment of={device.enrollment_state} />,
        Kind: TYPES[device.deviceType],
        Location: <Text of={device.locationId} />,
        Battery: device.batteryLevel === null ? <Text of={null} /> : `${device.batteryLevel} %`,
        'Last seen': <Time at={device.lastSeenAt} />,
        ID: <Id of={device.id} />,
        'External ID': <Text of={device.externalId} />,
        Fingerprint: <Id of={device.fingerprint} />,
        Attestation: <Text of={device.attestation_kind} />,
        Added: <Time at={device.createdAt} />,
        Changed: <Time at={device.updatedAt} />,
        Metadata: <Json of={device.metadata} />,
      }}
    />
  </Dialog>
);
