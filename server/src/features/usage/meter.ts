import { surroundingsOf } from '../../base/address.js';
import type { Log } from '../../base/telemetry/log.js';
import { type Database, DatabaseUnavailableError } from '../../db/db.js';
import type { Call, Meter } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { type CallCounter, createCallCounter } from './call-counter.js';
import { allTenants, eachTenant } from './count-statements.js';
import { createKeyUses } from './key-uses.js';

const RECENT_FLUSH_MS = 500;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

interface MeterDeps {
  readonly db: Database;
  readonly log: Log;
}

/**
 * Monthly quotas and usage. If the plan has a quota, a call is counted before its work begins, if there is room, so the quota
 * is exact over any number of nodes. Other calls are counted when they end, before their response. Calls that arrive while
 * such a statement runs share the next one, so a busy node sends one per round trip and not one per request. Recent calls,
 * the calls by hour, rejected calls and the keys' last use follow within a second.
 */
export function createMeter({ db, log }: MeterDeps): Meter {
  /** By machine, so that one that hangs does not delay the counts on the others. Each has one connection. */
  const counters = new Map<Database, CallCounter>();
  const keyUses = createKeyUses(unaudited(db, 'usage'), log);
  let timer: NodeJS.Timeout | undefined;

  /** The counter of the machine that has the tenant's rows. Whichever counts a call, the count is right. */
  function counterOf(tenantId: string): CallCounter {
    const machine = db.near?.(tenantId) ?? db;
    let counter = counters.get(machine);
    if (counter === undefined) {
      const onMachine = unaudited(machine, 'usage');
      counter = createCallCounter(db.isSpread ? eachTenant(onMachine) : allTenants(onMachine), log);
      counters.set(machine, counter);
    }
    return counter;
  }

  const addTo = (counter: CallCounter, call: Call, counts: boolean) =>
    counter.add({
      tenantId: call.principal.tenant.id,
      month: monthOf(call.at),
      calls: counts ? 1 : -1,
    });

  async function flushRecent(): Promise<void> {
    await Promise.all([...counters.values()].map((counter) => counter.flushRecent()));
    await keyUses.flush();
  }

  async function flushTenant(tenantId: string): Promise<void> {
    const counter = counterOf(tenantId);
    await counter.flushCalls();
    await counter.flushRecent();
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flushRecent();
    }, RECENT_FLUSH_MS).unref();
  }

  function remember(counter: CallCounter, call: Call): void {
    const { keyId, tenant, environment } = call.principal;
    counter.remember({ ...call, id: call.requestId, tenantId: tenant.id, environment, keyId });
    keyUses.add({ keyId, tenantId: tenant.id, at: call.at, network: surroundingsOf(call.address) ?? null });
    flushSoon();
  }

  async function flush(tenantId?: string): Promise<void> {
    if (db.isSpread && tenantId !== undefined) return flushTenant(tenantId);
    await Promise.all([...counters.values()].map((counter) => counter.flushCalls()));
    await flushRecent();
  }

  return {
    async admit({ tenant }, at) {
      const quota = PLAN_LIMITS[tenant.plan].monthlyRequests;
      if (quota === null) return true;
      const call = { tenantId: tenant.id, month: monthOf(at), calls: 1, quota };
      return admitTo(counterOf(tenant.id), call);
    },
    async settle(call) {
      const { tenant } = call.principal;
      const isCounted = PLAN_LIMITS[tenant.plan].monthlyRequests !== null;
      const counts = call.status !== 429 && call.status !== 503;
      if (!counts && !isCounted) return;
      const counter = counterOf(tenant.id);
      if (counts) remember(counter, call);
      if (counts !== isCounted) await addTo(counter, call, counts);
    },
    reject(call) {
      counterOf(call.principal.tenant.id).reject(call);
      flushSoon();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

/** Counts the call if there is room. The first call of a month creates its row. */
async function admitTo(counter: CallCounter, call: Parameters<CallCounter['admit']>[0]): Promise<boolean> {
  const isAdmitted = await counter.admit(call);
  if (isAdmitted !== undefined) return isAdmitted;
  await counter.add({ ...call, calls: 0 });
  const isAdmittedNow = await counter.admit(call);
  if (isAdmittedNow === undefined) throw new DatabaseUnavailableError('The month has no row');
  return isAdmittedNow;
}
