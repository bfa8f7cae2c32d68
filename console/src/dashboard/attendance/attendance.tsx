import { BY_TIME } from '../../ui/lists/column';
import { AttendanceType, RESULTS, TYPES } from '../nouns/attendance-labels';
import { HoursOnly } from '../nouns/members/hours-only';
import { Name } from '../nouns/reference';
import { listOf } from '../records/lists/list-of';
import { useReferences } from '../records/lists/list-query';
import { LISTS } from '../records/lists/lists';
import { ReferenceFilters } from '../records/lists/reference-filters';
import { PresencePicture } from './presence-picture';

export { PresencePicture };

export const Attendance = listOf({
  title: 'Attendance',
  records: 'attendance',
  filters: { type: { label: 'Type', options: TYPES }, result: { label: 'Result', options: RESULTS } },
  search: 'ID',
  byTime: true,
  sorts: ['oldest'],
  useMore: useReferences,
  More: ReferenceFilters,
  csv: 'attendance',
  read: LISTS.attendance,
  // A person’s or a device’s attendance is not that of the picture.
  useParts: ({ userId, deviceId, q }) => ({
    above: !userId && !deviceId && !q && <PresencePicture />,
  }),
  columns: [
    { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
    {
      name: 'Device',
      minor: true,
      narrow: 'fact',
      cell: ({ deviceId, deviceName }) => <Name id={deviceId} name={deviceName} />,
    },
    {
      name: 'Type',
      short: true,
      narrow: 'state',
      cell: (event) => <AttendanceType of={event} />,
    },
    { name: 'Time', short: true, narrow: 'time', sorts: BY_TIME, at: ({ occurredAt }) => occurredAt },
  ],
  empty: {
    title: 'No attendance yet',
    text: 'Record check-ins and check-outs through the API, with a key that has the scope attendance:write.',
  },
  refused: <HoursOnly />,
  guide: '/docs/attendance',
});
