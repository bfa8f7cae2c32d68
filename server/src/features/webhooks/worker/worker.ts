import { setMaxListeners } from 'node:events';
import type { Deps, WebhookWorker } from '../../../http/deps.js';
import { createChangeSignal } from '../../../http/transport/sse.js';
import { chainName, type Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader } from '../../../ledger/write.js';
import type { Environment } from '../../../model/environment.js';
import { openSigner } from '../secrets.js';
import { findWebhook } from '../webhooks.store.js';
import { createChainReader } from './chain-reader.js';
import { claimWebhooks, endLeases, findActiveChains, recordAttempt } from './deliveries.store.js';
import { attemptOf, notSent, sendMessage, testMessage } from './message.js';
import { LEASE_MS, type ServeDeps, type Serving, serveWebhook } from './serve.js';
import { createSlots } from './slots.js';

/** Events of a busy chain are read this often at most. */
const PAUSE_MS = 50;
/** When other nodes serve all webhooks of a chain, they are not claimed more often than this. */
const CLAIM_PAUSE_MS = 250;
/** How long a test waits for a connection. */
const MAX_TEST_WAIT_MS = 15_000;
/** How long requests in flight may take after the node began to stop. */
const GRACE_MS = 3_000;

export type WorkerDeps = ServeDeps & Pick<Deps, 'bus' | 'metrics'>;

