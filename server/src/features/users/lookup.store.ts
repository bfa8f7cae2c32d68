/**
 * All look-ups of people by external id or e-mail. We plan to encrypt these columns and compare a keyed hash instead, so no
 * statement outside this file compares them (`lookup.test.ts`).
 */

import { isUuid } from '../../base/random.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { opaque } from '../../records/first-rows.js';
import type { AnySort } from '../../records/order.js';
import { startsWith } from '../../records/prefix.js';

const hasExternalId = (externalId: string): Sql => sql`external_id = ${externalId}`;

/**
 * A subquery to select from. At most one user has this id. `offset 0` makes the planner find that row first, whatever the other
 * conditions are.
 */
export const usersWithExternalId = (scope: Scope, externalId: string): Sql =>
  sql`(select * from tenant_users where ${within(scope)} and ${hasExternalId(externalId)} offset 0) as named`;

/** The same address, ignoring the case of ASCII letters. In the C collation `lower` changes only these, in any locale. */
export const hasEmail = (email: string): Sql =>
  sql`lower(email collate "C") = lower(${email}::text collate "C")`;

/** The order of the index on e-mails. */
export const emailOrder = (sort: AnySort | undefined): Sql =>
  sort === 'oldest' || sort === 'created' ? sql`id nulls first` : sql`id desc nulls last`;

/**
 * A condition: the user's name, last name, e-mail or external id starts with this text, or it is the user's id. The last name is the
 * last word of the name.
 */
export function isFoundBy(q: string): Sql {
  const texts = [sql`full_name`, sql`split_part(rtrim(full_name), ' ', -1)`, sql`email`, sql`external_id`];
  const found = startsWith(texts, q);
  return isUuid(q) ? sql`(${found} or id = ${q}::uuid)` : sql`(${found})`;
}

/**
 * Subqueries to select from. `offset 0` makes the planner read the index of each text that is compared, and join what they find,
 * whatever the other conditions are.
 */
const usersWhere = (scope: Scope, condition: Sql): Sql =>
  sql`(select * from tenant_users where ${within(scope)} and ${condition} offset 0) as found`;

export const usersFoundBy = (scope: Scope, q: string): Sql => usersWhere(scope, isFoundBy(q));

export const usersWithEmail = (scope: Scope, email: string): Sql =>
  usersWhere(scope, sql`lower(email collate "C") = ${opaque(sql`lower(${email}::text collate "C")`)}`);

/** A condition: a user of that tenant and environment has that external id. */
export const externalIdExists = ({ tenantId, environment }: Scope, externalId: Sql): Sql =>
  sql`exists (select 1 from tenant_users u where u.tenant_id = ${tenantId} and u.environment = ${environment}
    and u.external_id = ${externalId})`;

/** Locks the user, so concurrent decisions about the user run one after another. */
export async function lockUserByExternalId(
  w: Write,
  externalId: string,
): Promise<{ id: string } | undefined> {
  const [row] = await w.query<{ id: string }>(
    sql.query`select id from tenant_users where ${within(w.scope)} and ${hasExternalId(externalId)} for update`,
  );
  return row;
}

export async function externalIdTaken(read: Read, externalId: string): Promise<boolean> {
  const rows = await read.query(
    sql.query`select 1 from tenant_users where ${within(read.scope)} and ${hasExternalId(externalId)}`,
  );
  return rows.length > 0;
}
