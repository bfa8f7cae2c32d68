import type { Deps } from '../../../http/deps.js';
import type { ChangeSignal } from '../../../http/transport/sse.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { openSigner, type Signer } from '../secrets.js';
import type { AttemptRow, WebhookRow } from '../webhooks.store.js';
import { nextAttemptAt, readRetryAfter } from './backoff.js';
import type { ChainReader } from './chain-reader.js';
import * as store from './deliveries.store.js';
import { attemptOf, type Outcome, sendMessage } from './message.js';
import type { Slots } from './slots.js';
import { createSource } from './source.js';
import type { Item } from './track.js';

export const LEASE_MS = 20_000;
/** A request may take 15 seconds, and no other node may serve the webhook before it has ended. */
const MIN_LEASE_MS = 16_000;
/** How often the lease is extended. */
const RECORD_MS = 3_000;
/** How long results wait for others, so that one statement records them. */
const COLLECT_MS = 50;
const MAX_COLLECTED = 100;
/** An idle webhook is kept for a while, because the next event may follow soon. */
const HOLD_MS = 2_000;
const DATABASE_RETRY_MS = 1_000;
const MAX_IN_FLIGHT = 8;
const SLOW_DOWN_MS = 60_000;
const MIN_WAIT_MS = 20;
const YIELD_MS = 10;
const MAX_YIELD_MS = 250;
/** Responses by which a receiver says that it has too much to do. */
const OVERLOADED: ReadonlySet<number | null> = new Set([429, 502, 504]);

export type ServeDeps = Pick<
  Deps,
  'db' | 'clock' | 'timers' | 'ids' | 'isWriting' | 'log' | 'random' | 'sealer' | 'outbound' | 'write'
>;

export interface Serving {
  readonly scope: Scope;
  readonly nodeId: string;
  readonly w: store.DeliveryWrite;
  readonly chain: ChainReader;
  readonly slots: Slots;
  /** Set when the chain may have changed. */
  readonly changes: ChangeSignal;
  /** Aborted when nothing more is to be sent. */
  readonly stopping: AbortSignal;
  /** Aborted when requests in flight must end. */
  readonly aborting: AbortSignal;
  /** Called before the chain is read. */
  onRead(): void;
  onIdle(isIdle: boolean): void;
  onAttempt(status: AttemptRow['status']): void;
}

type DisabledReason = NonNullable<WebhookRow['disabled_reason']>;
/** Why a webhook is no longer served as it was read. */
type End = 'changed' | 'released' | 'lost' | { readonly disable: DisabledReason };

/** Serves a webhook that this node has claimed, until it is idle, another node or the tenant has it, or the node stops. */
export async function serveWebhook(
  deps: ServeDeps,
  serving: Serving,
  claimed: store.ServedRow,
): Promise<void> {
  const { scope, nodeId, w } = serving;
  let row: store.ServedRow | undefined = claimed;
  while (row !== undefined) {
    const end = await serveVersion(deps, serving, row);
    const isSuperseded = typeof end === 'object' && !(await disable(deps, serving, row, end.disable));
    if (end !== 'changed' && !isSuperseded) break;
    serving.chain.changed();
    const version: number = row.version;
    row = await store.readServed(w, scope, row.id, nodeId);
    // Should what was read of the chain still be older, the next try must not follow immediately.
    if (row?.version === version)
      await new Promise<void>((resolve) => void deps.timers.after(COLLECT_MS, resolve));
  }
  await store.releaseLease(w, scope, claimed.id, nodeId);
}

/** The event commits with the change. Returns false, and changes nothing, if a tenant was faster. */
async function disable(
  { write, log }: ServeDeps,
  { scope, nodeId }: Serving,
  row: store.ServedRow,
  reason: DisabledReason,
): Promise<boolean> {
  const actor = { type: 'system', id: null } as const;
  const superseded = new Error('The webhook was changed at the same time');
  try {
    await write({ scope, actor, action: 'webhook.disabled' }, async (w) => {
      w.audit({ entityType: 'webhook', entityId: row.id, metadata: { reason } });
      const disabled = await w.mutate(store.disableWebhook(w, row, nodeId, reason));
      if (disabled.length === 0) throw superseded;
    });
    return true;
  } catch (error) {
    if (error !== superseded) throw error;
    log.info({ webhookId: row.id }, superseded.message);
    return false;
  }
}

