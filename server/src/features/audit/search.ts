import type { Static } from 'typebox';
import { isUuid } from '../../base/random.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { exactly, listPage, nameIn, type Total } from '../../records/list.js';
import { namesOf as deviceNamesOf } from '../devices/devices.js';
import { namesOf as userNamesOf } from '../users/users.js';
import { readSignedHead, serializeEvent } from './audit.js';
import type { ConsoleAuditQuery } from './audit.schema.js';
import * as store from './audit.store.js';

/** Events that are read to count those of a filter, and to find those of a record. No index has the columns, as it would slow down every write. */
const MAX_EVENTS_READ = 10_000;

type Query = Static<typeof ConsoleAuditQuery>;

/** Exact without a filter. Otherwise it counts the newest events of the range, and more may match before them. */
async function countEvents(read: Read, start: number, end: number, query: Query): Promise<Total> {
  if ([query.action, query.status, query.entityId].every((value) => value === undefined))
    return exactly(Math.max(0, end - start));
  const newest = Math.max(start, end - MAX_EVENTS_READ);
  const total = await store.countEvents(read, { start: newest, end }, query);
  return { total, totalIsExact: newest === start };
}

/** Events with the name of the user or device that they are about. */
async function showNames(read: Read, rows: readonly AuditEventRow[]) {
  const idOf = (row: AuditEventRow, type: string) =>
    row.entity_type === type && isUuid(row.entity_id ?? '') ? row.entity_id : null;
  const [userNames, deviceNames] = await Promise.all([
    userNamesOf(
      read,
      rows.map((row) => idOf(row, 'user')),
    ),
    deviceNamesOf(
      read,
      rows.map((row) => idOf(row, 'device')),
    ),
  ]);
  return rows.map((row) => ({
    ...serializeEvent(row),
    userName: nameIn(userNames, idOf(row, 'user')),
    deviceName: nameIn(deviceNames, idOf(row, 'device')),
  }));
}

/** A page of the audit chain for the console, with its signed head. */
export async function searchedAudit(
  context: Pick<ScopedContext, 'read' | 'scope'> & {
    readonly deps: Pick<Deps, 'cursors' | 'history' | 'keyring'>;
    readonly query: Query;
  },
) {
  const { read, deps, scope, query } = context;
  const head = await readSignedHead(read, deps);
  const history = deps.history.of(scope);
  const boundOf = async (time: string | undefined, otherwise: number) =>
    time === undefined ? otherwise : store.seqAt(history, time);
  const [from, to] = await Promise.all([boundOf(query.from, 1), boundOf(query.to, head.seq + 1)]);
  const end = query.seq === undefined ? to : Math.min(to, query.seq + 1);
  const start = Math.max(from, query.seq ?? 1, query.entityId === undefined ? 1 : end - MAX_EVENTS_READ);
  const range = { start, end };
  const asked = { ...context, query: { ...query, include: 'names,total' } };
  const page = await listPage(asked, 'audit', {
    fetch: (of, filter, count, after) => store.searchEvents(of, range, filter, count, after),
    position: (row: AuditEventRow) => String(row.seq),
    count: (of, filter) => countEvents(of, from, end, filter),
    show: serializeEvent,
    showNames,
  });
  return { ...page, head };
}
