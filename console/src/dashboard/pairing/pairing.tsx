import type { PairingSession } from '@svc/sdk';
import { Time } from '../../ui/lists/time';
import { Id, Text } from '../../ui/lists/value';
import { listOptions, PAIRINGS, svc } from '../api';
import { DeviceName } from '../devices/device-name';
import { listOf } from '../records/list-of';
import { Desktop } from './desktop';
import { MATCH_NAMES, SessionState, STATE_NAMES } from './session-state';

/** The pairing sessions of all desktops, and a desktop to try a sign-in with. Each code that a desktop shows is a session. */
export const Pairing = listOf({
  title: 'Pairings',
  name: 'Pairing sessions',
  records: 'pairing',
  filters: { state: { label: 'State', options: STATE_NAMES } },
  read: (query) =>
    listOptions<PairingSession>([...PAIRINGS, query.environment, query], async (cursor, signal) => {
      const page = await svc.request('listPairingSessions', { query: { ...query, cursor } }, { signal });
      return { items: page.sessions, nextCursor: page.nextCursor };
    }),
  useParts: () => ({ above: <Desktop /> }),
  columns: [
    { name: 'Created', short: true, cell: (session) => <Time at={session.createdAt} /> },
    {
      name: 'Signed in',
      short: true,
      minor: true,
      cell: ({ boundAt }) => (boundAt === null ? '–' : <Time at={boundAt} />),
    },
    { name: 'Person', short: true, cell: ({ userId }) => <Id of={userId} short /> },
    {
      name: 'Asked by',
      minor: true,
      cell: ({ deviceId, application, origin }) =>
        deviceId === null ? <Text of={application ?? origin} /> : <DeviceName id={deviceId} />,
    },
    { name: 'Number', short: true, minor: true, cell: ({ match }) => MATCH_NAMES[match] },
    { name: 'State', short: true, cell: ({ state }) => <SessionState of={state} /> },
  ],
  empty: {
    title: 'No sessions yet',
    text: 'People sign in on a computer with their phone, without a password. Each code that a computer shows is a session. Show the first code above.',
  },
});
