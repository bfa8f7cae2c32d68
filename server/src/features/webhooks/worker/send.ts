import type { Signer } from '../secrets.js';
import { type Outcome, sendMessage } from './message.js';
import type { Delivery } from './plan.js';
import type { Node, Served } from './served.js';
import { isGone, isOverloaded } from './settle.js';

/** A request may take 15 seconds, and no other node may serve the webhook before it has ended. */
export const MIN_LEASE_MS = 16_000;
const MAX_IN_FLIGHT = 8;
const YIELD_MS = 10;
const MAX_YIELD_MS = 250;
const SLOW_DOWN_MS = 60_000;

type Release = () => void;

/** Deliveries on their way. They begin in order. */
interface Sending {
  readonly deliveries: readonly Delivery[];
  readonly outcomes: (Outcome | undefined)[];
  readonly signer: Signer;
  /** Aborted when no other request may begin. */
  readonly end: AbortController;
  /** Deliveries for which a slot was asked, and those that have begun. */
  asked: number;
  begun: number;
  /** The receiver did not accept its last delivery. */
  isUnproven: boolean;
}

export const isUnproven = ({ row }: Served): boolean =>
  row.consecutive_failures > 0 || row.last_success_at === null;

/**
 * Sends deliveries, with a slot for the first one: up to 8 at a time, but one after another until a receiver that failed accepts one.
 * Requests begin only while the lease outlasts them. The result has an outcome for each delivery that was sent.
 */
export async function sendAll(
  node: Node,
  served: Served,
  deliveries: readonly Delivery[],
  { slot, signer }: { readonly slot: Release; readonly signer: Signer },
): Promise<(Outcome | undefined)[]> {
  const { clock, timers } = node.deps;
  const sending: Sending = {
    deliveries,
    outcomes: [],
    signer,
    end: new AbortController(),
    asked: 1,
    begun: 0,
    isUnproven: isUnproven(served),
  };
  const end = () => sending.end.abort();
  const cancel = timers.after(served.leaseUntil - MIN_LEASE_MS - clock.now(), end);
  node.stopping.addEventListener('abort', end, { once: true });
  try {
    const { isUnproven: isProbed } = sending;
    if (isProbed) await sendSome(node, served, sending, { lane: 0, slot, isProbe: true });
    const lanes = Array.from({ length: Math.min(MAX_IN_FLIGHT, deliveries.length) }, (_, lane) =>
      sendSome(node, served, sending, { lane, slot: lane > 0 || isProbed ? undefined : slot }),
    );
    await Promise.all(lanes);
  } finally {
    cancel();
    node.stopping.removeEventListener('abort', end);
  }
  return sending.outcomes;
}

/** Sends one delivery after another. `isProbe`: only until one is accepted. */
async function sendSome(
  node: Node,
  served: Served,
  sending: Sending,
  { lane, slot, isProbe = false }: { lane: number; slot: Release | undefined; isProbe?: boolean },
): Promise<void> {
  let release = slot;
  for (;;) {
    release ??= await nextSlot(node, served, sending, lane);
    if (release === undefined) return;
    try {
      await yieldToWrites(node);
      const index = sending.begun;
      const delivery = sending.deliveries[index];
      const isLeased = node.deps.clock.now() <= served.leaseUntil - MIN_LEASE_MS;
      if (sending.end.signal.aborted || !isLeased || delivery === undefined) return;
      sending.begun += 1;
      const outcome = await send(node, served, sending, delivery);
      if (outcome === undefined) return sending.end.abort();
      sending.outcomes[index] = outcome;
      if (outcome.errorCode === null) sending.isUnproven = false;
      if (isGone(outcome)) sending.end.abort();
      if (isOverloaded(outcome)) served.slowUntil = node.deps.clock.now() + SLOW_DOWN_MS;
      if (isProbe && !sending.isUnproven) return;
    } finally {
      release();
      release = undefined;
    }
  }
}

/** A slot for the next delivery. Undefined if there is none, or it may not begin. */
async function nextSlot(
  { slots, deps }: Node,
  served: Served,
  sending: Sending,
  lane: number,
): Promise<Release | undefined> {
  const isSlow = deps.clock.now() < served.slowUntil;
  if (sending.asked >= sending.deliveries.length || (isSlow && lane >= MAX_IN_FLIGHT / 2)) return undefined;
  sending.asked += 1;
  return slots.take(served.chain.scope.tenantId, sending.isUnproven, sending.end.signal);
}

/** Undefined if the node ended the request. */
async function send(
  { deps, aborting }: Node,
  { row }: Served,
  { signer }: Sending,
  { message, isReplay }: Delivery,
): Promise<Outcome | undefined> {
  const outcome = await sendMessage(deps, message, { url: row.url, signer, isReplay, signal: aborting });
  return aborting.aborted && outcome.errorCode !== null ? undefined : outcome;
}

/** Lets the writes of this node go first, for a short while. Each delivery keeps its connection, so few of them wait. */
async function yieldToWrites({ deps: { isWriting, timers } }: Node): Promise<void> {
  for (let waited = 0; waited < MAX_YIELD_MS && isWriting(); waited += YIELD_MS)
    await new Promise<void>((resolve) => void timers.after(YIELD_MS, resolve));
}
