import { setImmediate } from 'node:timers/promises';
import { createLoader } from '../../base/loader.js';
import type { Log } from '../../base/log.js';
import type { Database } from '../../db/db.js';
import type { Call, Meter } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { touchKeys } from '../keys/keys.js';
import * as store from './usage.store.js';

const RECENT_FLUSH_MS = 500;
const KEY_USE_MS = 60_000;
const MAX_KEYS = 50_000;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

interface MeterDeps {
  readonly db: Database;
  readonly ids: () => string;
  readonly log: Log;
  /** Each statement is about one tenant, and a machine that is down stops only the counting of its own tenants. */
  readonly spread: boolean;
}

/**
 * Monthly quotas and usage. If the plan has a quota, a call is counted before its work begins, if there is room, so the quota
 * is exact over any number of nodes. Other calls are counted when they end, before their response. Calls that arrive while
 * such a statement runs share the next one, so a busy node sends one per round trip and not one per request. Recent calls
 * and the keys' last use follow within a second.
 */
export function createMeter({ db, ids, log, spread }: MeterDeps): Meter {
  const w = unaudited(db, 'usage');
  let changes: store.MonthChange[] = [];
  let recent: store.RecentCall[] = [];
  const keyUses = new Map<string, { tenantId: string; at: number; written: number }>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let recentWritten = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** What one statement may be about: on one machine everything. */
  const split = <T>(items: readonly T[]): readonly T[][] =>
    spread ? items.map((item) => [item]) : items.length > 0 ? [[...items]] : [];

  async function admitPart(part: readonly store.Admission[]): Promise<store.MonthChange[]> {
    try {
      return await store.admitCalls(w, part);
    } catch (error) {
      if (!spread) throw error;
      // The tenant's calls find no month and then fail by themselves. Those of other tenants are not affected.
      return [];
    }
  }

  /** Whether a call was counted; undefined if its month has no row yet. */
  const admit = createLoader<store.Admission, boolean>(async (calls) =>
    firstOf(calls, (await Promise.all(split(sumByMonth(calls)).map(admitPart))).flat()),
  );

  async function writeCalls(): Promise<void> {
    // Calls that end in the same turn, for example those of one transaction, share the flush.
    await setImmediate();
    const batch = sumByMonth(changes);
    changes = [];
    await Promise.all(
      split(batch).map(async (part) => {
        try {
          await store.addCalls(w, part);
        } catch (error) {
          changes = [...part, ...changes];
          log.warn({ err: error }, 'usage could not be written and will be retried');
        }
      }),
    );
  }

  async function writeRecent(): Promise<void> {
    const batch = recent;
    const uses = [...keyUses].filter(([, use]) => use.at - use.written >= KEY_USE_MS);
    recent = [];
    const attempt = (work: Promise<void>) =>
      work.catch((error: unknown) => log.warn({ err: error }, 'recent calls were not written'));
    if (spread)
      for (const [tenantId, calls] of byTenant(batch))
        await attempt(store.addTenantRecentCalls(w, tenantId, calls));
    else if (batch.length > 0) await attempt(store.addRecentCalls(w, batch));
    for (const part of split(uses)) {
      const touched = touchKeys(
        w,
        part.map(([keyId, { tenantId, at }]) => ({ keyId, tenantId, at })),
      );
      await attempt(
        touched.then(() => {
          for (const [, use] of part) use.written = use.at;
        }),
      );
    }
  }

  /** Runs one at a time, so the last one to finish has written everything. */
  function flushRecent(): Promise<void> {
    recentWritten = recentWritten.then(writeRecent);
    return recentWritten;
  }

  /** One flush runs at a time. Calls that arrive during it share the next. */
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
    if (keyUses.size > MAX_KEYS) keyUses.delete(keyUses.keys().next().value as string);
    timer ??= setTimeout(() => {
      timer = undefined;
      void flushRecent();
    }, RECENT_FLUSH_MS).unref();
  }

  async function flush(): Promise<void> {
    await flushCalls();
    await flushRecent();
  }

  return {
    async admit({ tenant }, at) {
      const quota = PLAN_LIMITS[tenant.plan].monthlyRequests;
      if (quota === null) return true;
      const call = { tenantId: tenant.id, month: monthOf(at), calls: 1, quota };
      const isAdmitted = await admit(call);
      if (isAdmitted !== undefined) return isAdmitted;
      await store.addCalls(w, [{ ...call, calls: 0 }]);
      return (await admit(call)) ?? false;
    },
    async settle(call) {
      const { id: tenantId, plan } = call.principal.tenant;
      const isCounted = PLAN_LIMITS[plan].monthlyRequests !== null;
      const counts = call.status !== 429 && call.status !== 503;
      if (counts) remember(call, tenantId);
      if (counts === isCounted) return;
      changes.push({ tenantId, month: monthOf(call.at), calls: counts ? 1 : -1 });
      await flushCalls();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

const keyOf = ({ tenantId, month }: store.MonthChange) => `${month}|${tenantId}`;

function byTenant(calls: readonly store.RecentCall[]): Map<string, store.RecentCall[]> {
  const groups = new Map<string, store.RecentCall[]>();
  for (const call of calls) groups.set(call.tenantId, [...(groups.get(call.tenantId) ?? []), call]);
  return groups;
}

/** One change for each tenant and month. */
function sumByMonth<C extends store.MonthChange>(changes: readonly C[]): C[] {
  const sums = new Map<string, C>();
  for (const change of changes) {
    const sum = sums.get(keyOf(change))?.calls ?? 0;
    sums.set(keyOf(change), { ...change, calls: sum + change.calls });
  }
  return [...sums.values()];
}

/** Admits the first calls of each tenant, in the order of their arrival. */
function firstOf(
  calls: readonly store.Admission[],
  admitted: readonly store.MonthChange[],
): Map<store.Admission, boolean> {
  const room = new Map(admitted.map((month) => [keyOf(month), month.calls]));
  const decided = new Map<store.Admission, boolean>();
  for (const call of calls) {
    const left = room.get(keyOf(call));
    if (left === undefined) continue;
    room.set(keyOf(call), left - 1);
    decided.set(call, left > 0);
  }
  return decided;
}
