import type { PairingSession } from '@svc/sdk';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar, useFilters } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Id, Text } from '../../ui/lists/value';
import { PAIRINGS, svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { RecordsPage } from '../records/records-page';
import { Desktop } from './desktop';
import { MATCH_NAMES, SessionState, STATE_NAMES } from './session-state';

const FILTERS = { state: { label: 'State', options: STATE_NAMES } } as const;

/** The pairing sessions of all desktops, and a desktop to try a sign-in with. Each code that a desktop shows is a session. */
export function Pairing() {
  const query = { environment: useEnvironment(), ...useFilters(FILTERS) };
  const sessions = useList([...PAIRINGS, query.environment, query], async (cursor, signal) => {
    const page = await svc.request('consoleListPairingSessions', { query: { ...query, cursor } }, { signal });
    return { items: page.sessions, nextCursor: page.nextCursor };
  });
  return (
    <RecordsPage
      title="Pairing"
      name="Pairing sessions"
      page="pairing"
      filters={<FilterBar filters={FILTERS} />}
      list={sessions}
      columns={COLUMNS}
      empty={emptyOf(query, {
        title: 'No sessions yet',
        text: 'People sign in on a computer with their phone, without a password. Each code that a computer shows is a session. Show the first code above.',
      })}
    >
      <Desktop />
    </RecordsPage>
  );
}

const COLUMNS: readonly Column<PairingSession>[] = [
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
    cell: ({ application, origin }) => <Text of={application ?? origin} />,
  },
  { name: 'Number', short: true, minor: true, cell: ({ match }) => MATCH_NAMES[match] },
  { name: 'State', short: true, cell: ({ state }) => <SessionState of={state} /> },
];
