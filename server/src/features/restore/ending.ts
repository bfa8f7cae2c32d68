import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import { lockRestored, unlockRestored } from '../accounts/accounts.js';
import { cancelRestored } from '../approvals/approvals.js';
import { deleteRestoredBrowsers } from '../browsers/browsers.js';
import { deleteRestoredCodes } from '../codes/codes.js';
import { deleteRestoredStates, endRestoredGrants } from '../openid-provider/openid-provider.js';
import { expireRestoredPairings } from '../pairing/pairing.js';
import { deleteRestoredAdditions } from '../phones/phones.js';
import { abandonRestored } from '../registrations/registrations.js';
import { endRestoredSessions } from '../sessions/sessions.js';
import { endRestoredInspections } from '../sheets/sheets.js';
import { deleteRestoredRequests } from '../sso/sso.js';

/** Found by their primary keys: a database that was just restored has no statistics, and then finding rows by their place is slow. */
const ROWS_AT_ONCE = 5_000;

/** What may have been ended or used since the backup, each in batches. Sessions are first: they are what a stolen backup is worth. */
const ENDINGS = [
  endRestoredSessions,
  endRestoredGrants,
  deleteRestoredStates,
  expireRestoredPairings,
  deleteRestoredAdditions,
  deleteRestoredRequests,
  deleteRestoredBrowsers,
] as const;

/** Ends all sessions, sign-ins, pairings, approvals, ceremonies, additions, codes and inspections of a chain, and forgets its browsers. Repeating it changes nothing. */
export async function endEverything(deps: Pick<Deps, 'clock' | 'db' | 'write'>, scope: Scope): Promise<void> {
  const w = unaudited(deps.db, 'restored rows');
  const now = new Date(deps.clock.now());
  for (const end of ENDINGS) while ((await end(w, scope, ROWS_AT_ONCE, now)) === ROWS_AT_ONCE);
  await deleteRestoredCodes(w, scope);
  await endRestoredInspections(w, scope, now);
  await cancelRestored(deps, scope);
  await abandonRestored(deps, scope);
}

/** Ends the console tokens of accounts and locks their identities. */
export const lockAccounts = (db: Database, ids: readonly string[], now: Date): Promise<void> =>
  lockRestored(unaudited(db, 'restored rows'), ids, now);

/** The identities of an account whose later revocations were applied work again. A lock from before `lockedAfter` stays. */
export const unlockAccount = (db: Database, id: string, lockedAfter: Date): Promise<void> =>
  unlockRestored(unaudited(db, 'restored rows'), id, lockedAfter);
