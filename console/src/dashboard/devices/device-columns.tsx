import type { Device } from '@svc/sdk';
import { Menu, type MenuItem } from '../../ui/forms/menu';
import { type Column, Opener } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import type { DeviceTask } from './device-dialog';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';

type Open = (task: DeviceTask, device: Device) => void;

export const deviceColumns = (open: Open): readonly Column<Device>[] => [
  {
    name: 'Name',
    cell: (device) => (
      <Opener onOpen={() => open('look', device)}>
        <Text of={device.name} />
      </Opener>
    ),
  },
  { name: 'Kind', short: true, cell: ({ deviceType }) => TYPES[deviceType] },
  { name: 'Location', cell: ({ locationId }) => <Text of={locationId} /> },
  { name: 'Last seen', short: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { name: 'Enrollment', short: true, cell: (device) => <DeviceEnrollment of={device.enrollment_state} /> },
  { name: 'Status', short: true, cell: ({ status }) => <DeviceStatus of={status} /> },
  {
    name: 'Actions',
    short: true,
    cell: (device) => <Menu label={`Actions for ${device.name}`} items={actionsFor(device, open)} />,
  },
];

/** The actions that the device's state allows. A phone from a registration already has a fingerprint and needs no code. */
function actionsFor(device: Device, open: Open): readonly MenuItem[] {
  const { status, enrollment_state: enrollment, fingerprint } = device;
  const inUse = status !== 'retired';
  const item = (name: string, task: DeviceTask, danger = false) => ({
    name,
    danger,
    onSelect: () => open(task, device),
  });
  return [
    ...(inUse && enrollment === 'pending' && fingerprint === null ? [item('New code', 'code')] : []),
    item('Edit', 'edit'),
    ...(status === 'active' ? [item('Deactivate', 'deactivate')] : []),
    ...(status === 'inactive' && enrollment !== 'pending' ? [item('Activate', 'activate')] : []),
    ...(inUse ? [item('Retire', 'retire', true)] : []),
    ...(enrollment === 'revoked' ? [] : [item('Revoke', 'revoke', true)]),
  ];
}
