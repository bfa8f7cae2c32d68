import { Time } from '../../ui/lists/time';
import { listOf } from '../records/list-of';
import { useReferences } from '../records/list-query';
import { LISTS } from '../records/lists';
import { Name } from '../records/reference';
import { ReferenceFilters } from '../records/reference-filters';
import { AttendanceResult, AttendanceType, RESULTS, TYPES } from './attendance-labels';

export const Attendance = listOf({
  title: 'Attendance',
  records: 'attendance',
  filters: { type: { label: 'Type', options: TYPES }, result: { label: 'Result', options: RESULTS } },
  search: 'ID',
  byTime: true,
  useMore: useReferences,
  More: ReferenceFilters,
  csv: 'attendance',
  read: LISTS.attendance,
  columns: [
    { name: 'Time', short: true, sorts: true, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
    { name: 'Type', short: true, cell: ({ type }) => <AttendanceType of={type} /> },
    {
      name: 'Device',
      minor: true,
      cell: ({ deviceId, deviceName }) => <Name id={deviceId} name={deviceName} />,
    },
    { name: 'Result', short: true, cell: ({ result }) => <AttendanceResult of={result} /> },
  ],
  empty: {
    title: 'No attendance yet',
    text: 'Record check-ins and check-outs through the API, with a key that has the scope attendance:write.',
  },
});
