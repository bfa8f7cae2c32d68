import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { listPage, nameIn, showRow } from '../../records/list.js';
import { namesOf } from '../users/users.js';
import type { GetRegistrationQuery, ListRegistrationsQuery } from './registrations.schema.js';
import * as store from './registrations.store.js';
import { requireOwnSession, serializeSession } from './session.js';

/** A session, with the name of its person if the query includes it. */
export async function showSession(
  context: {
    readonly read: Read;
    readonly deps: Pick<Deps, 'clock'>;
    readonly query: Static<typeof GetRegistrationQuery>;
    readonly principal: object;
  },
  id: string,
) {
  const row = await requireOwnSession(context.read, context.principal, id);
  return showRow(context, shownAt(context.deps.clock.now()), row);
}

type ListContext = Pick<ScopedContext, 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'history'>;
  query: Static<typeof ListRegistrationsQuery>;
};

/** Sessions as they are shown, also with the names of their people. */
const shownAt = (now: number) => ({
  show: (row: store.SessionRow) => serializeSession(row, now),
  async showNames(read: Read, rows: readonly store.SessionRow[]) {
    const names = await namesOf(
      read,
      rows.map((row) => row.user_id),
    );
    return rows.map((row) => ({ ...serializeSession(row, now), user_name: nameIn(names, row.user_id) }));
  },
});

export function sessionList(context: ListContext) {
  const now = context.deps.clock.now();
  return listPage(context, 'registrations', {
    fetch: (read, query, count, before) => store.listSessions(read, query, count, before, new Date(now)),
    position: (row) => row.id,
    ...shownAt(now),
  });
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_COUNTED = 10_000;

/** How far the registrations of the last 30 days came. */
export const readFunnel = (read: Read, now: number): Promise<store.Steps> =>
  store.countSteps(read, now - 30 * DAY_MS, MAX_COUNTED);

/** How many registrations were completed since a moment. They were opened at most a day earlier, except for recoveries. */
export const countCompleted = (read: Read, since: number): Promise<number> =>
  store.countCompleted(read, { opened: since - DAY_MS, since }, MAX_COUNTED);
