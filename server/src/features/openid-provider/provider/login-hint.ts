import type { Database } from '../../../db/db.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { reader } from '../../../ledger/write.js';
import { findUser } from '../../users/users.js';

/** Whether a user is the one that `login_hint` names by `externalId`. Without a hint, everybody is. */
export async function hasHintedUser(
  { db }: { readonly db: Database },
  scope: Scope,
  userId: string,
  hint: unknown,
): Promise<boolean> {
  if (hint === undefined) return true;
  const user = await findUser(reader(db, scope), userId);
  return user?.external_id === hint;
}
