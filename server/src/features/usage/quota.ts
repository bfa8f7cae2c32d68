import type { Clock } from '../../base/clock.js';
import type { Database } from '../../db/db.js';
import * as store from './usage.store.js';

/** A dead node's lease is free again after this. */
const LEASE_MS = 120_000;
/** A lease is used for half its time, so that what it admitted has ended before others may have it. */
const USED_MS = LEASE_MS / 2;
/** How long a refusal is remembered: a refused client that insists asks the database no more often. */
const REFUSED_MS = 1_000;
const MOST_QUOTAS = 50_000;

/** What this node may admit of one tenant's month without asking. */
interface Quota {
  readonly tenantId: string;
  readonly month: string;
  lease: string;
  /** The plan's, that the lease and a refusal were judged by. */
  limit: number;
  free: number;
  /** Admitted and not settled, of them those whose lease was given up. */
  running: number;
  orphans: number;
  until: number;
  refusedUntil: number;
  waiting: number;
  asking: Promise<void> | undefined;
  lastUsedAt: number;
}

export interface Quotas {
  /** Reserves a call; false when the quota is used up or held by calls that run. */
  reserve(tenantId: string, month: string, limit: number): Promise<boolean>;
  /** Ends a reservation; answers the lease that a counted call is taken off, if any. */
  release(tenantId: string, month: string, counted: boolean): string | null;
  /** Gives back what was not used for `idleMs`. */
  giveBack(idleMs: number): store.MonthChange[];
  /** Whether there is anything to give back. */
  readonly holds: boolean;
}

/**
 * Leases on monthly quotas: the database grants a node some calls at a time, at most what is left, so that any number
 * of nodes together never admit more than the quota, and most calls are admitted without asking. What is not used is given
 * back within moments; what a dead node held is free again after two minutes, so no call of the quota is ever lost.
 */
export function createQuotas(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: () => string;
}): Quotas {
  const { db, clock, ids } = deps;
  const quotas = new Map<string, Quota>();
  /** Those with calls that are free, so that nobody looks through all. */
  const holding = new Set<Quota>();
  const keyOf = (tenantId: string, month: string) => `${month}|${tenantId}`;

  function quotaOf(tenantId: string, month: string): Quota {
    const key = keyOf(tenantId, month);
    const known = quotas.get(key);
    if (known !== undefined) return known;
    const quota: Quota = {
      tenantId,
      month,
      lease: ids(),
      limit: 0,
      free: 0,
      running: 0,
      orphans: 0,
      until: 0,
      refusedUntil: 0,
      waiting: 0,
      asking: undefined,
      lastUsedAt: 0,
    };
    quotas.set(key, quota);
    if (quotas.size > MOST_QUOTAS) forgetOldest();
    return quota;
  }

  /** One that is in use goes to the end, so that the next in line is looked at next. */
  function forgetOldest(): void {
    const [key, quota] = quotas.entries().next().value as [string, Quota];
    quotas.delete(key);
    if (quota.running > 0 || quota.free > 0 || quota.asking !== undefined) quotas.set(key, quota);
  }

  const setFree = (quota: Quota, free: number) => {
    quota.free = free;
    if (free > 0) holding.add(quota);
    else holding.delete(quota);
  };

  /** What the database has of the old lease is left to its time: whether a grant arrived there may not be known. */
  function startLease(quota: Quota): void {
    quota.lease = ids();
    quota.orphans = quota.running;
    quota.until = 0;
    setFree(quota, 0);
  }

  async function ask(quota: Quota, limit: number): Promise<void> {
    // Whoever waits for the same is counted in.
    await Promise.resolve();
    const now = clock.now();
    if (quota.until > 0 && now >= quota.until) startLease(quota);
    const { tenantId, month, lease: id, waiting, free: given } = quota;
    const until = now + LEASE_MS;
    setFree(quota, 0);
    try {
      const granted = await store.lease(db, { tenantId, month, id, limit, waiting, given, now, until });
      quota.limit = limit;
      quota.until = until;
      quota.refusedUntil = granted > 0 ? 0 : clock.now() + REFUSED_MS;
      setFree(quota, quota.free + granted);
    } catch (error) {
      startLease(quota);
      throw error;
    } finally {
      quota.asking = undefined;
    }
  }

  return {
    async reserve(tenantId, month, limit) {
      const quota = quotaOf(tenantId, month);
      quota.lastUsedAt = performance.now();
      for (;;) {
        const now = clock.now();
        const isCurrent = quota.limit === limit;
        if (isCurrent && quota.free > 0 && now < quota.until - USED_MS) {
          setFree(quota, quota.free - 1);
          quota.running += 1;
          return true;
        }
        if (isCurrent && quota.free === 0 && now < quota.refusedUntil) return false;
        quota.waiting += 1;
        try {
          quota.asking ??= ask(quota, limit);
          await quota.asking;
        } finally {
          quota.waiting -= 1;
        }
      }
    },
    release(tenantId, month, counted) {
      const quota = quotas.get(keyOf(tenantId, month));
      if (quota === undefined || quota.running === 0) return null;
      quota.running -= 1;
      const isOrphan = quota.orphans > 0;
      if (isOrphan) quota.orphans -= 1;
      else if (!counted) setFree(quota, quota.free + 1);
      return counted && !isOrphan ? quota.lease : null;
    },
    giveBack(idleMs) {
      const idle = [...holding].filter(
        ({ lastUsedAt, asking }) => asking === undefined && performance.now() - lastUsedAt >= idleMs,
      );
      return idle.map((quota) => {
        const { tenantId, month, lease, free } = quota;
        setFree(quota, 0);
        return { tenantId, month, used: 0, lease, unleased: free };
      });
    },
    get holds() {
      return holding.size > 0;
    },
  };
}
