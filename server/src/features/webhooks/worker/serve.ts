import { findLastBefore, listEvents, listEventsAt } from '../../../ledger/read-events.js';
import { reader } from '../../../ledger/write.js';
import type { WebhookRow } from '../webhooks.store.js';
import { forget, MAX_EVENTS, MAX_EXAMINED, readAhead, readHead, readPage } from './chain.js';
import {
  disableWebhook,
  listDueRetries,
  listRetriesOf,
  type Round,
  releaseLease,
} from './deliveries.store.js';
import { type Chunk, plan, planReplay, planRetries, summaryAt, withRetries } from './plan.js';
import { isUnproven, MIN_LEASE_MS, sendAll } from './send.js';
import { type Node, record, reread, type Served, setBusy, signerOf } from './served.js';
import { settle } from './settle.js';

/** Retries that are sent together. */
const MAX_DUE = 8;
/** With more failed events than this, no new ones are read. */
const MAX_RETRIES = 1_000;
/** How often the lease is extended, at least. */
const RENEW_MS = 5_000;
/** The same while it waits for a slot. */
const SLOT_RENEW_MS = 10_000;
/** Time to begin requests in, before the lease must be extended. */
const MIN_WINDOW_MS = 2_000;
/** An idle webhook is kept for a while, because the next event may follow soon. */
const HOLD_MS = 2_000;
const MIN_WAIT_MS = 20;
const REREAD_MS = 50;
const DATABASE_RETRY_MS = 1_000;

type DisabledReason = NonNullable<WebhookRow['disabled_reason']>;
type Kind = 'retries' | 'replay' | 'live';

/** What a webhook does next. `changed`: it is read again. */
type Next =
  | 'changed'
  | 'again'
  | { readonly disable: DisabledReason }
  | { readonly kind: Kind; readonly chunk: Chunk }
  | { readonly dueAt: number | undefined };

/** Serves a webhook that this node has claimed, until it is idle, another node or the tenant has it, or the node stops. */
export async function serveWebhook(node: Node, served: Served): Promise<void> {
  while (!node.stopping.aborted) {
    try {
      if (!(await serveNext(node, served))) break;
    } catch (error) {
      const { clock, log } = node.deps;
      if (clock.now() >= served.leaseUntil) break;
      log.warn({ err: error, webhookId: served.row.id }, 'deliveries wait for the database');
      await served.changes.wait(DATABASE_RETRY_MS, node.stopping);
    }
  }
  const { scope } = served.chain;
  await record(node, served).catch((error: unknown) => {
    node.deps.log.warn({ err: error, webhookId: served.row.id }, 'progress could not be recorded');
  });
  await releaseLease(node.w, scope, served.row.id, node.id);
}

/** Returns false when the webhook is no longer to be served. */
async function serveNext(node: Node, served: Served): Promise<boolean> {
  const now = node.deps.clock.now();
  const isRenewed = now - served.recordedAt < RENEW_MS || (await record(node, served));
  const next = isRenewed ? await findNext(node, served, now) : 'changed';
  if (next === 'again') return true;
  if (next === 'changed') return readAgain(node, served);
  if ('dueAt' in next) return waitUntil(node, served, next.dueAt);
  served.idleSince = undefined;
  if ('disable' in next) return disable(node, served, next.disable);
  return deliver(node, served, next);
}

/** What was read of the chain may only be older than the webhook. If it differs again, the next try must not follow immediately. */
async function readAgain(node: Node, served: Served): Promise<boolean> {
  const { version } = served.row;
  forget(served.chain);
  if (!(await reread(node, served))) return false;
  if (served.row.version === version && served.isReadAgain)
    await served.changes.wait(REREAD_MS, node.stopping);
  served.isReadAgain = true;
  return true;
}

