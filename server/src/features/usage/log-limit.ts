import { MAX_LOGGED } from '../../model/plans.js';
import type { RecentCall } from './usage.store.js';

/**
 * Calls of a tenant that a node logs in the long run. Logging a call costs a twentieth of the work of a small request, and a busy
 * tenant's last 1,000 calls are soon gone. A burst of up to 1,000 calls is logged whole.
 */
const PER_SECOND = 100;
/** Calls of a tenant that this node logs before it deletes the oldest again. Deleting at every flush would cost more than logging. */
const DELETED_AFTER = 200;
/** Tenants whose calls are counted. */
const MAX_TENANTS = 50_000;

export interface LogLimit {
  /** The calls to log: the newest of each tenant, in order. */
  choose(calls: readonly RecentCall[]): RecentCall[];
  /** Of the tenants of these calls, those whose oldest calls are to be deleted: also those whose log this node does not know yet. */
  full(calls: readonly RecentCall[]): string[];
  /** The oldest calls of these tenants were deleted. */
  reset(tenantIds: readonly string[]): void;
}

interface TenantLog {
  /** Calls that may be logged now. */
  room: number;
  /** The time until which `room` has grown. */
  at: number;
  addedSinceDeletion: number;
}

export function createLogLimit(): LogLimit {
  const logs = new Map<string, TenantLog>();

  function logOf({ tenantId, at }: RecentCall): TenantLog {
    const log = logs.get(tenantId) ?? { room: MAX_LOGGED, at, addedSinceDeletion: DELETED_AFTER };
    logs.set(tenantId, log);
    if (at > log.at) {
      log.room = Math.min(MAX_LOGGED, log.room + ((at - log.at) / 1000) * PER_SECOND);
      log.at = at;
    }
    return log;
  }

  return {
    choose(calls) {
      const chosen = calls.toReversed().filter((call) => {
        const log = logOf(call);
        if (log.room < 1) return false;
        log.room -= 1;
        log.addedSinceDeletion += 1;
        return true;
      });
      while (logs.size > MAX_TENANTS) logs.delete(logs.keys().next().value as string);
      return chosen.reverse();
    },
    full(calls) {
      const tenants = [...new Set(calls.map(({ tenantId }) => tenantId))];
      return tenants.filter(
        (tenantId) => (logs.get(tenantId)?.addedSinceDeletion ?? DELETED_AFTER) >= DELETED_AFTER,
      );
    },
    reset(tenantIds) {
      for (const tenantId of tenantIds) {
        const log = logs.get(tenantId);
        if (log) log.addedSinceDeletion = 0;
      }
    },
  };
}
