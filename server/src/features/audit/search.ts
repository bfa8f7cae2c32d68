import type { Static } from 'typebox';
import { timeOfId } from '../../base/random.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { type AuditEventRow, MAX_SEARCHED, seqAt } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { exactly, listPage, type Total } from '../../records/list.js';
import { type Range, readSignedHead, searchedPart, serializeEvent, stopOf } from './audit.js';
import type { ConsoleAuditQuery } from './audit.schema.js';
import * as store from './audit.store.js';
import { withNames } from './names.js';

/** The time in an id is a little ahead of the event's if the clock was set back. */
const CLOCK_STEP_MS = 1_000;

type Query = Static<typeof ConsoleAuditQuery>;

/** In order and without what they have in common. */
function merged(ranges: readonly Range[]): Range[] {
  const separate: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = separate.at(-1);
    if (last === undefined || range.start > last.end) separate.push(range);
    else separate.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return separate;
}

/**
 * The parts of a range in which the events about some records are searched: its newest events, and those since each record was
 * created, which its id says. So a record is found by its first events wherever they are, and one that lives for minutes, such as a
 * verification or a pairing session, by all.
 */
async function partsAbout(
  read: Read,
  ids: readonly string[],
  { start, end }: Range,
  newestAt: string,
): Promise<Range[]> {
  const created = ids
    .map((id) => (timeOfId(id) ?? Number.POSITIVE_INFINITY) - CLOCK_STEP_MS)
    .filter((time) => time >= 0 && time <= Date.parse(newestAt));
  const starts = await Promise.all(created.map((time) => seqAt(read, new Date(time))));
  return merged(
    [...starts, end - MAX_SEARCHED]
      .map((from) => ({ start: Math.max(start, from), end: Math.min(end, from + MAX_SEARCHED) }))
      .filter((part) => part.start < part.end),
  );
}

const sizeOf = (ranges: readonly Range[]): number =>
  ranges.reduce((size, { start, end }) => size + end - start, 0);

/** Exact without a filter. Otherwise it counts the newest events of the range, or those about the records, and more may match elsewhere. */
async function countEvents(
  read: Read,
  { start, end }: Range,
  parts: readonly Range[],
  filter: store.AuditSearch,
): Promise<Total> {
  if ([filter.action, filter.status, filter.ids].every((value) => value === undefined))
    return exactly(Math.max(0, end - start));
  const counted = filter.ids ? parts : [{ start: Math.max(start, end - MAX_SEARCHED), end }];
  const counts = await Promise.all(counted.map((part) => store.countEvents(read, part, filter)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { total, totalIsExact: sizeOf(counted) >= end - start };
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
    time === undefined ? otherwise : seqAt(history, new Date(time));
  const [from, to] = await Promise.all([boundOf(query.from, 1), boundOf(query.to, head.seq + 1)]);
  const { seq, action, status, sort, entityId } = query;
  const range = {
    start: Math.max(from, seq ?? 1),
    end: seq === undefined ? to : Math.min(to, seq + 1),
  };
  const ids = entityId?.split(',');
  const parts = ids ? await partsAbout(history, ids, range, head.at) : [range];
  const filter = {
    ...(action && { action }),
    ...(status && { status }),
    ...(sort && { sort }),
    ...(ids && { ids }),
  };
  const asked = { ...context, query: { ...query, include: 'names,total' } };
  // No index has the columns of a filter, as it would slow down every write.
  const isSearched = ids === undefined && (action !== undefined || status !== undefined);
  const partsAfter = (after: string | undefined) => (isSearched ? [searchedPart(range, sort, after)] : parts);
  const page = await listPage(asked, 'audit', {
    fetch: (of, _, count, after) => store.searchEvents(of, partsAfter(after), filter, count, after),
    ...(isSearched && { stop: (_: unknown, after: string | undefined) => stopOf(range, sort, after) }),
    position: (row: AuditEventRow) => String(row.seq),
    count: (of) => countEvents(of, range, parts, filter),
    show: serializeEvent,
    showNames: withNames,
  });
  return { ...page, head };
}