/** Retries that are due come first, then parts of a replay and of the chain in turn. */
async function findNext(node: Node, served: Served, now: number): Promise<Next> {
  const { row, chain } = served;
  served.wakes = chain.wakes;
  const { versions } = await readHead(chain);
  if (versions[row.id] !== row.version) return 'changed';
  served.isReadAgain = false;
  const retryAt = row.first_retry_at?.getTime();
  if (retryAt !== undefined && retryAt <= now) {
    const chunk = await readRetries(node, served, now);
    if (chunk === undefined) return { disable: 'chain_diverged' };
    if (chunk.deliveries.length > 0) return { kind: 'retries', chunk };
    // They keep their place in the chain.
    served.row = { ...row, first_retry_at: null };
  }
  if (!row.ordered && row.waiting >= MAX_RETRIES) return { dueAt: retryAt };
  const dueAt: number[] = retryAt !== undefined && retryAt > now ? [retryAt] : [];
  for (const kind of served.isReplayNext ? (['replay', 'live'] as const) : (['live', 'replay'] as const)) {
    if (kind === 'replay' && served.progress.replay === null) continue;
    const chunk = served[kind] ?? (await (kind === 'live' ? readLive : readReplay)(node, served, now));
    if (chunk === undefined) return { disable: 'chain_diverged' };
    served[kind] = chunk;
    const blockedUntil = chunk.deliveries[0]?.retry?.next_at.getTime() ?? 0;
    if (blockedUntil > now) dueAt.push(blockedUntil);
    else if (chunk.deliveries.length > 0) return { kind, chunk };
    else if (finishEmpty(served, kind, chunk)) return 'again';
  }
  const summary = summaryAt(served.progress);
  if (summary !== undefined) dueAt.push(summary);
  return { dueAt: dueAt.length > 0 ? Math.min(...dueAt) : undefined };
}

/** Moves on after a part without deliveries. Returns whether there may be more to read. */
function finishEmpty(served: Served, kind: 'live' | 'replay', { end }: Chunk): boolean {
  const before = served.progress;
  served.progress = { ...before, ...end };
  served[kind] = undefined;
  return kind === 'replay' || served.progress.cursor.seq > before.cursor.seq;
}

async function readRetries(
  { w, deps }: Node,
  { chain: { scope }, row, subscription }: Served,
  now: number,
): Promise<Chunk | undefined> {
  const rows = await listDueRetries(w, scope, row.id, new Date(now), MAX_DUE);
  const seqs = rows.flatMap(({ summary, seq }) => (summary === null ? [seq] : []));
  return planRetries(subscription, rows, await listEventsAt(reader(deps.db, scope), seqs));
}

async function readLive(node: Node, served: Served, now: number): Promise<Chunk | undefined> {
  const { chain, subscription, progress } = served;
  const page = await readPage(chain, progress.cursor, subscription.filter.types);
  return page && withFailed(node, served, plan(subscription, progress, page, now), false);
}

async function readReplay(node: Node, served: Served): Promise<Chunk> {
  const { chain, subscription, progress, row } = served;
  const { from, to } = progress.replay as NonNullable<typeof progress.replay>;
  const { filter } = subscription;
  const read = reader(node.deps.db, chain.scope);
  const examined = Math.min(to, from - 1 + MAX_EXAMINED);
  const rows = await listEvents(read, { after: from - 1, to: examined }, filter, MAX_EVENTS);
  const previous =
    rows.length > 0 && (await findLastBefore(read, { after: row.filter_since, before: from }, filter));
  const until = rows.length < MAX_EVENTS ? examined : (rows.at(-1)?.seq ?? examined);
  const chunk = planReplay(subscription, { rows, until, to }, previous || null);
  return withFailed(node, served, chunk, true);
}

async function withFailed({ w }: Node, served: Served, chunk: Chunk, isReplay: boolean): Promise<Chunk> {
  const { row, chain } = served;
  if (row.waiting === 0 || chunk.deliveries.length === 0) return chunk;
  const eventIds = chunk.deliveries.map(({ message }) => message.eventId);
  return withRetries(chunk, await listRetriesOf(w, chain.scope, row.id, { isReplay, eventIds }), row.ordered);
}

/** Waits for a change or a time. Returns false if the webhook was idle for long enough. */
async function waitUntil(node: Node, served: Served, dueAt = Number.POSITIVE_INFINITY): Promise<boolean> {
  const now = node.deps.clock.now();
  served.idleSince ??= now;
  const left = served.idleSince + HOLD_MS - now;
  if (left <= 0 && dueAt - now > HOLD_MS) return false;
  setBusy(node, served, false);
  const ms = Math.max(MIN_WAIT_MS, Math.min(left > 0 ? left : HOLD_MS, dueAt - now));
  if (await served.changes.wait(ms, node.stopping)) served.idleSince = undefined;
  setBusy(node, served, true);
  return true;
}

