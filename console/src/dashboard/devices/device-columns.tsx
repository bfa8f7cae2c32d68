import type { Device } from '@svc/sdk';
import { Menu } from '../../ui/forms/menu';
import { BY_LAST_SEEN, BY_NAME, BY_TIME } from '../../ui/lists/column';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { SiteName } from '../nouns/sites/site-name';
import type { ListColumn } from '../records/lists/list-of';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';
import { actionsFor, type StartTask } from './device-task';

export const deviceColumns = (start: StartTask): readonly ListColumn<Device>[] => [
  { name: 'Name', sorts: BY_NAME, cell: (device) => <Text of={device.name} /> },
  { name: 'Type', short: true, minor: true, narrow: 'fact', cell: ({ deviceType }) => TYPES[deviceType] },
  { name: 'Location', minor: true, cell: ({ locationId }) => <SiteName id={locationId} /> },
  { name: 'Enrollment', short: true, minor: true, cell: (device) => <DeviceEnrollment of={device} /> },
  { name: 'Status', short: true, narrow: 'state', cell: ({ status }) => <DeviceStatus of={status} /> },
  {
    name: 'Added',
    short: true,
    minor: true,
    sorts: BY_TIME,
    cell: ({ createdAt }) => <Time at={createdAt} exact />,
  },
  {
    name: 'Last seen',
    short: true,
    sorts: BY_LAST_SEEN,
    narrow: 'time',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <Time at={lastSeenAt} exact />),
  },
  {
    name: 'Actions',
    short: true,
    role: 'developer',
    narrow: 'actions',
    cell: (device) => <Menu label={`Actions for ${device.name}`} items={actionsFor(device, start)} />,
  },
];
