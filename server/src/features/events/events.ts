import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { ChainFollower, Deps } from '../../http/deps.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { genesisHash } from '../../ledger/audit-chain.js';
import { type AuditEventRow, type EventFilter, findPosition, listEvents } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { serializeEvent } from '../audit/audit.js';
import type { ListEventsQuery } from './events.schema.js';
import { findUnknownPattern, MAX_PATTERNS, selects, selectTypes } from './filter.js';

/** Events that one read examines. */
const MAX_EXAMINED = 10_000;
const RETRY_AFTER_SECONDS = 15;

export type FeedContext = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Pick<Deps, 'clock' | 'followedChains' | 'streams'>;
  readonly principal: KeyPrincipal | ConsolePrincipal | DevicePrincipal;
};

/** The event as the feed, streams and deliveries show it: as in the audit list, so that its hash can be computed again. */
export function serializeFeedEvent(row: AuditEventRow) {
  const event = serializeEvent(row);
  return { ...event, type: event.action, timestamp: event.createdAt };
}

/** A filter by `types`, a list of patterns. */
export function readTypes(types: string | undefined): EventFilter {
  const patterns = types?.split(',') ?? ['*'];
  if (patterns.length > MAX_PATTERNS) invalid('query.types', `must name at most ${MAX_PATTERNS} types`);
  const unknown = findUnknownPattern(patterns);
  if (unknown !== undefined) invalid('query.types', 'names a type that does not exist');
  return { types: selectTypes(patterns), outcome: 'any' };
}

/** A position in the chain. `hash` is the beginning of the hash that the event there must have. */
export interface After {
  readonly seq: number;
  readonly hash: string | undefined;
}

export function readAfter(text: string): After {
  const [seq = '', hash] = text.split('.');
  return { seq: Number(seq), hash };
}

export interface EventPage {
  readonly rows: readonly AuditEventRow[];
  /** The last event that was examined; `after` itself if there was none. */
  readonly next: number;
  /** All events that there are have been examined. */
  readonly isAtHead: boolean;
}

/**
 * The next events after a position. Events become visible in the order of their numbers, so none is ever skipped. Undefined once the
 * credential is not valid any more.
 */
export async function readEvents(
  read: Read,
  { seq: after, hash }: After,
  filter: EventFilter,
  limit: number,
  credential?: Parameters<typeof findPosition>[2],
): Promise<EventPage | undefined> {
  const head = await findPosition(read, after, credential);
  if (head === undefined) return undefined;
  const found = after === 0 ? genesisHash(read.scope.tenantId, read.scope.environment) : head.hash;
  if (hash !== undefined && !found?.startsWith(hash)) fail('chain_diverged');
  if (head.head_seq <= after) return { rows: [], next: after, isAtHead: true };
  const to = Math.min(after + MAX_EXAMINED, head.head_seq);
  const rows = await listEvents(read, { after, to }, filter, limit);
  const last = rows.at(-1);
  const next = rows.length === limit && last ? last.seq : to;
  return { rows, next, isAtHead: next >= head.head_seq };
}

/** The position of the newest event. */
export async function headOf({ read }: Pick<FeedContext, 'read'>): Promise<After> {
  const head = await findPosition(read, 0);
  return { seq: head?.head_seq ?? 0, hash: undefined };
}

/** Reserves one of the plan's slots for streams and for requests that wait. */
export function reserveSlot({ deps, principal: { tenant } }: FeedContext): () => void {
  const leave = deps.streams.reserve([tenant.id, PLAN_LIMITS[tenant.plan].openStreams]);
  if (leave === undefined)
    fail('rate_limit_exceeded', {
      message: 'The plan allows no more open streams. Read the feed without `wait` instead.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  return leave;
}

/**
 * The next events after a position for somebody who follows the chain: from what this node keeps for all of them or, further back, from the
 * database. Undefined once the credential is not valid any more.
 */
export async function readFollowed(
  { deps, read, principal }: FeedContext,
  follower: ChainFollower,
  after: After,
  filter: EventFilter,
  limit: number,
): Promise<EventPage | undefined> {
  const kept = after.hash === undefined ? follower.eventsAfter(after.seq) : undefined;
  if (kept === undefined)
    return readEvents(read, after, filter, limit, principal.revalidate(deps.clock.now()));
  if (kept === 'ended') return undefined;
  const rows = kept.filter((event) => selects(filter, event)).slice(0, limit);
  const last = rows.length === limit ? rows.at(-1) : kept.at(-1);
  const next = last?.seq ?? after.seq;
  return { rows, next, isAtHead: last === kept.at(-1) };
}

type ListContext = FeedContext &
  Pick<BaseContext, 'idle' | 'onClose'> & { readonly query: Static<typeof ListEventsQuery> };

/** The next page of the feed. With `wait`, a page without events is returned after that many seconds, or when the server or the client closes. */
export async function listFeed(context: ListContext) {
  const { deps, read, scope, principal, query } = context;
  const { after = '0', types, limit = 100, wait = 0 } = query;
  const filter = readTypes(types);
  const from = readAfter(after);
  const show = (page: EventPage | undefined) => ({
    events: page?.rows.map(serializeFeedEvent) ?? [],
    next: page?.next ?? from.seq,
    environment: scope.environment,
  });
  const readNow = (position: After) =>
    readEvents(read, position, filter, limit, principal.revalidate(deps.clock.now()));
  let page = await readNow(from);
  if (wait === 0 || page === undefined || page.rows.length > 0 || !page.isAtHead) return show(page);
  const leave = reserveSlot(context);
  const follower = deps.followedChains.follow(scope, principal);
  const { closing } = deps.streams;
  const end = deps.clock.now() + wait * 1000;
  let isClosed = false;
  context.onClose(() => {
    isClosed = true;
    follower.changes.set();
  });
  try {
    while (page !== undefined && page.rows.length === 0 && !closing.aborted && !isClosed) {
      // Events may have arrived before this followed the chain, so the page is read again before the wait.
      const position: After = { seq: page.next, hash: undefined };
      const rest = end - deps.clock.now();
      page =
        rest > 0 ? await readFollowed(context, follower, position, filter, limit) : await readNow(position);
      if (page === undefined || page.rows.length > 0 || !page.isAtHead || rest <= 0) break;
      await context.idle(() => follower.changes.wait(rest, closing));
    }
    return show(page);
  } finally {
    follower.leave();
    leave();
  }
}
export { Event } from './events.schema.js';
export {
  findUnknownPattern,
  MAX_PATTERN_LENGTH,
  MAX_PATTERNS,
  PATTERN_TEXT,
  selects,
  selectTypes,
} from './filter.js';
export { createFollowedChains } from './followed-chains.js';
