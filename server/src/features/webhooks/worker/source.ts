import type { Database } from '../../../db/db.js';
import { genesisHash } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';
import {
  type AuditEventRow,
  type EventFilter,
  findLastBefore,
  listEventsAt,
} from '../../../ledger/read-events.js';
import { reader } from '../../../ledger/write.js';
import { selects, selectTypes } from '../../events/events.js';
import type { ChainReader, Page } from './chain-reader.js';
import * as store from './deliveries.store.js';
import { eventMessage, type Message, type Previous, summaryMessage } from './message.js';
import { countEvent, endOf, isOver, summariesOf, type Throttle, withoutType } from './throttle.js';
import { createTrack, type Item, type Position, type Track } from './track.js';

/** With more failed events than this, no new ones are read. */
const MAX_RETRIES = 1_000;
const RETRY_PAGE = 100;
/** Clocks of nodes may differ a little, so a minute ends a little later. */
const MINUTE_MARGIN_MS = 5_000;

/** What a webhook has to send, and how far it has come. It lives as long as the webhook stays as it was read. */
export interface Source {
  /** Reads more if nothing waits. `changed`: the webhook must be read again. `diverged`: the chain is another one. */
  fill(now: number): Promise<'filled' | 'changed' | 'diverged'>;
  /** The next message that may be sent now. */
  next(now: number): Item | undefined;
  /** Puts back a message that was not sent after all. */
  putBack(item: Item): void;
  succeeded(item: Item): void;
  /** Sent again at `nextAt`. */
  failed(item: Item, nextAt: number): void;
  /** More can be read without waiting for a change. */
  readonly hasMore: boolean;
  /** When something is due without a change, in Unix milliseconds. */
  dueAt(): number | undefined;
  /** How far it has come. The changes of `webhook_retries` are given out once. */
  progress(): Pick<
    store.Progress,
    'cursor' | 'previous' | 'throttle' | 'replay' | 'summaryAt' | 'retries' | 'ended'
  >;
  /** Gives the changes of `webhook_retries` out again, because they could not be recorded. */
  restore(progress: Pick<store.Progress, 'retries' | 'ended'>): void;
}

interface SourceOptions {
  readonly db: Database;
  readonly w: store.DeliveryWrite;
  readonly scope: Scope;
  readonly row: store.ServedRow;
  readonly chain: ChainReader;
}

const keyOf = ({ event_id: id, is_replay: isReplay }: Pick<store.RetryRow, 'event_id' | 'is_replay'>) =>
  `${id}|${isReplay}`;
const keyOfItem = ({ message, isReplay }: Item) => `${message.eventId}|${isReplay}`;

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const set = times.filter((at): at is number => at !== undefined);
  return set.length > 0 ? Math.min(...set) : undefined;
}

