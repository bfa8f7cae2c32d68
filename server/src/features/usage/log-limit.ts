/** Calls of a tenant that this node logs before it deletes the oldest again. Deleting at every flush would cost more than logging. */
const DELETED_AFTER = 200;
/** Tenants whose calls are counted. */
const MAX_TENANTS = 50_000;

export interface LogLimit {
  /** Counts logged calls. Returns the tenants whose oldest calls are to be deleted: also those whose log this node does not know yet. */
  add(calls: readonly { readonly tenantId: string }[]): string[];
  /** The oldest calls of these tenants were deleted. */
  reset(tenantIds: readonly string[]): void;
}

export function createLogLimit(): LogLimit {
  const added = new Map<string, number>();
  return {
    add(calls) {
      const tenants = new Set<string>();
      for (const { tenantId } of calls) {
        tenants.add(tenantId);
        added.set(tenantId, (added.get(tenantId) ?? DELETED_AFTER) + 1);
      }
      while (added.size > MAX_TENANTS) added.delete(added.keys().next().value as string);
      return [...tenants].filter((tenantId) => (added.get(tenantId) ?? DELETED_AFTER) >= DELETED_AFTER);
    },
    reset(tenantIds) {
      for (const tenantId of tenantIds) added.set(tenantId, 0);
    },
  };
}
