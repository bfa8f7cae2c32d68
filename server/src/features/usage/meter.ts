import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Database } from '../../db/db.js';
import type { Call, Meter } from '../../http/deps.js';
import type { KeyPrincipal } from '../../http/principal.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { createQuotas } from './quota.js';
import * as store from './usage.store.js';

const RECENT_FLUSH_MS = 500;
/** What a node may admit and does not is given back after this, for others to use. */
const GIVE_BACK_MS = 5_000;
const KEY_USE_MS = 60_000;
const MOST_TENANTS = 50_000;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

interface MeterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly log: Log;
}

/**
 * Monthly quotas and usage. Most calls are admitted here, in memory, on a lease from the database; a call is durable
 * before it is answered, but all calls that end while one flush runs share the next, so a busy node writes once a round
 * trip and not once a request. Recent calls and keys' last use follow within a second.
 */
export function createMeter({ db, clock, ids, log }: MeterDeps): Meter {
  const quotas = createQuotas({ db, clock, ids });
  let changes: store.MonthChange[] = [];
  let recent: store.RecentCall[] = [];
  const keyUses = new Map<string, { tenantId: string; at: number; written: number }>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let recentWritten = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let giving: NodeJS.Timeout | undefined;

  async function writeCalls(): Promise<void> {
    // Calls that end in the same turn, as those of one transaction do, share the flush.
    await setImmediate();
    const batch = sumChanges(changes);
    changes = [];
    if (batch.length === 0) return;
    try {
      await store.addCalls(db, batch);
    } catch (error) {
      changes = [...batch, ...changes];
      log.warn({ err: error }, 'usage is written later');
    }
  }

  async function writeRecent(): Promise<void> {
    const batch = recent;
    const uses = [...keyUses].filter(([, use]) => use.at - use.written >= KEY_USE_MS);
    recent = [];
    try {
      if (batch.length > 0) await store.addRecentCalls(db, batch);
      if (uses.length > 0)
        await store.touchKeys(
          db,
          uses.map(([keyId, { tenantId, at }]) => ({ keyId, tenantId, at })),
        );
      for (const [, use] of uses) use.written = use.at;
    } catch (error) {
      log.warn({ err: error }, 'recent calls were not written');
    }
  }

  /** One after the other, so that who waits for the last has all. */
  function flushRecent(): Promise<void> {
    recentWritten = recentWritten.then(writeRecent);
    return recentWritten;
  }

  /** One flush runs at a time; whoever comes meanwhile waits for the next one, together. */
  function flushCalls(): Promise<void> {
    if (running === undefined) {
      running = writeCalls().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running.then(() => {
      next = undefined;
      return flushCalls();
    });
    return next;
  }

  function remember(call: Call, tenantId: string): void {
    recent.push({ ...call, id: ids(), tenantId, environment: call.principal.environment });
    if (recent.length > 5_000) recent = store.newestPerTenant(recent);
    const { keyId } = call.principal;
    keyUses.set(keyId, { tenantId, at: call.at, written: keyUses.get(keyId)?.written ?? 0 });
    if (keyUses.size > MOST_TENANTS) keyUses.delete(keyUses.keys().next().value as string);
    timer ??= setTimeout(() => {
      timer = undefined;
      void flushRecent();
    }, RECENT_FLUSH_MS).unref();
  }

  function giveBackLater(): void {
    if (!quotas.holds) return;
    giving ??= setTimeout(() => {
      giving = undefined;
      changes.push(...quotas.giveBack(GIVE_BACK_MS));
      void flushCalls().then(giveBackLater);
    }, GIVE_BACK_MS).unref();
  }

  async function flush(): Promise<void> {
    await flushCalls();
    await flushRecent();
  }

  return {
    async admit({ tenant }: KeyPrincipal, at) {
      const limit = PLAN_LIMITS[tenant.plan].monthlyRequests;
      if (limit === null) return true;
      const admitted = await quotas.reserve(tenant.id, monthOf(at), limit);
      giveBackLater();
      return admitted;
    },
    async settle(call) {
      const { id: tenantId, plan } = call.principal.tenant;
      const month = monthOf(call.at);
      const counted = call.status !== 429 && call.status !== 503;
      const lease =
        PLAN_LIMITS[plan].monthlyRequests === null ? null : quotas.release(tenantId, month, counted);
      if (!counted) return giveBackLater();
      changes.push({ tenantId, month, used: 1, lease, unleased: lease === null ? 0 : 1 });
      remember(call, tenantId);
      await flushCalls();
    },
    flush,
    async close() {
      clearTimeout(timer);
      clearTimeout(giving);
      changes.push(...quotas.giveBack(0));
      await flush();
    },
  };
}

/** One change a tenant and month. Of two leases in one of them the older has been given up, and is left to its time. */
function sumChanges(changes: readonly store.MonthChange[]): store.MonthChange[] {
  const sums = new Map<string, store.MonthChange>();
  for (const change of changes) {
    const key = `${change.month}|${change.tenantId}`;
    const sum = sums.get(key);
    const lease = change.lease ?? sum?.lease ?? null;
    const kept = sum?.lease === lease ? sum.unleased : 0;
    sums.set(key, {
      ...change,
      lease,
      used: (sum?.used ?? 0) + change.used,
      unleased: kept + change.unleased,
    });
  }
  return [...sums.values()];
}
