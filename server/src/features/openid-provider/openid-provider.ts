import { sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Write, within } from '../../ledger/write.js';
import * as grants from './provider/grants.store.js';
import * as states from './provider/state.store.js';

export { OIDC_EXPIRIES } from './provider/grants.store.js';

/** Ends the sign-ins of identities to OpenID clients. A job sends the back-channel logouts. */
export async function endGrantsOfIdentities(
  w: Write,
  identityIds: readonly string[],
  now: Date,
): Promise<void> {
  if (identityIds.length > 0) await grants.endGrantsOf(w, sql`${identityIds}::uuid[]`, now);
}

/** Ends the sign-ins of all identities of a person. */
export const endGrantsOfUser = (w: Write, userId: string, now: Date): Promise<void> =>
  grants.endGrantsOf(w, sql`select id from identities where ${within(w.scope)} and user_id = ${userId}`, now);

/** Deletes what the provider keeps for the sign-ins of these identities. */
export const eraseStates = (w: Write, identityIds: readonly string[]): Promise<void> =>
  states.eraseStates(w, identityIds);

/** Ends grants after a restore, and has their clients told. Returns how many: fewer than `count` were the last ones. */
export const endRestoredGrants = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> => grants.endRestoredGrants(w, scope, count, now);

/** Forgets codes, tokens and browsers after a restore. Returns how many: fewer than `count` were the last ones. */
export const deleteRestoredStates = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> => states.deleteRestoredStates(w, scope, count);
