import { TabletSmartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar } from '../../ui/lists/filters';
import { useRecords } from '../api';
import { Export } from '../download';
import { useListQuery } from '../records/list-query';
import { LISTS } from '../records/lists';
import { RecordsPage } from '../records/records-page';
import { deviceColumns } from './device-columns';
import { ENROLLMENT, STATUS } from './device-labels';
import { useDeviceTask } from './device-task';
import { NewDevice } from './new-device';

const FILTERS = {
  status: { label: 'Status', options: STATUS },
  enrollment_state: { label: 'Enrollment', options: ENROLLMENT },
} as const;

export function Devices() {
  const query = useListQuery(FILTERS);
  const [adding, setAdding] = useState(false);
  const [dialog, startTask] = useDeviceTask();
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <TabletSmartphone size={18} aria-hidden="true" />
      Add a device
    </Button>
  );
  return (
    <RecordsPage
      title="Devices"
      page="devices"
      actions={
        <>
          <Export list="devices" query={query} />
          {add}
        </>
      }
      filters={<FilterBar filters={FILTERS} search="Name or external ID" byTime />}
      list={useRecords(LISTS.devices(query))}
      columns={deviceColumns(startTask)}
      empty={emptyOf(query, {
        title: 'No devices',
        text: 'Add a device, then scan or type its code on the device. People’s phones appear here when they register.',
        action: add,
      })}
    >
      {adding && <NewDevice onClose={() => setAdding(false)} />}
      {dialog}
    </RecordsPage>
  );
}