/** A chain with active webhooks. */
interface Chain {
  readonly scope: Scope;
  readonly reader: ReturnType<typeof createChainReader>;
  /** The webhooks of this chain that this node serves, with what wakes them. */
  readonly served: Map<string, () => void>;
  readonly stop: readonly (() => void)[];
  webhooks: number;
  wakes: number;
  /** A wake that waits, because the last one was a moment ago. */
  cancelWake: (() => void) | undefined;
  wokenAt: number;
  claimedNoneAt: number;
  /** `again`: another claim was asked for while it runs. */
  claiming: false | 'once' | 'again';
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one worker and its state
export function createWebhookWorker(deps: WorkerDeps): WebhookWorker {
  const { clock, timers, log } = deps;
  const w = unaudited(deps.db, 'webhook deliveries');
  const nodeId = deps.ids();
  const slots = createSlots();
  const chains = new Map<string, Chain>();
  const tasks = new Set<Promise<void>>();
  const stopping = new AbortController();
  const aborting = new AbortController();
  // Every webhook and request waits for them.
  setMaxListeners(0, stopping.signal, aborting.signal);
  const attempts: Record<string, number> = { succeeded: 0, failed: 0, abandoned: 0 };
  deps.metrics.counter(
    'svc_webhook_attempts_total',
    'Attempts to deliver an event to a webhook. `abandoned`: no other attempt follows.',
    () => attempts,
    'status',
  );
  let isSearching = false;
  /** Claims and webhooks that have something to do. */
  let busy = 0;
  let whenIdle: (() => void)[] = [];

  function work(by: 1 | -1): void {
    busy += by;
    if (busy === 0) setImmediate(reportIdle);
  }

  /** A webhook that was woken while it became idle is busy again by now. */
  function reportIdle(): void {
    if (busy > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  function chainOf(scope: Scope): Chain {
    const name = chainName(scope);
    let chain = chains.get(name);
    if (chain === undefined) {
      const created: Chain = {
        scope,
        reader: createChainReader(deps.db, scope),
        served: new Map(),
        stop: [
          deps.bus.subscribe('audit_chain', name, () => changed(created)),
          // A suspension appends to one chain of the account only.
          deps.bus.subscribe('tenant', scope.tenantId, () => changed(created)),
        ],
        webhooks: 0,
        wakes: 0,
        cancelWake: undefined,
        wokenAt: Number.NEGATIVE_INFINITY,
        claimedNoneAt: Number.NEGATIVE_INFINITY,
        claiming: false,
      };
      chain = created;
      chains.set(name, chain);
    }
    return chain;
  }

  function changed(chain: Chain): void {
    const early = chain.wokenAt + PAUSE_MS - clock.now();
    if (chain.cancelWake !== undefined || stopping.signal.aborted) return;
    if (early > 0 && early <= PAUSE_MS) {
      chain.cancelWake = timers.after(early, () => {
        chain.cancelWake = undefined;
        wakeChain(chain);
      });
    } else wakeChain(chain);
  }

  function wakeChain(chain: Chain): void {
    chain.wokenAt = clock.now();
    chain.wakes += 1;
    chain.reader.changed();
    for (const wakeTask of chain.served.values()) wakeTask();
    if (chain.served.size < chain.webhooks) claim(chain);
  }

  /** Claims what no node serves. */
  function claim(chain: Chain): void {
    const claiming = claimNow(chain).finally(() => tasks.delete(claiming));
    tasks.add(claiming);
  }

  async function claimNow(chain: Chain): Promise<void> {
    const now = clock.now();
    const isSoon = now - chain.claimedNoneAt < CLAIM_PAUSE_MS && now >= chain.claimedNoneAt;
    if (isSoon || stopping.signal.aborted) return;
    if (chain.claiming) {
      chain.claiming = 'again';
      return;
    }
    chain.claiming = 'once';
    work(1);
    try {
      const lease = { nodeId, now: new Date(now), until: new Date(now + LEASE_MS) };
      const rows = await claimWebhooks(w, chain.scope, lease, [...chain.served.keys()]);
      if (rows.length === 0) chain.claimedNoneAt = now;
      for (const row of rows) start(chain, row);
    } catch (err) {
      log.warn({ err }, 'webhooks could not be claimed');
    } finally {
      const isAsked = (chain.claiming as Chain['claiming']) === 'again';
      chain.claiming = false;
      if (isAsked) claim(chain);
      work(-1);
    }
  }

  function start(chain: Chain, row: Parameters<typeof serveWebhook>[2]): void {
    const changes = createChangeSignal(timers);
    let isBusy = true;
    /** Of the chain, when it was last read. */
    let wakes = chain.wakes;
    work(1);
    const onIdle = (isIdle: boolean) => {
      if (isBusy !== isIdle) return;
      isBusy = !isIdle;
      work(isIdle ? -1 : 1);
    };
    const serving: Serving = {
      scope: chain.scope,
      nodeId,
      w,
      chain: chain.reader,
      slots,
      changes,
      stopping: stopping.signal,
      aborting: aborting.signal,
      onRead: () => {
        wakes = chain.wakes;
      },
      onIdle,
      onAttempt: (status) => {
        attempts[status] = (attempts[status] ?? 0) + 1;
      },
    };
    chain.served.set(row.id, changes.set);
    const task = serveWebhook(deps, serving, row)
      .catch((err: unknown) => log.warn({ err, webhookId: row.id }, 'webhook is served again later'))
      .finally(() => {
        chain.served.delete(row.id);
        // Nobody needs what was read.
        if (chain.served.size === 0) chain.reader.changed();
        tasks.delete(task);
        // An event may have arrived while the lease was given back.
        if (chain.wakes !== wakes) claim(chain);
        onIdle(true);
      });
    tasks.add(task);
  }

  return {
    async search() {
      if (!isSearching && deps.db.kind === 'embedded') await endLeases(w);
      isSearching = true;
      const active = await findActiveChains(w, new Date(clock.now()));
      const found = new Set<string>();
      for (const { tenant_id: tenantId, environment, webhooks, due } of active) {
        const scope = { tenantId, environment: environment as Environment };
        const chain = chainOf(scope);
        found.add(chainName(scope));
        chain.webhooks = webhooks;
        if (due) claim(chain);
      }
      for (const [name, chain] of chains) {
        if (found.has(name) || chain.served.size > 0 || chain.claiming) continue;
        for (const stop of chain.stop) stop();
        chain.cancelWake?.();
        chains.delete(name);
      }
    },
    wake(scope) {
      if (!isSearching) return;
      const chain = chainOf(scope);
      chain.webhooks += 1;
      chain.claimedNoneAt = Number.NEGATIVE_INFINITY;
      changed(chain);
    },
    async test(scope, webhookId) {
      const webhook = await findWebhook(reader(deps.db, scope), webhookId);
      if (webhook === undefined) return undefined;
      const eventId = deps.ids();
      const message = testMessage({ id: webhookId, ...scope }, eventId, clock.now());
      const signer = await openSigner(deps.sealer, scope, webhook, clock.now());
      const waiting = new AbortController();
      const cancel = timers.after(MAX_TEST_WAIT_MS, () => waiting.abort());
      const release = await slots.take(scope.tenantId, true, waiting.signal);
      cancel();
      try {
        const options = { url: webhook.url, signer, isReplay: false, signal: aborting.signal };
        const outcome = release ? await sendMessage(deps, message, options) : notSent(clock.now());
        const attempt = attemptOf(deps.ids(), message, outcome, { attempt: 1, isReplay: false });
        await recordAttempt(w, scope, webhookId, attempt);
        return attempt.id;
      } finally {
        release?.();
      }
    },
    idle: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve);
        if (busy === 0) setImmediate(reportIdle);
      }),
    async close() {
      stopping.abort();
      for (const chain of chains.values()) {
        for (const stop of chain.stop) stop();
        chain.cancelWake?.();
      }
      const cancel = timers.after(GRACE_MS, () => aborting.abort());
      while (tasks.size > 0) await Promise.all(tasks);
      cancel();
    },
  };
}
