import type { Device } from '@svc/sdk';
import { Menu } from '../../ui/forms/menu';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import type { ListColumn } from '../records/list-of';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';
import { actionsFor, type StartTask } from './device-task';

export const deviceColumns = (start: StartTask): readonly ListColumn<Device>[] => [
  { name: 'Name', cell: (device) => <Text of={device.name} /> },
  { name: 'Type', short: true, minor: true, cell: ({ deviceType }) => TYPES[deviceType] },
  { name: 'Location', minor: true, cell: ({ locationId }) => <Text of={locationId} /> },
  { name: 'Last seen', short: true, minor: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { name: 'Added', short: true, sorts: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Enrollment', short: true, cell: (device) => <DeviceEnrollment of={device} /> },
  { name: 'Status', short: true, cell: ({ status }) => <DeviceStatus of={status} /> },
  {
    name: 'Actions',
    short: true,
    role: 'developer',
    cell: (device) => <Menu label={`Actions for ${device.name}`} items={actionsFor(device, start)} />,
  },
];