/** Lets the writes of this node go first, for a short while. Each delivery keeps its connection, so few of them wait. */
async function yieldToWrites({ isWriting, timers }: ServeDeps): Promise<void> {
  for (let waited = 0; waited < MAX_YIELD_MS && isWriting(); waited += YIELD_MS)
    await new Promise<void>((resolve) => void timers.after(YIELD_MS, resolve));
}

/** Serves the webhook as it was read. The loop has one round for each change: of the chain, of a request, or of the time. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one loop and its state
async function serveVersion(deps: ServeDeps, serving: Serving, row: store.ServedRow): Promise<End> {
  const { clock, log, sealer } = deps;
  const { scope, nodeId, w, changes, stopping, aborting } = serving;
  const signerUntil = row.previous_secret_until?.getTime() ?? 0;
  let signer: Signer | undefined;
  const source = await createSource({ db: deps.db, w, scope, row, chain: serving.chain });
  let leaseUntil = row.lease_until.getTime();
  let recordedAt = clock.now();
  let recordedCursor = { seq: row.cursor_seq, hash: row.cursor_hash };
  let attempts: AttemptRow[] = [];
  let lastSuccessAt = row.last_success_at;
  let lastFailureAt = row.last_failure_at;
  let failures = row.consecutive_failures;
  let slowUntil = 0;
  let inFlight = 0;
  let end: End | undefined;

  const limit = (now: number) => {
    if (row.ordered) return 1;
    return now < slowUntil ? MAX_IN_FLIGHT / 2 : MAX_IN_FLIGHT;
  };

  async function signerAt(now: number): Promise<Signer> {
    if (signer === undefined || (signer.secrets.length > 1 && now >= signerUntil))
      signer = await openSigner(sealer, scope, row, now);
    return signer;
  }

  function settle(item: Item, outcome: Outcome): void {
    const now = clock.now();
    const { at, httpStatus, errorCode } = outcome;
    item.attempts += 1;
    if (item.firstAt === 0) item.firstAt = at;
    let nextAt: number | undefined;
    if (errorCode === null) {
      lastSuccessAt = new Date(at);
      failures = 0;
      source.succeeded(item);
    } else {
      lastFailureAt = new Date(at);
      failures += 1;
      const retryAfterMs = readRetryAfter(outcome.retryAfter, now);
      const jitter = deps.random.bytes(2).readUInt16BE() / 0xffff;
      const { attempts: made, firstAt } = item;
      nextAt = nextAttemptAt({ attempts: made, firstAt, now, retryAfterMs, jitter, ordered: row.ordered });
      if (httpStatus === 410) end ??= { disable: 'gone' };
      else if (nextAt === undefined) end ??= { disable: 'failing' };
      if (OVERLOADED.has(httpStatus)) slowUntil = now + SLOW_DOWN_MS;
      source.failed(item, nextAt ?? now);
    }
    const attempt = attemptOf(deps.ids(), item.message, outcome, {
      attempt: item.attempts,
      isReplay: item.isReplay,
      nextAt,
    });
    serving.onAttempt(attempt.status);
    attempts.push(attempt);
  }

  async function send(item: Item): Promise<void> {
    const release = await serving.slots.take(
      scope.tenantId,
      failures > 0 || lastSuccessAt === null,
      stopping,
    );
    try {
      await yieldToWrites(deps);
      const now = clock.now();
      if (release === undefined || end !== undefined || leaseUntil - now < MIN_LEASE_MS) {
        source.putBack(item);
        return;
      }
      const options = {
        url: row.url,
        signer: await signerAt(now),
        isReplay: item.isReplay,
        signal: aborting,
      };
      const outcome = await sendMessage(deps, item.message, options);
      if (aborting.aborted && outcome.errorCode !== null) source.putBack(item);
      else settle(item, outcome);
    } finally {
      release?.();
      inFlight -= 1;
      changes.set();
    }
  }

  /** Returns false if the lease is lost or the tenant changed the webhook. */
  async function record(now: number): Promise<boolean> {
    const recorded = attempts;
    attempts = [];
    const progress = source.progress();
    const until = new Date(now + LEASE_MS);
    try {
      const version = await store.recordProgress(
        w,
        scope,
        { nodeId, now: new Date(now), until },
        {
          served: row,
          recorded: recordedCursor,
          ...progress,
          lastSuccessAt,
          lastFailureAt,
          consecutiveFailures: failures,
          attempts: recorded,
        },
      );
      leaseUntil = until.getTime();
      recordedAt = now;
      if (version === undefined) source.restore(progress);
      else recordedCursor = progress.cursor;
      return version === row.version;
    } catch (error) {
      attempts = [...recorded, ...attempts];
      source.restore(progress);
      throw error;
    }
  }

  const isRecordDue = (now: number) =>
    attempts.length >= MAX_COLLECTED ||
    (attempts.length > 0 &&
      (inFlight === 0 || now - (attempts[0] as AttemptRow).at.getTime() >= COLLECT_MS)) ||
    now - recordedAt >= RECORD_MS;

  function start(item: Item): void {
    inFlight += 1;
    send(item).catch((error: unknown) => {
      log.error({ err: error, webhookId: row.id }, 'delivery failed unexpectedly');
      end ??= 'lost';
    });
  }

  /** One round. Returns how long to wait for the next; 0 for not at all. */
  async function round(): Promise<number> {
    const now = clock.now();
    if (isRecordDue(now) && !(await record(now))) end ??= 'changed';
    if (end !== undefined || stopping.aborted) return COLLECT_MS;
    serving.onRead();
    const filled = await source.fill(now);
    if (filled === 'diverged') end = { disable: 'chain_diverged' };
    if (filled === 'changed') end = 'changed';
    if (end !== undefined) return 0;
    while (leaseUntil - now >= MIN_LEASE_MS && inFlight < limit(now)) {
      const item = source.next(now);
      if (item === undefined) break;
      start(item);
    }
    if (inFlight > 0) return attempts.length > 0 ? COLLECT_MS : RECORD_MS;
    return source.hasMore ? 0 : Number.POSITIVE_INFINITY;
  }

  let idleSince: number | undefined;
  for (;;) {
    let wait: number;
    try {
      wait = await round();
    } catch (error) {
      if (clock.now() >= leaseUntil && inFlight === 0) return 'lost';
      log.warn({ err: error, webhookId: row.id }, 'deliveries wait for the database');
      wait = DATABASE_RETRY_MS;
    }
    if (inFlight === 0 && (end !== undefined || stopping.aborted)) break;
    if (wait === 0) {
      idleSince = undefined;
      continue;
    }
    if (Number.isFinite(wait)) idleSince = undefined;
    else {
      const now = clock.now();
      idleSince ??= now;
      const dueIn = (source.dueAt() ?? Number.POSITIVE_INFINITY) - now;
      const left = idleSince + HOLD_MS - now;
      if (left <= 0 && dueIn > HOLD_MS) break;
      wait = Math.max(MIN_WAIT_MS, Math.min(left > 0 ? left : HOLD_MS, dueIn));
      serving.onIdle(true);
    }
    const wasSet = await changes.wait(wait, inFlight > 0 ? aborting : stopping);
    serving.onIdle(false);
    if (wasSet && idleSince !== undefined) idleSince = undefined;
  }
  await record(clock.now()).catch((error: unknown) => {
    log.warn({ err: error, webhookId: row.id }, 'deliveries could not be recorded and are repeated');
  });
  return end ?? 'released';
}
