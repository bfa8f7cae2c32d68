import { createLoader } from '../../base/loader.js';
import type { Log } from '../../base/log.js';
import type { Database } from '../../db/db.js';
import type { Call, Meter } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import * as store from './usage.store.js';

const RECENT_FLUSH_MS = 500;
const KEY_USE_MS = 60_000;
const MAX_KEYS = 50_000;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

interface MeterDeps {
  readonly db: Database;
  readonly ids: () => string;
  readonly log: Log;
}

/** One call, to be counted in its month. */
interface Reservation {
  readonly tenantId: string;
  readonly month: string;
  /** Of the plan; null where it has none. */
  readonly quota: number | null;
}

const reservationOf = ({ id, plan }: Tenant, at: number): Reservation => ({
  tenantId: id,
  month: monthOf(at),
  quota: PLAN_LIMITS[plan].monthlyRequests,
});

/**
 * Monthly quotas and usage. A call is counted before its work begins, so the count is durable before the response and the quota is
 * exact over any number of nodes. Calls that arrive while one such statement runs share the next, so a busy node sends one each round
 * trip and not one each request. Recent calls and keys' last use follow within a second.
 */
export function createMeter({ db, ids, log }: MeterDeps): Meter {
  /** Counted calls that ended in 429 or 503, until a batch takes them off. */
  let released: Reservation[] = [];
  let recent: store.RecentCall[] = [];
  const keyUses = new Map<string, { tenantId: string; at: number; written: number }>();
  let recentWritten = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Whether a call was counted; undefined if its month has no row yet. For `undefined` it writes the releases alone. */
  const count = createLoader<Reservation | undefined, boolean>(async (waiting) => {
    const calls = waiting.filter((call) => call !== undefined);
    const releases = released;
    released = [];
    const changes = sumByMonth(calls, releases);
    if (changes.length === 0) return new Map();
    try {
      return admit(calls, await store.countCalls(db, changes));
    } catch (error) {
      released.push(...releases);
      throw error;
    }
  });

  async function writeReleases(): Promise<void> {
    try {
      await count(undefined);
    } catch (error) {
      log.warn({ err: error }, 'releases of calls are written later');
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

  /** Runs one at a time, so the last one to finish has written everything. */
  function flushRecent(): Promise<void> {
    recentWritten = recentWritten.then(writeRecent);
    return recentWritten;
  }

  function remember(call: Call, tenantId: string): void {
    recent.push({ ...call, id: ids(), tenantId, environment: call.principal.environment });
    if (recent.length > 5_000) recent = store.newestPerTenant(recent);
    const { keyId } = call.principal;
    keyUses.set(keyId, { tenantId, at: call.at, written: keyUses.get(keyId)?.written ?? 0 });
    if (keyUses.size > MAX_KEYS) keyUses.delete(keyUses.keys().next().value as string);
    timer ??= setTimeout(() => {
      timer = undefined;
      void flushRecent();
    }, RECENT_FLUSH_MS).unref();
  }

  async function flush(): Promise<void> {
    await writeReleases();
    await flushRecent();
  }

  return {
    async admit({ tenant }, at) {
      const call = reservationOf(tenant, at);
      const isCounted = await count(call);
      if (isCounted !== undefined) return isCounted;
      await store.createMonth(db, call.tenantId, call.month);
      return (await count(call)) ?? false;
    },
    settle(call) {
      const { tenant } = call.principal;
      if (call.status !== 429 && call.status !== 503) return remember(call, tenant.id);
      released.push(reservationOf(tenant, call.at));
      // A lost database must not hold back the 503 that reports it.
      void writeReleases();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

const keyOf = ({ tenantId, month }: { tenantId: string; month: string }) => `${month}|${tenantId}`;

/** One change for each tenant and month. */
function sumByMonth(calls: readonly Reservation[], releases: readonly Reservation[]): store.MonthChange[] {
  const sums = new Map<string, store.MonthChange>();
  const add = (call: Reservation, wanted: number, released: number) => {
    const sum = sums.get(keyOf(call)) ?? { wanted: 0, released: 0 };
    sums.set(keyOf(call), { ...call, wanted: sum.wanted + wanted, released: sum.released + released });
  };
  for (const call of releases) add(call, 0, 1);
  for (const call of calls) add(call, 1, 0);
  return [...sums.values()];
}

/** Of each tenant's calls the first ones are admitted, in the order they came. */
function admit(
  calls: readonly Reservation[],
  counted: readonly store.CountedCalls[],
): Map<Reservation, boolean> {
  const room = new Map(counted.map((row) => [keyOf(row), row.admitted]));
  const decided = new Map<Reservation, boolean>();
  for (const call of calls) {
    const left = room.get(keyOf(call));
    if (left === undefined) continue;
    room.set(keyOf(call), left - 1);
    decided.set(call, left > 0);
  }
  return decided;
}
