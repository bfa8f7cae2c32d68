import { newest, opaque } from '../../db/newest.js';
import { join, sql } from '../../db/sql.js';
import { type Changes, type NewRow, type Row, record } from '../../http/columns.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { EMAIL_ORDER, hasEmail, usersWithExternalId } from './lookup.store.js';
import { USER_STATUSES, userColumns } from './users.schema.js';

export const users = record(userColumns);
const COLUMNS = users.list;
export type UserRow = Row<typeof userColumns>;
export type UserStatus = UserRow['status'];

/** A condition: no device is given, or it belongs to this tenant and environment. */
const deviceKnown = (w: Write, deviceId: string | null | undefined) =>
  sql`(${deviceId ?? null}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId ?? null}))`;

/** Undefined if its device does not exist. */
export async function insertUser(w: Write, user: NewRow<typeof userColumns>): Promise<UserRow | undefined> {
  const [row] = await w.mutate<UserRow>(sql.mutation`insert into tenant_users (tenant_id, ${COLUMNS})
    select ${w.scope.tenantId}::uuid, ${users.values(user)}
    where ${deviceKnown(w, user.primary_device_id)}
    returning ${COLUMNS}`);
  return row;
}

export async function findUser(read: Read, id: string): Promise<UserRow | undefined> {
  const [row] = await read.query<UserRow>(
    sql.query`select ${COLUMNS} from tenant_users where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export function listUsers(
  read: Read,
  filter: { status?: UserStatus; externalId?: string; email?: string },
  count: number,
  before: string | undefined,
): Promise<UserRow[]> {
  const { status, externalId, email } = filter;
  const conditions = [
    within(read.scope),
    ...(before ? [sql`id < ${opaque(sql`${before}::uuid`)}`] : []),
    ...(email === undefined ? [] : [hasEmail(email)]),
  ];
  if (externalId === undefined && (status || email !== undefined)) {
    const choices = [{ column: sql`status`, values: status ? [status] : USER_STATUSES }] as const;
    const order = email === undefined ? sql`id desc` : EMAIL_ORDER;
    return read.query<UserRow>(
      newest({ columns: COLUMNS, table: sql`tenant_users`, conditions, choices, order, count }),
    );
  }
  if (status) conditions.push(sql`status = ${status}`);
  const from = externalId === undefined ? sql`tenant_users` : usersWithExternalId(read.scope, externalId);
  return read.query<UserRow>(
    sql.query`select ${COLUMNS} from ${from} where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

/** Undefined if the user or the new device does not exist. */
export async function updateUser(
  w: Write,
  id: string,
  changes: Changes<typeof userColumns>,
  now: Date,
): Promise<UserRow | undefined> {
  const update =
    w.mutate<UserRow>(sql.mutation`update tenant_users set ${users.assignments(changes)}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and ${deviceKnown(w, changes.primary_device_id)} returning ${COLUMNS}`);
  // Write `sessions` here, although sessions.store.ts owns them: the sessions feature imports this one. The statement runs after
  // the user's row is locked, so it sees the sessions of verifications that committed before.
  const end =
    changes.status === 'inactive'
      ? w.mutate(sql.mutation`update sessions set revoked_at = ${now}
          where ${within(w.scope)} and user_id = ${id} and revoked_at is null`)
      : undefined;
  const [[row]] = await Promise.all([update, end]);
  return row;
}
