import { type Query, type Sql, sql } from '../../db/sql.js';
import { SEALED_AT } from '../../ledger/record-seal.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { type Changes, type NewRow, type Row, record } from '../../records/columns.js';
import { countRows, type FilteredRows, firstRows } from '../../records/first-rows.js';
import type { ListQuery } from '../../records/list.js';
import {
  inRange,
  orderById,
  orderByTime,
  orderByValue,
  positionByValue,
  positionOf,
  type TimeRange,
  valueSortOf,
} from '../../records/order.js';
import {
  emailOrder,
  externalIdExists,
  hasEmail,
  isFoundBy,
  usersFoundBy,
  usersWithEmail,
  usersWithExternalId,
} from './lookup.store.js';
import { USER_STATUSES, userColumns } from './users.schema.js';

export const users = record(userColumns);
const COLUMNS = users.list;
/** Users with what their seals are made of. */
export const sealedUsers = {
  kind: 'user',
  table: sql`tenant_users`,
  of: users,
  sealedAt: sql`sealed_at`,
  textHash: sql`null::text`,
} as const;
export type UserRow = Row<typeof userColumns>;
export type UserStatus = UserRow['status'];

/** A condition: no device is given, or it belongs to this tenant and environment. */
const deviceKnown = (w: Write, deviceId: string | null | undefined) =>
  sql`(${deviceId ?? null}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId ?? null}))`;

/** The same for the site. */
const siteKnown = (w: Write, siteId: string | null | undefined) =>
  sql`(${siteId ?? null}::uuid is null or exists (select 1 from sites where ${within(w.scope)} and id = ${siteId ?? null}))`;

export async function siteExists(read: Read, id: string): Promise<boolean> {
  const [row] = await read.query(
    sql.query`select 1 as found from sites where ${within(read.scope)} and id = ${id}`,
  );
  return row !== undefined;
}

/** Undefined if the guard, which follows the values, excludes it. */
async function insertGuarded(
  w: Write,
  user: NewRow<typeof userColumns>,
  guard: Sql,
): Promise<UserRow | undefined> {
  const seal = w.seal('user');
  const [row] =
    await w.mutate<UserRow>(sql.mutation`insert into tenant_users (tenant_id, ${COLUMNS}, ${SEALED_AT})
    select ${w.scope.tenantId}::uuid, ${users.values(user)}, ${seal.values}, ${user.updated_at}::timestamptz
    ${guard} returning ${COLUMNS}`);
  if (row) seal.place(users.serialize(row));
  return row;
}

/** Undefined if its device or site does not exist. */
export const insertUser = (w: Write, user: NewRow<typeof userColumns>): Promise<UserRow | undefined> =>
  insertGuarded(
    w,
    user,
    sql`where ${deviceKnown(w, user.primary_device_id)} and ${siteKnown(w, user.site_id)}`,
  );

/** Undefined if another user has the externalId. */
export const insertUnlessKnown = (w: Write, user: NewRow<typeof userColumns>): Promise<UserRow | undefined> =>
  insertGuarded(
    w,
    user,
    sql`where not ${externalIdExists(w.scope, sql`${user.external_id ?? null}::text`)} on conflict do nothing`,
  );

