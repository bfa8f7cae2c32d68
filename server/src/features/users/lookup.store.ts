/**
 * All look-ups of people by external id or e-mail. We plan to encrypt these columns and compare a keyed hash instead, so no
 * statement outside this file compares them (`lookup.test.ts`).
 */

import { isUuid } from '../../base/crypto/random.js';
import type { Database } from '../../db/db.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { canonical, type EqualId, formsOf } from '../../records/canonical.js';
import { opaque } from '../../records/first-rows.js';
import type { AnySort } from '../../records/order.js';
import { startsWith } from '../../records/prefix.js';

/** What the index of external ids has. */
const EXTERNAL_ID = canonical(sql`external_id`);

const hasExternalId = (externalId: string): Sql =>
  sql`${EXTERNAL_ID} = ${canonical(sql`${externalId}::text`)}`;

/**
 * A subquery to select from. One user has this id, or a few of before ids were compared in one form. `offset 0` makes the planner find that row first, whatever the other
 * conditions are.
 */
export const usersWithExternalId = (scope: Scope, externalId: string): Sql =>
  sql`(select * from tenant_users where ${within(scope)} and ${hasExternalId(externalId)} offset 0) as named`;

/**
 * The same address, ignoring the case of ASCII letters, and whether letters with accents are composed. In the C collation `lower`
 * changes only ASCII letters, in any locale.
 */
export const hasEmail = (email: string): Sql =>
  formsOf(email)
    .map((form) => sql`lower(email collate "C") = lower(${form}::text collate "C")`)
    .reduce((left, right) => sql`(${left} or ${right})`);

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
  usersWhere(
    scope,
    formsOf(email)
      .map((form) => sql`lower(email collate "C") = ${opaque(sql`lower(${form}::text collate "C")`)}`)
      .reduce((left, right) => sql`(${left} or ${right})`),
  );

export interface FoundByWords {
  id: string;
  full_name: string;
  name_confirmation: object | null;
}

/** Active people whose name begins or ends with these whole words. */
export function findByWords(read: Read, words: string, count: number): Promise<FoundByWords[]> {
  const begins = startsWith([sql`full_name`, sql`split_part(rtrim(full_name), ' ', -1)`], words);
  const apart = (text: Sql) => sql`' ' || lower(normalize(${text})) || ' '`;
  return read.query<FoundByWords>(sql.query`select id, full_name, name_confirmation from ${usersWhere(read.scope, sql`(${begins})`)}
    where ${within(read.scope)} and status = 'active' and erased_at is null
      and position(${apart(sql`${words}::text`)} in ${apart(sql`full_name`)}) > 0
    order by lower(full_name), id limit ${count}`);
}

/** A condition: a user of that tenant and environment has that external id. */
export const externalIdExists = ({ tenantId, environment }: Scope, externalId: Sql): Sql =>
  sql`exists (select 1 from tenant_users u where u.tenant_id = ${tenantId} and u.environment = ${environment}
    and ${canonical(sql`u.external_id`)} = ${canonical(externalId)})`;

/** Locks the user, so concurrent decisions about the user run one after another. Of several with the id, the one that has it as it is sent. */
export async function lockUserByExternalId(
  w: Write,
  externalId: string,
): Promise<{ id: string } | undefined> {
  const [row] = await w.query<{ id: string }>(
    sql.query`select id from tenant_users where ${within(w.scope)} and ${hasExternalId(externalId)}
      order by external_id = ${externalId} desc, id limit 1 for update`,
  );
  return row;
}

/** Whether another user than `id` has the external id. One that `id` has already, as it is sent, is not taken. */
export async function externalIdTaken(read: Read, externalId: string, id?: string): Promise<boolean> {
  const others =
    id === undefined
      ? sql``
      : sql`and id <> ${id} and not exists (select 1 from tenant_users t
          where ${within(read.scope, 't')} and t.id = ${id} and t.external_id = ${externalId})`;
  const rows = await read.query(
    sql.query`select 1 from tenant_users where ${within(read.scope)} and ${hasExternalId(externalId)} ${others} limit 1`,
  );
  return rows.length > 0;
}

/**
 * Users whose external id another user has in another form, from before forms were compared. Of each such pair, at least one id is not
 * in normalization form C.
 */
export const listEqualIds = (db: Database, limit: number): Promise<EqualId[]> =>
  db.query<EqualId>(sql.query`select u.tenant_id, u.environment, u.id, o.id as other_id from tenant_users u
    join tenant_users o on o.tenant_id = u.tenant_id and o.environment = u.environment and o.id <> u.id
      and ${canonical(sql`o.external_id`)} = ${canonical(sql`u.external_id`)}
    where u.external_id is not nfc normalized order by u.id, o.id limit ${limit}`);
