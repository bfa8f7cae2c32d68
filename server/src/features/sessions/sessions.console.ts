import { console, route } from '../../http/route.js';
import { page } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { ConsoleSessionList, ConsoleSessionsQuery } from './sessions.schema.js';
import { listLiveSessions } from './sessions.store.js';

export const sessionsConsole = [
  route({
    operationId: 'consoleListSessions',
    method: 'GET',
    path: '/api/console/sessions',
    summary: 'List the sessions of a user that have not ended, newest first',
    auth: console({ role: 'auditor' }),
    schemas: { query: ConsoleSessionsQuery },
    replies: { 200: ConsoleSessionList },
    compress: true,
    async handler({ scope, deps, query }) {
      const now = new Date(deps.clock.now());
      const read = deps.history.of(scope);
      const { items, nextCursor } = await page(
        deps.cursors,
        scope,
        'sessions of a user',
        query,
        (count, before) => listLiveSessions(read, query.userId, count, before, now),
        (row) => row.id,
      );
      const sessions = items.map((row) => ({
        id: row.id,
        did: row.did,
        createdAt: iso(row.created_at),
        expiresAt: iso(row.expires_at),
        fromPairing: row.from_pairing,
        simulated: row.simulated,
      }));
      return { sessions, environment: scope.environment, nextCursor };
    },
  }),
];
