import type { Attendance as AttendanceEvent } from '@svc/sdk';
import { useState } from 'react';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { type Names, useNamesOfDevices, useNamesOfPeople } from '../names';
import { AttendanceDetails } from './attendance-details';
import { AttendanceResult, AttendanceType, RESULTS, TYPES } from './attendance-labels';

const FILTERS = {
  type: { label: 'Type', options: TYPES },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Attendance() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const list = useList(['attendance', environment, chosen], async (cursor, signal) => {
    const query = { environment, ...chosen, cursor };
    const { attendance, nextCursor } = await svc.request('consoleListAttendance', { query }, { signal });
    return { items: attendance, nextCursor };
  });
  const people = useNamesOfPeople(environment);
  const devices = useNamesOfDevices(environment);
  const [shown, setShown] = useState<AttendanceEvent>();
  return (
    <Page title="Attendance">
      <FilterBar filters={FILTERS} />
      <RecordList
        name="Attendance"
        query={list}
        columns={columns(people, devices, setShown)}
        empty={emptyOf(chosen, {
          title: 'No attendance yet',
          text: 'Your programs record check-ins and check-outs with a key that has attendance:write.',
        })}
      />
      {shown && (
        <AttendanceDetails
          event={shown}
          people={people}
          devices={devices}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  );
}

const columns = (
  people: Names,
  devices: Names,
  open: (event: AttendanceEvent) => void,
): readonly Column<AttendanceEvent>[] => [
  {
    name: 'When',
    short: true,
    cell: (event) => (
      <Opener onOpen={() => open(event)}>
        <Time at={event.occurredAt} />
      </Opener>
    ),
  },
  { name: 'Person', cell: ({ userId }) => <Named id={userId} names={people} /> },
  { name: 'Type', short: true, cell: ({ type }) => <AttendanceType of={type} /> },
  { name: 'Device', cell: ({ deviceId }) => <Named id={deviceId} names={devices} /> },
  { name: 'Result', short: true, cell: ({ result }) => <AttendanceResult of={result} /> },
];
