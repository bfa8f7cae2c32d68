import type { ApiKey } from '@svc/sdk';

/** The service accepts no more active keys. */
export const MAX_KEYS = 10;

/** How many keys count among those of the account. A key that was rotated does not while its successor works. */
export function countedOf(keys: readonly ApiKey[]): number {
  const active = new Set(keys.filter(({ status }) => status === 'active').map(({ id }) => id));
  return keys.filter(({ id, replacedBy }) => active.has(id) && !active.has(replacedBy ?? '')).length;
}
