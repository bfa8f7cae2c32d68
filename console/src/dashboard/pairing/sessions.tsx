import type { PairingSession } from '@svc/sdk';
import { StatusTag, type Tone } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { PAIRINGS, svc, useList } from '../api';
import { useEnvironment } from '../environment';

const STATES: Readonly<Record<PairingSession['state'], readonly [name: string, tone: Tone]>> = {
  issued: ['waiting for a phone', 'info'],
  bound: ['signed in', 'good'],
  expired: ['expired', 'plain'],
};

/** The pairing sessions of all desktops. Each code that a desktop displays is a session. */
export function Sessions() {
  const environment = useEnvironment();
  const sessions = useList([...PAIRINGS, environment], async (cursor, signal) => {
    const page = await svc.request(
      'consoleListPairingSessions',
      { query: { environment, cursor } },
      { signal },
    );
    return { items: page.sessions, nextCursor: page.nextCursor };
  });
  return (
    <RecordList
      name="Pairing sessions"
      query={sessions}
      columns={COLUMNS}
      empty={{
        title: 'No sessions yet',
        text: 'Each code that a desktop shows is a session. Show the first code above.',
      }}
    />
  );
}

const COLUMNS: readonly Column<PairingSession>[] = [
  { name: 'Opened', cell: (session) => <Time at={session.createdAt} /> },
  { name: 'Signed in', cell: ({ boundAt }) => (boundAt === null ? '–' : <Time at={boundAt} />) },
  { name: 'Person', cell: ({ userId }) => (userId === null ? '–' : <code>{userId}</code>) },
  {
    name: 'State',
    cell: ({ state }) => {
      const [name, tone] = STATES[state];
      return <StatusTag tone={tone}>{name}</StatusTag>;
    },
  },
];
