import { setMaxListeners } from 'node:events';
import { createSlots } from '../../../base/concurrency/slots.js';
import type { Deps, WebhookWorker } from '../../../http/deps.js';
import { createChangeSignal } from '../../../http/transport/sse.js';
import { chainName, type Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader } from '../../../ledger/write.js';
import { openSigner } from '../secrets.js';
import { findWebhook } from '../webhooks.store.js';
import { type Chain, createChain, forget } from './chain.js';
import {
  claimWebhooks,
  endLeases,
  findActiveChains,
  recordAttempt,
  type ServedRow,
} from './deliveries.store.js';
import { attemptOf, notSent, sendMessage, testMessage } from './message.js';
import { serveWebhook } from './serve.js';
import { createServed, LEASE_MS, type Node, setBusy } from './served.js';

/** Connections of a node, and of one tenant. */
const MAX_SLOTS = 64;
const MAX_TENANT_SLOTS = 8;
/** Events of a busy chain are read this often at most. */
const PAUSE_MS = 50;
/** The same while no webhook selects them and the node writes. */
const QUIET_PAUSE_MS = 250;
const QUIET_AFTER_MS = 1_000;
/** When other nodes serve all webhooks of a chain, they are not claimed more often than this. */
const CLAIM_PAUSE_MS = 250;
/** How long a test waits for a connection. */
const MAX_TEST_WAIT_MS = 15_000;
/** How long requests in flight may take after the node began to stop. */
const GRACE_MS = 3_000;

/** The webhooks of a node. */
interface Worker extends Node {
  readonly deps: Node['deps'] & Pick<Deps, 'bus' | 'metrics'>;
  readonly chains: Map<string, { readonly chain: Chain; readonly unsubscribe: () => void }>;
  /** Claims and webhooks that are served. */
  readonly tasks: Set<Promise<void>>;
}

export function createWebhookWorker(deps: Worker['deps']): WebhookWorker {
  const stopping = new AbortController();
  const aborting = new AbortController();
  // Every webhook and request waits for them.
  setMaxListeners(0, stopping.signal, aborting.signal);
  const activity = createActivity();
  const worker: Worker = {
    deps,
    id: deps.ids(),
    w: unaudited(deps.db, 'webhook deliveries'),
    slots: createSlots(MAX_SLOTS, MAX_TENANT_SLOTS),
    stopping: stopping.signal,
    aborting: aborting.signal,
    work: activity.work,
    onAttempt: countAttempts(deps),
    chains: new Map(),
    tasks: new Set(),
  };
  let isSearching = false;
  return {
    async search() {
      if (!isSearching && deps.db.kind === 'embedded') await endLeases(worker.w);
      isSearching = true;
      await search(worker);
    },
    wake(scope) {
      if (!isSearching) return;
      const chain = chainOf(worker, scope);
      chain.webhooks += 1;
      chain.claimedNoneAt = Number.NEGATIVE_INFINITY;
      changed(worker, chain);
    },
    test: (scope, webhookId) => sendTest(worker, scope, webhookId),
    idle: activity.idle,
    async close() {
      stopping.abort();
      for (const name of worker.chains.keys()) removeChain(worker, name);
      const cancel = deps.timers.after(GRACE_MS, () => aborting.abort());
      while (worker.tasks.size > 0) await Promise.all(worker.tasks);
      cancel();
    },
  };
}

/** Counts what has something to do. */
function createActivity() {
  let busy = 0;
  let waiting: (() => void)[] = [];
  /** A webhook that was woken while it became idle is busy again by now. */
  const report = () => {
    if (busy > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const reportSoon = () => {
    if (busy === 0) setImmediate(report);
  };
  return {
    work(by: 1 | -1) {
      busy += by;
      reportSoon();
    },
    idle: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        reportSoon();
      }),
  };
}

function countAttempts({ metrics }: Worker['deps']): Node['onAttempt'] {
  const attempts: Record<string, number> = { succeeded: 0, failed: 0, abandoned: 0 };
  metrics.counter(
    'svc_webhook_attempts_total',
    'Attempts to deliver an event to a webhook. `abandoned`: no other attempt follows.',
    () => attempts,
    'status',
  );
  return (status) => {
    attempts[status] = (attempts[status] ?? 0) + 1;
  };
}

/** Follows the chains that have active webhooks, and claims what has something to do. */
async function search(worker: Worker): Promise<void> {
  const active = await findActiveChains(worker.w, new Date(worker.deps.clock.now()));
  const found = new Set<string>();
  for (const { tenant_id: tenantId, environment, webhooks, due } of active) {
    const chain = chainOf(worker, { tenantId, environment });
    found.add(chainName(chain.scope));
    chain.webhooks = webhooks;
    if (due) claim(worker, chain);
  }
  for (const [name, { chain }] of worker.chains)
    if (!found.has(name) && chain.served.size === 0 && chain.claiming === 'no') removeChain(worker, name);
}

