import type { AuditEventRow, EventFilter } from '../../../ledger/read-events.js';
import { selects, selectTypes } from '../../events/events.js';
import type { WebhookRow } from '../webhooks.store.js';
import type { Progress, RetryRow } from './deliveries.store.js';
import { eventMessage, type Message, type Position, type Recipient, summaryMessage } from './message.js';
import {
  countEvent,
  endOf,
  isOver,
  type Summary,
  summariesOf,
  type Throttle,
  withoutType,
} from './throttle.js';

/** Clocks of nodes may differ a little, so a minute ends a little later. */
const MINUTE_MARGIN_MS = 5_000;

/** A message on its way. */
export interface Delivery {
  readonly message: Message;
  readonly previous: Position | null;
  readonly summary: Summary | null;
  readonly isReplay: boolean;
  /** Earlier attempts, if the last one failed. */
  readonly retry: Pick<RetryRow, 'attempts' | 'first_at' | 'next_at'> | null;
  /** The progress that is recorded while this delivery is not finished. What it leaves out does not change. */
  readonly before: Partial<Progress>;
}

/** Deliveries in order, and the progress after the last of them. */
export interface Chunk {
  readonly deliveries: readonly Delivery[];
  readonly end: Partial<Progress>;
}

/** What a webhook is sent. */
export interface Subscription {
  readonly recipient: Recipient;
  readonly filter: EventFilter;
  /** Floods are summed up. */
  readonly throttles: boolean;
}

export const subscriptionOf = (
  row: Pick<WebhookRow, 'id' | 'events' | 'outcome' | 'ordered' | 'throttled'>,
  scope: Omit<Recipient, 'id'>,
): Subscription => ({
  recipient: { id: row.id, tenantId: scope.tenantId, environment: scope.environment },
  filter: { types: selectTypes(row.events), outcome: row.outcome, webhookId: row.id },
  throttles: !row.ordered && row.throttled,
});

/** A part of the chain. Events that no webhook of this node selects may be left out. */
export interface Page {
  readonly rows: readonly AuditEventRow[];
  /** The last event of the part. */
  readonly until: Position;
  readonly isAtHead: boolean;
}

/** The messages of a part of the chain. The result is the same however the chain is cut into parts. */
export function plan(subscription: Subscription, from: Progress, page: Page, now: number): Chunk {
  const { recipient, filter, throttles } = subscription;
  const deliveries: Delivery[] = [];
  // The webhook may have been throttled until now.
  let at = throttles ? from : addSummaries(recipient, from, deliveries);
  for (const event of page.rows) {
    if (event.seq <= from.cursor.seq || !selects(filter, event)) continue;
    at = { ...at, cursor: { seq: event.seq - 1, hash: event.prev_hash } };
    const counted = throttles ? countEvent(at.throttle, event) : undefined;
    if (counted && counted.summaries.length > 0) at = addSummaries(recipient, at, deliveries);
    if (!counted?.isSummed)
      deliveries.push(newDelivery(eventMessage(event, recipient.tenantId, at.previous), at));
    const position = { seq: event.seq, hash: event.hash };
    at = { ...at, cursor: position, previous: position, throttle: counted?.throttle ?? null };
  }
  if (page.until.seq > at.cursor.seq) at = { ...at, cursor: page.until };
  if (page.isAtHead && isOver(at.throttle, now - MINUTE_MARGIN_MS))
    at = addSummaries(recipient, at, deliveries);
  return { deliveries, end: withoutReplay(at) };
}

/** Each summary that is finished leaves the state, so a node that starts again makes the others. */
function addSummaries(recipient: Recipient, from: Progress, deliveries: Delivery[]): Progress {
  let at = from;
  for (const summary of summariesOf(from.throttle)) {
    deliveries.push(newDelivery(summaryMessage(recipient, summary, at.previous), at, summary));
    at = { ...at, throttle: withoutType(at.throttle as Throttle, summary.type) };
  }
  return { ...at, throttle: null };
}

const newDelivery = (message: Message, at: Progress, summary: Summary | null = null): Delivery => ({
  message,
  previous: at.previous,
  summary,
  isReplay: false,
  retry: null,
  before: withoutReplay(at),
});

const withoutReplay = ({ cursor, previous, throttle }: Progress) => ({ cursor, previous, throttle });

/** The messages of a part of a replay: events that the webhook selects, up to `until`. */
export function planReplay(
  { recipient }: Subscription,
  { rows, until, to }: { rows: readonly AuditEventRow[]; until: number; to: number },
  previous: Position | null,
): Chunk {
  const deliveries = rows.map((event, index): Delivery => {
    const before = rows[index - 1];
    const own = before ? { seq: before.seq, hash: before.hash } : previous;
    return {
      message: eventMessage(event, recipient.tenantId, own),
      previous: own,
      summary: null,
      isReplay: true,
      retry: null,
      before: { replay: { from: event.seq, to } },
    };
  });
  return { deliveries, end: { replay: until >= to ? null : { from: until + 1, to } } };
}

/** The messages of rows in `webhook_retries`. Undefined if one of the events is another one now. */
export function planRetries(
  { recipient }: Subscription,
  rows: readonly RetryRow[],
  events: ReadonlyMap<number, AuditEventRow>,
): Chunk | undefined {
  const deliveries: Delivery[] = [];
  for (const retry of rows) {
    const { previous_seq: seq, previous_hash: hash, summary, is_replay: isReplay } = retry;
    const previous = seq === null ? null : { seq, hash: hash as string };
    const event = events.get(retry.seq);
    if (summary === null && event?.id !== retry.event_id) return undefined;
    const message = summary
      ? summaryMessage(recipient, summary, previous)
      : eventMessage(event as AuditEventRow, recipient.tenantId, previous);
    deliveries.push({ message, previous, summary, isReplay, retry, before: {} });
  }
  return { deliveries, end: {} };
}

/**
 * Failed events that are read again, because the cursor stands before them. They keep their place in an ordered webhook. Otherwise they
 * are left out: they are sent when they are due.
 */
export function withRetries(chunk: Chunk, rows: readonly RetryRow[], ordered: boolean): Chunk {
  const byId = new Map(rows.map((row) => [row.event_id, row]));
  const deliveries = ordered
    ? chunk.deliveries.map((delivery) => ({
        ...delivery,
        retry: byId.get(delivery.message.eventId) ?? null,
      }))
    : chunk.deliveries.filter(({ message }) => !byId.has(message.eventId));
  return { ...chunk, deliveries };
}

/** When the events of the current minute are summed up, in Unix milliseconds. */
export const summaryAt = ({ throttle }: Pick<Progress, 'throttle'>): number | undefined =>
  throttle && summariesOf(throttle).length > 0 ? endOf(throttle) + MINUTE_MARGIN_MS : undefined;
