import type { Device } from '@svc/sdk';
import { TabletSmartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters, useSearched } from '../../ui/lists/filters';
import { RecordList } from '../../ui/lists/list';
import { svc, useList } from '../api';
import { Export } from '../download';
import { useEnvironment } from '../environment';
import { deviceColumns } from './device-columns';
import { DeviceDialog, type DeviceTask } from './device-dialog';
import { ENROLLMENT, STATUS } from './device-labels';
import { NewDevice } from './new-device';

const FILTERS = {
  status: { label: 'Status', options: STATUS },
  enrollment_state: { label: 'Enrollment', options: ENROLLMENT },
} as const;

export function Devices() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const query = { environment, ...chosen, ...useSearched() };
  const list = useList(['devices', environment, query], async (cursor, signal) => {
    const { devices: items, ...page } = await svc.request(
      'consoleListDevices',
      { query: { ...query, cursor } },
      { signal },
    );
    return { items, ...page };
  });
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<{ readonly task: DeviceTask; readonly device: Device }>();
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <TabletSmartphone size={18} aria-hidden="true" />
      Add a device
    </Button>
  );
  return (
    <Page
      title="Devices"
      actions={
        <>
          <Export list="devices" query={query} />
          {add}
        </>
      }
    >
      <FilterBar filters={FILTERS} search="Name or external ID" />
      <RecordList
        name="Devices"
        query={list}
        columns={deviceColumns((task, device) => setOpen({ task, device }))}
        empty={emptyOf(query, {
          title: 'No devices',
          text: 'Add a device, then scan or type its code on the device. People’s phones appear here when they register.',
          action: add,
        })}
      />
      {adding && <NewDevice onClose={() => setAdding(false)} />}
      {open && <DeviceDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
