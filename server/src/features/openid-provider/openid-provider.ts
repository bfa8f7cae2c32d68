import { sql } from '../../db/sql.js';
import { type Write, within } from '../../ledger/write.js';
import { endGrantsOf } from './provider/grants.store.js';

export { OIDC_EXPIRIES } from './provider/grants.store.js';

/** Ends the sign-ins of an identity to OpenID clients. A job sends the back-channel logouts. */
export const endGrantsOfIdentity = (w: Write, identityId: string, now: Date): Promise<void> =>
  endGrantsOf(w, sql`${identityId}::uuid`, now);

/** Ends the sign-ins of the identities that were created on a device. */
export const endGrantsOfDevice = (w: Write, deviceId: string, now: Date): Promise<void> =>
  endGrantsOf(w, sql`select id from identities where ${within(w.scope)} and device_id = ${deviceId}`, now);