const dateOrNull = (at: number | undefined) => (at === undefined ? null : new Date(at));

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one reader and its state
export async function createSource({ db, w, scope, row, chain }: SourceOptions): Promise<Source> {
  const read = reader(db, scope);
  const recipient = { id: row.id, ...scope };
  const filter: EventFilter = { types: selectTypes(row.events), outcome: row.outcome, webhookId: row.id };
  const throttles = !row.ordered && row.throttled && row.outcome !== 'success';
  const live = createTrack({
    seq: row.cursor_seq,
    hash: row.cursor_hash,
    previous: row.previous_seq === null ? null : { seq: row.previous_seq, hash: row.previous_hash as string },
    throttle: row.throttle,
  });
  let replay: Track | undefined;
  let replayTo = row.replay_to;
  let hasMore = true;

  /** Failed events that the tracks will read again, because the cursor stands before them. */
  const ahead = new Map<string, store.RetryRow>();
  if (row.waiting > 0)
    for (const retry of await store.listRetriesAhead(w, scope, row)) ahead.set(keyOf(retry), retry);
  /** Failed events that are due. */
  let due: Item[] = [];
  const dueInFlight = new Set<Item>();
  let waiting = row.waiting;
  let retryAt = row.first_retry_at?.getTime();

  let changed = new Map<string, store.RetryRow>();
  let ended = new Map<string, Pick<store.RetryRow, 'event_id' | 'is_replay'>>();

  const newItem = (message: Message, rest: Partial<Item> & Pick<Item, 'previous'>): Item => ({
    message,
    isReplay: false,
    summary: null,
    attempts: 0,
    firstAt: 0,
    notBefore: 0,
    ...rest,
  });

  /** Undefined for an event that already waits for its next attempt and does not hold up the others. */
  function itemOf(event: AuditEventRow, previous: Previous | null, isReplay: boolean): Item | undefined {
    const item = newItem(eventMessage(event, scope.tenantId, previous), { previous, isReplay });
    const retry = ahead.get(keyOfItem(item));
    if (retry === undefined) return item;
    if (!row.ordered) return undefined;
    return Object.assign(item, {
      attempts: retry.attempts,
      firstAt: retry.first_at.getTime(),
      notBefore: retry.next_at.getTime(),
    });
  }

  /** Each summary that is finished leaves the state, so a node that starts again makes the others. */
  function addSummaries(): void {
    for (const summary of summariesOf(live.position.throttle)) {
      const { previous, throttle } = live.position;
      const message = summaryMessage(recipient, summary, previous);
      const rest = withoutType(throttle as Throttle, summary.type);
      live.add(newItem(message, { summary, previous }), { ...live.position, throttle: rest });
    }
    live.advance({ ...live.position, throttle: null });
  }

  function readEvent(event: AuditEventRow): void {
    const before = live.position;
    const at = { seq: event.seq, hash: event.hash };
    if (!selects(filter, event)) {
      live.advance({ ...before, ...at });
      return;
    }
    const counted = throttles ? countEvent(before.throttle, event) : undefined;
    const throttle = counted?.throttle ?? null;
    if (counted && counted.summaries.length > 0) addSummaries();
    const to: Position = { ...at, previous: at, throttle };
    const item = counted?.isSummed ? undefined : itemOf(event, before.previous, false);
    if (item) live.add(item, to);
    else live.advance(to);
  }

  /** Each event must be linked to the one before it, and the first one to the cursor. */
  function isLinked({ head, rows }: Page): boolean {
    const { seq, hash } = live.position;
    const start = seq === 0 ? genesisHash(scope.tenantId, scope.environment) : hash;
    if (start !== hash || head.seq < seq) return false;
    if (rows.length === 0) return head.seq > seq || head.hash === hash;
    return rows.every((event, at) => {
      const before = at === 0 ? { seq, hash } : (rows[at - 1] as AuditEventRow);
      return event.seq === before.seq + 1 && event.prev_hash === before.hash;
    });
  }

  async function fillLive(now: number): Promise<boolean> {
    if (live.next() !== undefined) return true;
    const page = await chain.page(live.position.seq);
    if (!isLinked(page)) return false;
    // The webhook may not be throttled any more.
    if (!throttles && live.position.throttle !== null) addSummaries();
    for (const event of page.rows) readEvent(event);
    hasMore = live.position.seq < page.head.seq;
    const { throttle } = live.position;
    if (!hasMore && isOver(throttle, now - MINUTE_MARGIN_MS)) addSummaries();
    return true;
  }

  async function fillReplay(): Promise<void> {
    if (row.replay_from === null || replayTo === null) return;
    if (replay === undefined) {
      const range = { after: row.filter_since, before: row.replay_from };
      const previous = (await findLastBefore(read, range, filter)) ?? null;
      replay = createTrack({ seq: row.replay_from - 1, hash: '', previous, throttle: null });
    }
    if (replay.next() !== undefined) return;
    const events = await chain.range(replay.position.seq, replayTo);
    for (const event of events) {
      const before = replay.position;
      const at = { seq: event.seq, hash: event.hash };
      const item = selects(filter, event) ? itemOf(event, before.previous, true) : undefined;
      if (item) replay.add(item, { ...at, previous: at, throttle: null });
      else replay.advance({ ...before, ...at, ...(selects(filter, event) && { previous: at }) });
    }
    if (events.length === 0 && replay.size === 0) {
      replay = undefined;
      replayTo = null;
    }
  }

  async function fillDue(now: number): Promise<boolean> {
    if (due.length > 0 || dueInFlight.size > 0 || retryAt === undefined || retryAt > now) return true;
    const at = new Date(now);
    const retries = await store.listRetries(w, scope, row.id, at, RETRY_PAGE);
    // Of an ordered webhook, those that the tracks read again keep their place there.
    const own = retries.filter((retry) => {
      const key = keyOf(retry);
      return !changed.has(key) && !ended.has(key) && !(row.ordered && ahead.has(key));
    });
    const events = await listEventsAt(
      read,
      own.flatMap(({ summary, seq }) => (summary === null ? [seq] : [])),
    );
    const items = own.map((retry) => {
      const { previous_seq: seq, previous_hash: hash, summary, is_replay: isReplay } = retry;
      const previous = seq === null ? null : { seq, hash: hash as string };
      const event = events.get(retry.seq);
      const message = summary
        ? summaryMessage(recipient, summary, previous)
        : event?.id === retry.event_id
          ? eventMessage(event, scope.tenantId, previous)
          : undefined;
      const { attempts, first_at: firstAt } = retry;
      return (
        message && newItem(message, { previous, summary, isReplay, attempts, firstAt: firstAt.getTime() })
      );
    });
    if (items.includes(undefined)) return false;
    due = items as Item[];
    const unrecorded = [...changed.values()].map(({ next_at: next }) => next.getTime());
    const stored = retries.length === RETRY_PAGE ? at : await store.nextRetryAt(w, scope, row.id, at);
    retryAt = earliest([stored?.getTime(), ...unrecorded]);
    return true;
  }

  function noteRetry(item: Item, nextAt: number): void {
    const { message, previous, summary, isReplay, attempts, firstAt } = item;
    ended.delete(keyOfItem(item));
    changed.set(keyOfItem(item), {
      event_id: message.eventId,
      seq: message.seq as number,
      is_replay: isReplay,
      previous_seq: previous?.seq ?? null,
      previous_hash: previous?.hash ?? null,
      summary,
      attempts,
      first_at: new Date(firstAt),
      next_at: new Date(nextAt),
    });
  }

  const trackOf = ({ isReplay }: Item) => (isReplay ? replay : live);
  const summaryAt = () => {
    const { throttle } = live.position;
    return throttle && summariesOf(throttle).length > 0 ? endOf(throttle) + MINUTE_MARGIN_MS : undefined;
  };
  /** Of an ordered webhook, what waits is at the front of its tracks. */
  const isFull = () => !row.ordered && waiting >= MAX_RETRIES;

  return {
    async fill(now) {
      const { versions } = await chain.head();
      if (versions[row.id] !== row.version) return 'changed';
      if (!(await fillDue(now))) return 'diverged';
      hasMore = false;
      if (isFull()) return 'filled';
      await fillReplay();
      return (await fillLive(now)) ? 'filled' : 'diverged';
    },
    next(now) {
      const retry = due.shift();
      if (retry) {
        dueInFlight.add(retry);
        return retry;
      }
      for (const track of [replay, live]) {
        const item = track?.next();
        if (item === undefined || item.notBefore > now) continue;
        track?.take();
        return item;
      }
      return undefined;
    },
    putBack(item) {
      if (dueInFlight.delete(item)) due.unshift(item);
      else trackOf(item)?.putBack(item);
    },
    succeeded(item) {
      const key = keyOfItem(item);
      const wasDue = dueInFlight.delete(item);
      if (!wasDue) trackOf(item)?.finish(item);
      const wasAhead = ahead.delete(key);
      if (wasDue || wasAhead) waiting -= 1;
      changed.delete(key);
      if (wasDue || wasAhead || item.attempts > 1)
        ended.set(key, { event_id: item.message.eventId, is_replay: item.isReplay });
    },
    failed(item, nextAt) {
      noteRetry(item, nextAt);
      if (dueInFlight.delete(item)) {
        retryAt = Math.min(retryAt ?? nextAt, nextAt);
        return;
      }
      if (row.ordered) {
        item.notBefore = nextAt;
        trackOf(item)?.putBack(item);
        return;
      }
      waiting += 1;
      trackOf(item)?.finish(item);
      retryAt = Math.min(retryAt ?? nextAt, nextAt);
    },
    get hasMore() {
      const isReplayRead = replay === undefined || replay.next() !== undefined || replay.size > 0;
      return hasMore || (!isReplayRead && !isFull());
    },
    dueAt() {
      if (isFull()) return retryAt;
      return earliest([retryAt, replay?.next()?.notBefore, live.next()?.notBefore, summaryAt()]);
    },
    progress() {
      const { seq, hash, previous, throttle } = live.finished();
      const progress = {
        cursor: { seq, hash },
        previous,
        throttle,
        replay:
          row.replay_from === null || replayTo === null
            ? null
            : { from: replay ? replay.finished().seq + 1 : row.replay_from, to: replayTo },
        summaryAt: dateOrNull(summaryAt()),
        retries: [...changed.values()],
        ended: [...ended.values()],
      };
      changed = new Map();
      ended = new Map();
      return progress;
    },
    restore(progress) {
      for (const retry of progress.retries)
        if (!changed.has(keyOf(retry)) && !ended.has(keyOf(retry))) changed.set(keyOf(retry), retry);
      for (const end of progress.ended) ended.set(keyOf(end), end);
    },
  };
}
