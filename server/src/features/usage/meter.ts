import type { Database } from '../../kernel/db/db.js';
import type { Call, Meter } from '../../kernel/deps.js';
import type { Log } from '../../kernel/log.js';
import type { KeyPrincipal } from '../../kernel/principal.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import * as store from './usage.store.js';

/** What this node knows of one tenant's month. */
interface Count {
  /** In the database, as far as known, and waiting to be. */
  used: number;
  /** Calls that are running. */
  reserved: number;
}

const RECENT_FLUSH_MS = 500;
const KEY_USE_MS = 60_000;
const MOST_TENANTS = 50_000;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

interface MeterDeps {
  readonly db: Database;
  readonly ids: () => string;
  readonly log: Log;
}

/**
 * Monthly quotas and usage. Admission is decided here, in memory, against what the database holds; a call is durable
 * before it is answered, but all calls that end while one flush runs share the next, so a busy node writes once a round
 * trip and not once a request. Recent calls and keys' last use follow within a second.
 */
export function createMeter({ db, ids, log }: MeterDeps): Meter {
  const counts = new Map<string, Promise<Count>>();
  let calls: store.MonthCount[] = [];
  let recent: store.RecentCall[] = [];
  const keyUses = new Map<string, { tenantId: string; at: number; written: number }>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function countOf(tenantId: string, month: string): Promise<Count> {
    const key = `${month}|${tenantId}`;
    const known = counts.get(key);
    if (known !== undefined) return known;
    const loading = store.findUsed(db, tenantId, month).then((used) => ({ used, reserved: 0 }));
    counts.set(key, loading);
    loading.catch(() => counts.delete(key));
    if (counts.size > MOST_TENANTS) forgetOldest().catch(() => {});
    return loading;
  }

  /** A count with nothing running can be read from the database again when it is next needed. */
  async function forgetOldest(): Promise<void> {
    const [key, oldest] = counts.entries().next().value as [string, Promise<Count>];
    if ((await oldest).reserved === 0) counts.delete(key);
  }

  async function writeCalls(): Promise<void> {
    const batch = calls;
    calls = [];
    if (batch.length === 0) return;
    try {
      await store.addCalls(db, batch);
    } catch (error) {
      calls = [...batch, ...calls];
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
      void writeRecent();
    }, RECENT_FLUSH_MS).unref();
  }

  async function flush(): Promise<void> {
    await flushCalls();
    await writeRecent();
  }

  return {
    async admit({ tenant }: KeyPrincipal, at) {
      const limit = PLAN_LIMITS[tenant.plan].monthlyRequests;
      const count = await countOf(tenant.id, monthOf(at));
      if (limit !== null && count.used + count.reserved >= limit) return false;
      count.reserved += 1;
      return true;
    },
    async settle(call) {
      const { id: tenantId } = call.principal.tenant;
      const month = monthOf(call.at);
      const count = await counts.get(`${month}|${tenantId}`)?.catch(() => undefined);
      const counted = call.status !== 429 && call.status !== 503;
      if (count) {
        count.reserved = Math.max(0, count.reserved - 1);
        if (counted) count.used += 1;
      }
      if (!counted) return;
      calls.push({ tenantId, month });
      remember(call, tenantId);
      await flushCalls();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
