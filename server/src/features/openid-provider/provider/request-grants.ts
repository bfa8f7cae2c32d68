import type { Read } from '../../../ledger/write.js';
import { findLiveGrants, type GrantRow } from './grants.store.js';

/** The live grants that a request has read or is reading. Each is read once a request. */
const known = new WeakMap<object, Promise<readonly GrantRow[]>[]>();

/** Keeps the live grants that `reading` finds for the rest of the request, which may not need them. */
export function keepGrants(context: object | undefined, reading: Promise<readonly GrantRow[]>): void {
  reading.catch(() => {});
  if (context === undefined) return;
  const all = known.get(context) ?? [];
  all.push(reading);
  known.set(context, all);
}

/** The live grants that this request has read. */
export async function knownGrants(context: object | undefined): Promise<readonly GrantRow[]> {
  return (await Promise.all((context && known.get(context)) ?? [])).flat();
}

/** The live ones of these grants. */
export async function findGrantsOnce(
  context: object | undefined,
  read: Read,
  ids: readonly string[],
  now: Date,
): Promise<readonly GrantRow[]> {
  const found = (await knownGrants(context)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((each) => !found.some(({ id }) => id === each));
  if (missing.length === 0) return found;
  const reading = findLiveGrants(read, missing, now);
  keepGrants(context, reading);
  return [...found, ...(await reading)].sort((left, right) => (left.id < right.id ? 1 : -1));
}
