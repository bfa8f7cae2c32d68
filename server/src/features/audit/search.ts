import type { Static } from 'typebox';
import { requireRole } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { type AuditEventRow, MAX_SEARCHED, seqAt } from '../../ledger/read-events.js';
import { findHead, readSignedHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { hasRole } from '../../model/roles.js';
import { exactly, type Listing, listPage, type Total } from '../../records/list.js';
import type { TimeRange } from '../../records/order.js';
import { iso } from '../../records/schema.js';
import type { ConsoleAuditQuery } from './audit.schema.js';
import * as store from './audit.store.js';
import { withNames } from './names.js';
import { partsAbout, type Range, searchedPart, stopOf } from './ranges.js';
import { serializeEvent } from './rows.js';

type Query = Static<typeof ConsoleAuditQuery>;

const sizeOf = (ranges: readonly Range[]): number =>
  ranges.reduce((size, { start, end }) => size + end - start, 0);

/** Exact without a filter. Otherwise it counts the newest events of the range, or those about the records, and more may match elsewhere. */
async function countEvents(
  read: Read,
  { start, end }: Range,
  parts: readonly Range[],
  filter: store.AuditSearch,
): Promise<Total> {
  if ([filter.action, filter.status, filter.ids, filter.actorId].every((value) => value === undefined))
    return exactly(Math.max(0, end - start));
  const counted = filter.ids ? parts : [{ start: Math.max(start, end - MAX_SEARCHED), end }];
  const counts = await Promise.all(counted.map((part) => store.countEvents(read, part, filter)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { total, totalIsExact: sizeOf(counted) >= end - start };
}

interface Search {
  readonly range: Range;
  readonly filter: store.AuditSearch;
}

type EventListing = Omit<Listing<Query, AuditEventRow, unknown>, 'show' | 'showNames'>;

/** All entries of a range, or those that match a filter. */
function listingOf({ range, filter, isSearched }: Search & { readonly isSearched: boolean }): EventListing {
  const { sort } = filter;
  return {
    fetch: (read, _, count, after) =>
      store.searchEvents(read, [isSearched ? searchedPart(range, sort, after) : range], filter, count, after),
    ...(isSearched && { stop: (_: unknown, after: string | undefined) => stopOf(range, sort, after) }),
    position: ({ seq }) => String(seq),
    count: (read) => countEvents(read, range, [], filter),
  };
}

/**
 * The entries about some records. A position is an entry, and the end of the range when its first page was read: the newest entries are
 * searched, and each that is written between two pages would move that part.
 */
function listingAbout(
  ids: readonly string[],
  history: Read,
  { range, filter, newestAt }: Search & { readonly newestAt: string },
): EventListing {
  const partsTo = (end: number) => partsAbout(history, ids, { ...range, end }, newestAt);
  let end = range.end;
  return {
    cursorsOf: 'audit of records',
    async fetch(read, _, count, position) {
      const [after, endThen] = position?.split('|') ?? [];
      end = Number(endThen ?? range.end);
      return store.searchEvents(read, await partsTo(end), filter, count, after);
    },
    position: ({ seq }) => `${seq}|${end}`,
    count: async (read) => countEvents(read, range, await partsTo(range.end), filter),
  };
}

/** Whose entries are asked for. Members who may not read the audit log see what they did themselves. */
function actorOf({
  principal,
  query: { actorId },
}: {
  readonly principal: ConsolePrincipal;
  readonly query: Query;
}): string | undefined {
  const { member } = principal;
  if (hasRole(member.role, 'auditor')) return actorId;
  if (actorId !== undefined && actorId !== member.id) requireRole(principal, 'auditor');
  return member.id;
}

/** A page of the audit chain for the console, with its signed head. */
export async function searchedAudit(
  context: Pick<ScopedContext, 'read' | 'scope'> & {
    readonly deps: Pick<Deps, 'cursors' | 'history' | 'keyring'>;
    readonly query: Query;
    readonly principal: ConsolePrincipal;
  },
) {
  const { read, deps, scope, query } = context;
  const head = await readSignedHead(read, deps);
  const history = deps.history.of(scope);
  const boundOf = async (time: string | undefined, otherwise: number) =>
    time === undefined ? otherwise : seqAt(history, new Date(time));
  const [from, to] = await Promise.all([boundOf(query.from, 1), boundOf(query.to, head.seq + 1)]);
  const { seq, action, status, sort, entityId } = query;
  const actorId = actorOf(context);
  const range = {
    start: Math.max(from, seq ?? 1),
    end: seq === undefined ? to : Math.min(to, seq + 1),
  };
  const ids = entityId?.split(',');
  const filter = {
    ...(action && { action }),
    ...(status && { status }),
    ...(sort && { sort }),
    ...(ids && { ids }),
    ...(actorId && { actorId }),
  };
  const asked = { ...context, query: { ...query, include: 'names,total' } };
  const rest = { show: serializeEvent, showNames: withNames };
  const listing = ids
    ? listingAbout(ids, history, { range, filter, newestAt: head.at })
    : // No index has the columns of a filter, as it would slow down every write.
      listingOf({
        range,
        filter,
        isSearched: [action, status, actorId].some((value) => value !== undefined),
      });
  const page = await listPage(asked, 'audit', { ...listing, ...rest });
  return { ...page, head };
}

/** Events of some actions about a record, with names, for lists of more than events. */
export async function eventsAbout(read: Read, id: string, actions: readonly AuditAction[], times: TimeRange) {
  const head = await findHead(read);
  const boundOf = async (time: string | undefined, otherwise: number) =>
    time === undefined ? otherwise : seqAt(read, new Date(time));
  const [start, end] = await Promise.all([boundOf(times.from, 1), boundOf(times.to, (head?.seq ?? 0) + 1)]);
  const newestAt = iso(head?.last_at ?? new Date(0));
  const { fetch, position } = listingAbout([id], read, {
    range: { start, end },
    filter: { ids: [id], actions },
    newestAt,
  });
  return {
    fetch: (of: Read, count: number, after: string | undefined) => fetch(of, {}, count, after),
    position: (row: AuditEventRow) => position(row, {}),
    at: (row: AuditEventRow) => row.created_at,
    show: withNames,
  };
}