function chainOf(worker: Worker, scope: Scope): Chain {
  const { chains, deps } = worker;
  const name = chainName(scope);
  const found = chains.get(name);
  if (found) return found.chain;
  const chain = createChain(deps.db, scope);
  const onChange = () => changed(worker, chain);
  const stop = [
    deps.bus.subscribe('audit_chain', name, onChange),
    // A suspension appends to one chain of the account only.
    deps.bus.subscribe('tenant', scope.tenantId, onChange),
  ];
  chains.set(name, {
    chain,
    unsubscribe: () => {
      for (const unsubscribe of stop) unsubscribe();
    },
  });
  return chain;
}

function removeChain({ chains }: Worker, name: string): void {
  const entry = chains.get(name);
  entry?.unsubscribe();
  entry?.chain.cancelWake?.();
  chains.delete(name);
}

/** Wakes the chain, now or in a while: writes go first as long as no webhook selects what they write. */
function changed(worker: Worker, chain: Chain): void {
  const { clock, timers, isWriting } = worker.deps;
  const now = clock.now();
  if (chain.cancelWake !== undefined || worker.stopping.aborted) return;
  const isQuiet = now - chain.foundAt > QUIET_AFTER_MS && isWriting();
  const pause = isQuiet ? QUIET_PAUSE_MS : PAUSE_MS;
  const early = chain.wokenAt + pause - now;
  if (early <= 0 || early > pause) wakeChain(worker, chain);
  else
    chain.cancelWake = timers.after(early, () => {
      chain.cancelWake = undefined;
      wakeChain(worker, chain);
    });
}

function wakeChain(worker: Worker, chain: Chain): void {
  chain.wokenAt = worker.deps.clock.now();
  chain.wakes += 1;
  forget(chain);
  for (const { changes } of chain.served.values()) changes.set();
  if (chain.served.size < chain.webhooks) claim(worker, chain);
}

/** Claims what no node serves. */
function claim(worker: Worker, chain: Chain): void {
  const { tasks } = worker;
  const claiming = claimNow(worker, chain).finally(() => tasks.delete(claiming));
  tasks.add(claiming);
}

async function claimNow(worker: Worker, chain: Chain): Promise<void> {
  const { deps, w, id: nodeId, stopping } = worker;
  const now = deps.clock.now();
  const isSoon = now - chain.claimedNoneAt < CLAIM_PAUSE_MS && now >= chain.claimedNoneAt;
  if (isSoon || stopping.aborted) return;
  if (chain.claiming !== 'no') {
    chain.claiming = 'again';
    return;
  }
  chain.claiming = 'once';
  worker.work(1);
  try {
    const lease = { nodeId, now: new Date(now), until: new Date(now + LEASE_MS) };
    const rows = await claimWebhooks(w, chain.scope, lease, [...chain.served.keys()]);
    if (rows.length === 0) chain.claimedNoneAt = now;
    for (const row of rows) start(worker, chain, row);
  } catch (err) {
    deps.log.warn({ err }, 'webhooks could not be claimed');
  } finally {
    const isAsked = (chain.claiming as Chain['claiming']) === 'again';
    chain.claiming = 'no';
    if (isAsked) claim(worker, chain);
    worker.work(-1);
  }
}

function start(worker: Worker, chain: Chain, row: ServedRow): void {
  const { deps, tasks } = worker;
  const served = createServed(chain, row, createChangeSignal(deps.timers), deps.clock.now());
  chain.served.set(row.id, served);
  worker.work(1);
  const task = serveWebhook(worker, served)
    .catch((err: unknown) => deps.log.warn({ err, webhookId: row.id }, 'webhook is served again later'))
    .finally(() => {
      chain.served.delete(row.id);
      // Nobody needs what was read.
      if (chain.served.size === 0) forget(chain);
      tasks.delete(task);
      // An event may have arrived while the lease was given back.
      if (chain.wakes !== served.wakes) claim(worker, chain);
      setBusy(worker, served, false);
    });
  tasks.add(task);
}

/** Sends `webhook.test`. */
async function sendTest(worker: Worker, scope: Scope, webhookId: string): Promise<string | undefined> {
  const { deps, slots, w, aborting } = worker;
  const webhook = await findWebhook(reader(deps.db, scope), webhookId);
  if (webhook === undefined) return undefined;
  const message = testMessage({ id: webhookId, ...scope }, deps.ids(), deps.clock.now());
  const signer = await openSigner(deps.sealer, scope, webhook, deps.clock.now());
  const waiting = new AbortController();
  const cancel = deps.timers.after(MAX_TEST_WAIT_MS, () => waiting.abort());
  const release = await slots.take(scope.tenantId, true, waiting.signal);
  cancel();
  try {
    const options = { url: webhook.url, signer, isReplay: false, signal: aborting };
    const outcome = release ? await sendMessage(deps, message, options) : notSent(deps.clock.now());
    const attempt = attemptOf(deps.ids(), message, outcome, { attempt: 1, isReplay: false });
    await recordAttempt(w, scope, webhookId, attempt);
    return attempt.id;
  } finally {
    release?.();
  }
}
