import { emptyOf } from '../../ui/lists/empty';
import { FilterBar } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { type ListedAttendance, useRecords } from '../api';
import { Export } from '../download';
import { useListQuery, useReferences } from '../records/list-query';
import { LISTS } from '../records/lists';
import { RecordsPage } from '../records/records-page';
import { Name } from '../records/reference';
import { ReferenceFilters } from '../records/reference-filters';
import { AttendanceResult, AttendanceType, RESULTS, TYPES } from './attendance-labels';

const FILTERS = {
  type: { label: 'Type', options: TYPES },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Attendance() {
  const query = { ...useListQuery(FILTERS), ...useReferences() };
  return (
    <RecordsPage
      title="Attendance"
      page="attendance"
      actions={<Export list="attendance" query={query} />}
      filters={
        <FilterBar filters={FILTERS} search="ID" byTime>
          <ReferenceFilters />
        </FilterBar>
      }
      list={useRecords(LISTS.attendance(query))}
      columns={COLUMNS}
      empty={emptyOf(query, {
        title: 'No attendance yet',
        text: 'Record check-ins and check-outs through the API, with a key that has the scope attendance:write.',
      })}
    />
  );
}

const COLUMNS: readonly Column<ListedAttendance>[] = [
  { name: 'Time', short: true, sorts: true, cell: (event) => <Time at={event.occurredAt} /> },
  { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
  { name: 'Type', short: true, cell: ({ type }) => <AttendanceType of={type} /> },
  {
    name: 'Device',
    minor: true,
    cell: ({ deviceId, deviceName }) => <Name id={deviceId} name={deviceName} />,
  },
  { name: 'Result', short: true, cell: ({ result }) => <AttendanceResult of={result} /> },
];
