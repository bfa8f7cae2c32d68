import type { AuditEventRow } from '../../../ledger/read-events.js';

const MINUTE_MS = 60_000;
/** Events of one type that anyone can cause and that are delivered one by one in a minute. */
const MAX_EACH = 60;

/** Types of which anyone can cause any number of failures. Those that a person should hear of are never summed up. */
const FAILURES: ReadonlySet<string> = new Set([
  'identity.verify',
  'zkp.verify',
  'pairing.submit',
  'pairing.binding_rejected',
  'pairing.integrity_rejected',
  'saml.verify',
  'oidc.verify',
]);

/** Events of one type in the current minute, and those of them that are not delivered one by one. */
interface Count {
  readonly count: number;
  readonly summary?: { readonly fromSeq: number; readonly toSeq: number; readonly count: number };
}

/** The state after an event, as it is stored with the cursor. `minute` is in minutes since 1970, by the time of the events. */
export interface Throttle {
  readonly minute: number;
  readonly types: Readonly<Record<string, Count>>;
}

/** The data of `events.throttled`. */
export interface Summary {
  readonly type: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
  /** When the minute ended. */
  readonly at: string;
}

type ThrottledEvent = Pick<
  AuditEventRow,
  'seq' | 'actor_type' | 'action' | 'status' | 'created_at' | 'metadata'
>;

/** Whether somebody without a credential can cause the event, and so any number of them. */
export function canAnyoneCause({ actor_type: actor, action, status, metadata }: ThrottledEvent): boolean {
  // A sign-in page opened it, and anyone can open those.
  if (action === 'pairing.session_created') return actor === 'system';
  if (action === 'pairing.declined') return metadata.proved === false;
  return status === 'failure' && FAILURES.has(action);
}

export const summariesOf = (throttle: Throttle | null): Summary[] =>
  Object.entries(throttle?.types ?? {}).flatMap(([type, { summary }]) =>
    summary ? [{ type, ...summary, at: new Date(endOf(throttle as Throttle)).toISOString() }] : [],
  );

/** When the minute of the state ends, in Unix milliseconds. */
export const endOf = ({ minute }: Throttle): number => (minute + 1) * MINUTE_MS;

/** The state without one type. */
export function withoutType(throttle: Throttle, type: string): Throttle {
  const { [type]: _, ...types } = throttle.types;
  return { ...throttle, types };
}

/** The minute of the state is over, so its summaries can be sent. */
export const isOver = (throttle: Throttle | null, now: number): boolean =>
  throttle !== null && Math.floor(now / MINUTE_MS) > throttle.minute;

export interface Throttled {
  readonly throttle: Throttle | null;
  /** The event is only counted. */
  readonly isSummed: boolean;
  /** What the event's minute ended. */
  readonly summaries: readonly Summary[];
}

/** Counts the next event of the chain. The result depends on the events alone, so a node that starts again decides the same. */
export function countEvent(throttle: Throttle | null, event: ThrottledEvent): Throttled {
  const { seq, action, created_at: at } = event;
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const isOld = throttle !== null && throttle.minute < minute;
  const summaries = isOld ? summariesOf(throttle) : [];
  const current = isOld ? null : throttle;
  if (!canAnyoneCause(event)) return { throttle: current, isSummed: false, summaries };
  const before = current?.types[action] ?? { count: 0 };
  const count = before.count + 1;
  const isSummed = count > MAX_EACH;
  const { fromSeq = seq, count: summed = 0 } = before.summary ?? {};
  const next: Count = isSummed ? { count, summary: { fromSeq, toSeq: seq, count: summed + 1 } } : { count };
  return {
    throttle: { minute, types: { ...current?.types, [action]: next } },
    isSummed,
    summaries,
  };
}
