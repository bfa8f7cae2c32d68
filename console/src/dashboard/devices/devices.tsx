import { TabletSmartphone } from 'lucide-react';
import { listOf } from '../records/lists/list-of';
import { LISTS } from '../records/lists/lists';
import { deviceColumns } from './device-columns';
import { ENROLLMENT, STATUS } from './device-labels';
import { useDeviceTask } from './device-task';
import { NewDevice } from './new-device';

export const Devices = listOf({
  title: 'Desks and devices',
  name: 'Devices',
  records: 'devices',
  filters: {
    status: { label: 'Status', options: STATUS },
    enrollment_state: { label: 'Enrollment', options: ENROLLMENT },
  },
  search: 'Name or external ID',
  byTime: true,
  sorts: ['oldest', 'name', '-name', 'last_seen', '-last_seen'],
  csv: 'devices',
  read: LISTS.devices,
  useParts: () => {
    const [dialog, startTask] = useDeviceTask();
    return { columns: deviceColumns(startTask), dialog };
  },
  add: { name: 'Add a device', icon: TabletSmartphone, Dialog: NewDevice },
  empty: {
    title: 'No devices',
    text: 'Add a device, then scan or type its code on the device. People’s phones appear here when they register.',
  },
});
