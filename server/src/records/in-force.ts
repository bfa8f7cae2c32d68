import { type Sql, sql } from '../db/sql.js';

/** An SQL condition: after a restore, the owner of the identity's account has not confirmed it yet. `alias` is the identity's table. */
const isLocked = (alias: Sql): Sql =>
  sql`exists (select 1 from tenants a where a.id = ${alias}.tenant_id and a.identities_locked_at is not null)`;

/** An SQL condition: the identity is not revoked, and can't be used nevertheless. */
export const isNotInForce = (alias: Sql, now: Date): Sql =>
  sql`(coalesce(${alias}.in_force_at > ${now}, false) or ${isLocked(alias)})`;

/**
 * An SQL condition: the identity can be used. `alias` is its table in the statement. One that was added with a cool-down comes
 * into force later, one of a recovery when that is completed, and after a restore all of an account when its owner confirms them.
 */
export const isInForce = (alias: Sql, now: Date): Sql =>
  sql`(${alias}.revoked_at is null and not ${isNotInForce(alias, now)})`;
