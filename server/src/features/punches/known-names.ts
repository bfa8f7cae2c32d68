import { findSeqOf } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import type { Puncher } from './punches.store.js';

/** People whose entry was found, so that it is not searched at each of their punches. An entry never goes. */
const found = new Set<string>();
const MAX_FOUND = 10_000;

/** A member confirmed the name, or the account wrote it: it created the person by a key, an import or the dashboard. */
export async function isNameKnown(read: Read, puncher: Puncher): Promise<boolean> {
  if (puncher.is_confirmed || found.has(puncher.id)) return true;
  const { id: entityId, created_at: since } = puncher;
  if ((await findSeqOf(read, { action: 'user.created', entityId, since })) === undefined) return false;
  if (found.size >= MAX_FOUND) found.clear();
  found.add(entityId);
  return true;
}