/** Sends a part of a chunk and records the result. */
async function deliver(
  node: Node,
  served: Served,
  { kind, chunk }: { kind: Kind; chunk: Chunk },
): Promise<boolean> {
  const { deps } = node;
  served.chain.foundAt = deps.clock.now();
  const signer = await signerOf(node, served);
  const slot = await waitForSlot(node, served);
  if (slot === undefined) return node.stopping.aborted || readAgain(node, served);
  const deliveries = chunk.deliveries.slice(0, served.row.ordered && kind !== 'retries' ? 1 : MAX_EVENTS);
  // While the node writes, what is read ahead would not be new enough.
  if (chunk.end.cursor && !deps.isWriting())
    readAhead(served.chain, chunk.end.cursor, served.subscription.filter.types);
  const outcomes = await sendAll(node, served, deliveries, { slot, signer });
  const {
    round,
    rest,
    disable: reason,
  } = settle(served.row, served.progress, chunk, outcomes, {
    now: deps.clock.now(),
    newId: deps.ids,
    jitter: () => deps.random.bytes(2).readUInt16BE() / 0xffff,
  });
  for (const { status } of round.attempts) node.onAttempt(status);
  if (kind !== 'retries') served[kind] = rest.deliveries.length > 0 ? rest : undefined;
  served.isReplayNext = kind === 'live';
  if (!(await recordWithin(node, served, round))) return readAgain(node, served);
  if (reason) return disable(node, served, reason);
  return round.retries.length + round.ended.length === 0 || reread(node, served);
}

/** Keeps the lease while other webhooks have all slots. Undefined if the webhook must be read again, or the node stops. */
async function waitForSlot(node: Node, served: Served): Promise<(() => void) | undefined> {
  const { deps, stopping, slots } = node;
  const waiting = new AbortController();
  const abort = () => waiting.abort();
  stopping.addEventListener('abort', abort, { once: true });
  const slot = slots.take(served.chain.scope.tenantId, isUnproven(served), waiting.signal);
  let isKept = false;
  try {
    while (await isLate(deps, slot)) if (!(await record(node, served))) return undefined;
    const isLong = served.leaseUntil - deps.clock.now() >= MIN_LEASE_MS + MIN_WINDOW_MS;
    isKept = isLong || (await record(node, served));
    return isKept ? await slot : undefined;
  } finally {
    stopping.removeEventListener('abort', abort);
    waiting.abort();
    if (!isKept) void slot.then((release) => release?.());
  }
}

function isLate({ timers }: Pick<Node['deps'], 'timers'>, slot: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = timers.after(SLOT_RENEW_MS, () => resolve(true));
    void slot.then(() => {
      cancel();
      resolve(false);
    });
  });
}

/** Records a round, as soon as the database lets it, until the lease ends. */
async function recordWithin(node: Node, served: Served, round: Round): Promise<boolean> {
  const { clock, log } = node.deps;
  for (;;) {
    try {
      return await record(node, served, round);
    } catch (error) {
      if (node.stopping.aborted || clock.now() >= served.leaseUntil) throw error;
      log.warn({ err: error, webhookId: served.row.id }, 'deliveries wait for the database');
      await served.changes.wait(DATABASE_RETRY_MS, node.stopping);
    }
  }
}

/** The event commits with the change. If a tenant was faster, nothing changes and the webhook is read again. */
async function disable(node: Node, served: Served, reason: DisabledReason): Promise<boolean> {
  const { write, log } = node.deps;
  const { row, chain } = served;
  const actor = { type: 'system', id: null } as const;
  const superseded = new Error('The webhook was changed at the same time');
  try {
    await write({ scope: chain.scope, actor, action: 'webhook.disabled' }, async (w) => {
      w.audit({ entityType: 'webhook', entityId: row.id, metadata: { reason } });
      const disabled = await w.mutate(disableWebhook(w, row, node.id, reason));
      if (disabled.length === 0) throw superseded;
    });
    return false;
  } catch (error) {
    if (error !== superseded) throw error;
    log.info({ webhookId: row.id }, superseded.message);
    return readAgain(node, served);
  }
}
