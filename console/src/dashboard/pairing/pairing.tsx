import { TimeOfDay } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { MATCH_NAMES, SessionState, STATE_NAMES } from '../nouns/pairing-states';
import { Name } from '../nouns/reference';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { useReferences } from '../records/lists/list-query';
import { ReferenceFilters } from '../records/lists/reference-filters';
import { Desktop } from './desktop';

/** The pairing sessions of all desktops, and a desktop to try a sign-in with. Each code that a desktop shows is a session. */
export const Pairing = listOf({
  title: 'Pairings',
  name: 'Pairing sessions',
  records: 'pairing',
  filters: { state: { label: 'State', options: STATE_NAMES } },
  byTime: true,
  useMore: useReferences,
  More: ReferenceFilters,
  read: (query) => pages('listPairingSessions', { query: { ...query, include: 'names' } }),
  useParts: () => ({ above: <Desktop /> }),
  columns: [
    { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
    {
      name: 'Asked by',
      minor: true,
      narrow: 'fact',
      cell: ({ deviceId, deviceName, application, origin }) =>
        deviceId === null ? <Text of={application ?? origin} /> : <Name id={deviceId} name={deviceName} />,
    },
    { name: 'Number', short: true, minor: true, cell: ({ match }) => MATCH_NAMES[match] },
    { name: 'State', short: true, narrow: 'state', cell: ({ state }) => <SessionState of={state} /> },
    {
      name: 'Signed in',
      short: true,
      minor: true,
      cell: ({ boundAt }) => (boundAt === null ? <Absent /> : <TimeOfDay at={boundAt} />),
    },
    { name: 'Created', short: true, narrow: 'time', at: ({ createdAt }) => createdAt },
  ],
  empty: {
    title: 'No sessions yet',
    text: 'People sign in on a computer with their phone, without a password. Each code that a computer shows is a session. Show the first code above.',
  },
});
