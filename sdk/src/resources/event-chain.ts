import { hashOfEvent } from '../codecs/audit-chain.js';
import type { EventData } from '../codecs/webhook-event.js';
import type { Event } from '../generated/api.js';
import { SvcError, type SvcErrorFacts } from '../transport/errors.js';

/**
 * What is wrong with an event of the feed:
 *
 * - `event_missing`: events before it are missing
 * - `order_wrong`: it was read before
 * - `link_broken`: it does not follow the event before it
 * - `hash_wrong`: its content was changed
 * - `chain_diverged`: the event that was read last is not in the chain any more, for example after an old backup was restored
 */
export type EventFault = 'event_missing' | 'order_wrong' | 'link_broken' | 'hash_wrong' | 'chain_diverged';

const MESSAGES: Readonly<Record<EventFault, string>> = {
  event_missing: 'Events before it are missing.',
  order_wrong: 'It was read before.',
  link_broken: 'It does not follow the event before it.',
  hash_wrong: 'Its content does not have its hash.',
  chain_diverged: 'The event that was read last is not in the chain any more.',
};

/** The feed does not continue the events that were read. Events before the faulty one were checked and passed on. */
export class EventGapError extends SvcError {
  override readonly name = 'EventGapError';
  /** The event that had to follow. */
  readonly expectedSeq: number;
  /** The event that came instead; undefined if none did. */
  readonly seq: number | undefined;
  readonly reason: EventFault;

  constructor(
    reason: EventFault,
    { expectedSeq, seq }: { readonly expectedSeq: number; readonly seq?: number | undefined },
    facts?: SvcErrorFacts,
  ) {
    const where =
      seq === undefined
        ? `Event ${expectedSeq} was expected.`
        : `Event ${seq}, where ${expectedSeq} was expected:`;
    super('event_gap', `${where} ${MESSAGES[reason]} Do not continue before you know why.`, facts);
    this.expectedSeq = expectedSeq;
    this.seq = seq;
    this.reason = reason;
  }
}

/** Digits of a hash in a position. */
const HASH_DIGITS = 16;

/** Where a reader continues: `after` of the next request. With the hash, the service checks that the chain still has that event. */
export const positionOf = ({ seq, hash }: Pick<Event, 'seq' | 'hash'>): string =>
  `${seq}.${hash.slice(0, HASH_DIGITS)}`;

/** @internal The last event that was read: its number and the beginning of its hash, if it is known. */
export interface Position {
  readonly seq: number;
  readonly hash: string | undefined;
}

/** @internal @throws SvcError `invalid_options` */
export function readPosition(after: string | number = 0): Position {
  const [, seq, hash] = /^(0|[1-9][0-9]{0,14})(?:\.([0-9a-f]{16}))?$/.exec(String(after)) ?? [];
  if (seq !== undefined) return { seq: Number(seq), hash };
  throw new SvcError(
    'invalid_options',
    'after is not a position. Pass the seq of an event, or the result of positionOf(event).',
  );
}

/** @internal The service's `chain_diverged`, as an error of the feed. */
export const divergence = (error: SvcError, { seq }: Position): EventGapError =>
  new EventGapError('chain_diverged', { expectedSeq: seq + 1 }, { ...error, cause: error });

/** Whether the content of an event has its `hash`: an event of the feed, or the `data` of a delivery. */
export async function verifyEventHash(event: Event | EventData<string>): Promise<boolean> {
  const { tenantId: _, previousSeq: __, previousHash: ___, ...own } = event as EventData<string>;
  const { type, timestamp, ...audited } = own;
  const isSame = type === event.action && timestamp === event.createdAt;
  return isSame && (await hashOfEvent(audited)) === event.hash;
}

/** @internal The fault of an event after a position. Without `isWhole`, events of other types may lie between them. */
export async function faultOf(
  event: Event,
  last: Position,
  isWhole: boolean,
): Promise<EventFault | undefined> {
  const { type, timestamp, ...audited } = event;
  if (event.seq <= last.seq) return 'order_wrong';
  if (isWhole && event.seq !== last.seq + 1) return 'event_missing';
  const isNext = event.seq === last.seq + 1;
  if (isNext && last.hash !== undefined && !event.prevHash.startsWith(last.hash)) return 'link_broken';
  const isSame = type === event.action && timestamp === event.createdAt;
  return isSame && (await hashOfEvent(audited)) === event.hash ? undefined : 'hash_wrong';
}