export async function findUser(read: Read, id: string): Promise<UserRow | undefined> {
  const [row] = await read.query<UserRow>(
    sql.query`select ${COLUMNS} from tenant_users where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export interface UserSearch extends ListQuery, TimeRange {
  readonly status?: UserStatus;
  readonly externalId?: string;
  readonly email?: string;
  readonly q?: string;
}

/** With `from` or `to`, a list is ordered by the time that they compare, unless it was looked up or searched for. */
const isByTime = ({ q, externalId, email, from, to }: UserSearch): boolean =>
  [q, externalId, email].every((value) => value === undefined) && (from !== undefined || to !== undefined);

/** The position at the end of a page. */
export const userPosition = (row: UserRow, query: UserSearch): string =>
  valueSortOf(query.sort)
    ? positionByValue(row.id, row.full_name)
    : positionOf(row.id, isByTime(query) ? row.created_at : undefined);

/** What the index of names has. */
const NAME = {
  column: sql`lower(full_name collate "C")`,
  read: (name: string): Sql => sql`lower(${name}::text collate "C")`,
};

function matching({ scope }: Read, filter: UserSearch, after: string | undefined): FilteredRows {
  const { q, status, externalId, email } = filter;
  const byTime = isByTime(filter);
  const byValue = valueSortOf(filter.sort);
  const { conditions: position, order } = byValue
    ? orderByValue(NAME, { ...filter, ...byValue }, after)
    : byTime
      ? orderByTime(sql`created_at`, filter, after)
      : orderById(filter.sort, after);
  const conditions = [
    within(scope),
    ...position,
    ...(byTime ? [] : inRange(sql`created_at`, filter)),
    ...(email === undefined ? [] : [hasEmail(email)]),
  ];
  const isInRange = filter.from !== undefined || filter.to !== undefined;
  if (q === undefined && externalId === undefined && email !== undefined && (isInRange || byValue)) {
    // No index has both columns, and few people share an e-mail address.
    if (status) conditions.push(sql`status = ${status}`);
    return { table: usersWithEmail(scope, email), conditions, order };
  }
  if (q === undefined && externalId === undefined && (status || email !== undefined || byTime || byValue)) {
    const choices = [{ column: sql`status`, values: status ? [status] : USER_STATUSES }] as const;
    const table = sql`tenant_users`;
    return { table, conditions, choices, order: email === undefined ? order : emailOrder(filter.sort) };
  }
  if (status) conditions.push(sql`status = ${status}`);
  if (externalId === undefined)
    return { table: q === undefined ? sql`tenant_users` : usersFoundBy(scope, q), conditions, order };
  // Hardly more than one user has this id, so its other columns need no index.
  if (q !== undefined) conditions.push(isFoundBy(q));
  return { table: usersWithExternalId(scope, externalId), conditions, order };
}

/** A page of the list. */
export const selectUsers = (read: Read, query: UserSearch, count: number, after: string | undefined): Query =>
  firstRows(COLUMNS, matching(read, query, after), count);

export async function countUsers(read: Read, query: UserSearch): Promise<number> {
  // The order makes no difference, and one of the indexes is enough.
  const { sort: _, ...filter } = query;
  const [row] = await read.query<{ count: number }>(countRows(matching(read, filter, undefined)));
  return row?.count ?? 0;
}

/** The user as it is before an update in the same write. */
export async function lockUser(w: Write, id: string): Promise<UserRow | undefined> {
  const [row] = await w.query<UserRow>(
    sql.query`select ${COLUMNS} from tenant_users where ${within(w.scope)} and id = ${id} for update`,
  );
  return row;
}

export async function findNameOfEvent(read: Read, attendanceId: string): Promise<string | undefined> {
  const [row] = await read.query<{ name: string }>(sql.query`select t.full_name as name from tenant_users t
    where ${within(read.scope, 't')} and t.id = (select user_id from attendance where ${within(read.scope)} and id = ${attendanceId})`);
  return row?.name;
}

export function listNames(
  read: Read,
  ids: readonly string[],
): Promise<{ id: string; name: string; status: UserStatus }[]> {
  return read.query(
    sql.query`select id, full_name as name, status from tenant_users where ${within(read.scope)} and id = any (${ids}::uuid[])`,
  );
}

/**
 * Undefined if the user, the new device or the new site does not exist, or the user was erased. An e-mail that nobody confirmed stays so while it is the
 * same, unless the one who sends it confirms it. One that reception typed is not confirmed, unless it was before.
 */
export async function updateUser(
  w: Write,
  id: string,
  changes: Changes<typeof userColumns>,
  now: Date,
  source: 'typed' | 'known' | 'confirmed' = 'known',
): Promise<UserRow | undefined> {
  const isSame = sql`email is not distinct from ${changes.email}::text`;
  const isUnconfirmed = {
    typed: sql`case when ${isSame} then email_from_device else ${changes.email}::text is not null end`,
    known: sql`email_from_device and ${isSame}`,
    confirmed: sql`false`,
  };
  const name =
    changes.full_name === undefined
      ? sql``
      : sql`, name_confirmation = case when ${changes.full_name}::text = full_name then name_confirmation end`;
  const email = changes.email === undefined ? sql`` : sql`, email_from_device = ${isUnconfirmed[source]}`;
  const seal = w.seal('user');
  const [row] =
    await w.mutate<UserRow>(sql.mutation`update tenant_users set ${users.assignments(changes)}${name}${email}, updated_at = ${now},
      ${seal.assignments}, sealed_at = ${now}
    where ${within(w.scope)} and id = ${id} and erased_at is null and ${deviceKnown(w, changes.primary_device_id)}
      and ${siteKnown(w, changes.site_id)}
    returning ${COLUMNS}`);
  if (row) seal.place(users.serialize(row));
  return row;
}

/** Whether the person has an identity, or had one. */
export async function hadIdentity(read: Read, id: string): Promise<boolean> {
  const [row] = await read.query<{ had: boolean }>(
    sql.query`select exists (select 1 from identities where ${within(read.scope)} and user_id = ${id}) as had`,
  );
  return row?.had ?? false;
}

/** Undefined if there is no such user, or the user was erased. */
export async function confirmName(
  w: Write,
  id: string,
  confirmation: NonNullable<UserRow['name_confirmation']>,
  now: Date,
): Promise<UserRow | undefined> {
  const seal = w.seal('user');
  const [row] =
    await w.mutate<UserRow>(sql.mutation`update tenant_users set name_confirmation = ${JSON.stringify(confirmation)}::json,
      updated_at = ${now}, ${seal.assignments}, sealed_at = ${now}
    where ${within(w.scope)} and id = ${id} and erased_at is null
    returning ${COLUMNS}`);
  if (row) seal.place(users.serialize(row));
  return row;
}

/** How a person is erased. */
export interface Erasure {
  readonly id: string;
  readonly at: Date;
  /** The API key that does it, if one does. */
  readonly keyId: string | null;
}

/** Removes everything personal from a user's own row, with what its seal was made with, unless that was done before. */
export async function eraseUser(w: Write, id: string, erasure: Erasure): Promise<void> {
  await w.mutate(sql.mutation`update tenant_users set full_name = '', ${users.cleared}, email_from_device = false, name_confirmation = null, status = 'inactive',
      facts_salt = null, text_salt = null,
      updated_at = ${erasure.at}, erased_at = ${erasure.at}, erasure_id = ${erasure.id}, erasing_key_id = ${erasure.keyId}
    where ${within(w.scope)} and id = ${id} and erased_at is null`);
}

export interface ErasureRow {
  erasure_id: string;
  erased_at: Date;
}

export async function findErasure(read: Read, id: string): Promise<ErasureRow | undefined> {
  const [row] = await read.query<ErasureRow>(sql.query`select erasure_id, erased_at from tenant_users
    where ${within(read.scope)} and id = ${id} and erased_at is not null`);
  return row;
}

/** How many people a key has erased since then, and when it erased the first of them. Null stands for callers without a key. */
export async function countErasures(
  read: Read,
  keyId: string | null,
  since: Date,
): Promise<{ count: number; first: Date | null }> {
  const [row] = await read.query<{
    count: number;
    first: Date | null;
  }>(sql.query`select count(*), min(erased_at) as first
    from tenant_users where ${within(read.scope)} and erased_at > ${since} and erasing_key_id is not distinct from ${keyId}::uuid`);
  return row as { count: number; first: Date | null };
}

/** The user's primary device, if it is a phone that no other user has, and that holds no identity of somebody else. */
export async function findOwnPhone(read: Read, id: string): Promise<string | undefined> {
  const { tenantId, environment } = read.scope;
  const inScope = (alias: Sql) =>
    sql`${alias}.tenant_id = ${tenantId} and ${alias}.environment = ${environment}`;
  const [row] = await read.query<{ id: string }>(sql.query`select d.id from tenant_users t
    join devices d on ${inScope(sql`d`)} and d.id = t.primary_device_id and d.device_type in ('mobile_android', 'mobile_ios')
    where ${within(read.scope, 't')} and t.id = ${id}
      and not exists (select 1 from tenant_users o where ${inScope(sql`o`)} and o.primary_device_id = d.id and o.id <> t.id)
      and not exists (select 1 from identities i where ${inScope(sql`i`)} and i.device_id = d.id and i.user_id <> t.id)`);
  return row?.id;
}

/** The e-mails of these people, if they are active. One that was typed at a device, and that nobody confirmed, is none. */
export async function confirmedEmails(
  read: Read,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly email: string }[]> {
  const people = await read.query<{
    id: string;
    email: string | null;
  }>(sql.query`select id, email from tenant_users
    where ${within(read.scope)} and id = any(${[...ids]}::uuid[]) and status = 'active' and not email_from_device order by id`);
  return people.flatMap(({ id, email }) => (email === null ? [] : [{ id, email }]));
}
