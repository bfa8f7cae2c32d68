import type { Device } from '@svc/sdk';
import { Menu } from '../../ui/forms/menu';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';
import { actionsFor, type StartTask } from './device-task';

export const deviceColumns = (start: StartTask): readonly Column<Device>[] => [
  { name: 'Name', cell: (device) => <Text of={device.name} /> },
  { name: 'Type', short: true, minor: true, cell: ({ deviceType }) => TYPES[deviceType] },
  { name: 'Location', minor: true, cell: ({ locationId }) => <Text of={locationId} /> },
  { name: 'Last seen', short: true, minor: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { name: 'Added', short: true, sorts: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Enrollment', short: true, cell: (device) => <DeviceEnrollment of={device.enrollment_state} /> },
  { name: 'Status', short: true, cell: ({ status }) => <DeviceStatus of={status} /> },
  {
    name: 'Actions',
    short: true,
    cell: (device) => <Menu label={`Actions for ${device.name}`} items={actionsFor(device, start)} />,
  },
];
