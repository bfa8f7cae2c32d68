import { useState } from 'react';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters, useSearched } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { type ListedAttendance, svc, useList } from '../api';
import { Export } from '../download';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { AttendanceDetails } from './attendance-details';
import { AttendanceResult, AttendanceType, RESULTS, TYPES } from './attendance-labels';

const FILTERS = {
  type: { label: 'Type', options: TYPES },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Attendance() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const query = { environment, ...chosen, ...useSearched() };
  const list = useList(['attendance', environment, query], async (cursor, signal) => {
    const { attendance: items, ...page } = await svc.request(
      'consoleListAttendance',
      { query: { ...query, cursor } },
      { signal },
    );
    return { items, ...page };
  });
  const [shown, setShown] = useState<ListedAttendance>();
  return (
    <Page title="Attendance" actions={<Export list="attendance" query={query} />}>
      <FilterBar filters={FILTERS} search="ID" />
      <RecordList
        name="Attendance"
        query={list}
        columns={columns(setShown)}
        empty={emptyOf(query, {
          title: 'No attendance yet',
          text: 'Your programs record check-ins and check-outs with a key that has attendance:write.',
        })}
      />
      {shown && <AttendanceDetails event={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const columns = (open: (event: ListedAttendance) => void): readonly Column<ListedAttendance>[] => [
  {
    name: 'When',
    short: true,
    cell: (event) => (
      <Opener onOpen={() => open(event)}>
        <Time at={event.occurredAt} />
      </Opener>
    ),
  },
  { name: 'Person', cell: ({ userId, userName }) => <Named id={userId} name={userName} /> },
  { name: 'Type', short: true, cell: ({ type }) => <AttendanceType of={type} /> },
  { name: 'Device', cell: ({ deviceId, deviceName }) => <Named id={deviceId} name={deviceName} /> },
  { name: 'Result', short: true, cell: ({ result }) => <AttendanceResult of={result} /> },
];
