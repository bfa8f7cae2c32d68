import { newest } from '../../kernel/db/newest.js';
import { join, type Sql, sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';
import { EMAIL_ORDER, hasEmail, usersWithExternalId } from './lookup.store.js';
import { USER_STATUSES } from './users.schema.js';

export type UserStatus = (typeof USER_STATUSES)[number];

export interface UserRow {
  id: string;
  environment: 'live' | 'test';
  full_name: string;
  external_id: string | null;
  email: string | null;
  phone: string | null;
  employee_code: string | null;
  primary_device_id: string | null;
  metadata: Record<string, unknown> | null;
  status: UserStatus;
  created_at: Date;
  updated_at: Date;
}

/** The columns that a caller sets, by their names. */
export type UserChanges = Partial<Omit<UserRow, 'id' | 'environment' | 'created_at' | 'updated_at'>>;

const COLUMNS = sql`id, environment, full_name, external_id, email, phone, employee_code, primary_device_id, metadata,
  status, created_at, updated_at`;

const json = (value: Record<string, unknown> | null | undefined) => (value ? JSON.stringify(value) : null);

/** True for no device, and for one of this tenant and environment. */
const deviceKnown = (w: Write, deviceId: string | null | undefined) =>
  sql`(${deviceId ?? null}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId ?? null}))`;

/** Undefined when the device that it names is not there. */
export async function insertUser(
  w: Write,
  id: string,
  user: UserChanges,
  now: Date,
): Promise<UserRow | undefined> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.query<UserRow>(sql`insert into tenant_users (tenant_id, environment, id, full_name, external_id,
      email, phone, employee_code, primary_device_id, metadata, created_at, updated_at)
    select ${tenantId}::uuid, ${environment}, ${id}::uuid, ${user.full_name}, ${user.external_id ?? null},
      ${user.email ?? null}, ${user.phone ?? null}, ${user.employee_code ?? null}, ${user.primary_device_id ?? null}::uuid,
      ${json(user.metadata)}::json, ${now}::timestamptz, ${now}::timestamptz
    where ${deviceKnown(w, user.primary_device_id)}
    returning ${COLUMNS}`);
  return row;
}

export async function findUser(read: Read, id: string): Promise<UserRow | undefined> {
  const [row] = await read.query<UserRow>(
    sql`select ${COLUMNS} from tenant_users where ${within(read.scope)} and id = ${id}`,
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
    ...(before ? [sql`id < ${before}`] : []),
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
    sql`select ${COLUMNS} from ${from} where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

const ASSIGN: { readonly [K in keyof UserChanges]-?: (value: UserChanges[K]) => Sql } = {
  full_name: (value) => sql`full_name = ${value}`,
  external_id: (value) => sql`external_id = ${value}`,
  email: (value) => sql`email = ${value}`,
  phone: (value) => sql`phone = ${value}`,
  employee_code: (value) => sql`employee_code = ${value}`,
  primary_device_id: (value) => sql`primary_device_id = ${value}`,
  metadata: (value) => sql`metadata = ${json(value)}::json`,
  status: (value) => sql`status = ${value}`,
};

/** Undefined when there is no such user, or the device that is to be theirs is not there. */
export async function updateUser(
  w: Write,
  id: string,
  changes: UserChanges,
  now: Date,
): Promise<UserRow | undefined> {
  const assignments = Object.entries(changes).map(([column, value]) =>
    (ASSIGN[column as keyof UserChanges] as (value: unknown) => Sql)(value),
  );
  const update = w.query<UserRow>(sql`update tenant_users set ${join(assignments, ', ')}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and ${deviceKnown(w, changes.primary_device_id)} returning ${COLUMNS}`);
  // A statement of its own, after the user's row is locked: it sees the sessions that a verification won before.
  const end =
    changes.status === 'inactive'
      ? w.query(sql`update sessions set revoked_at = ${now}
          where ${within(w.scope)} and user_id = ${id} and revoked_at is null`)
      : undefined;
  const [[row]] = await Promise.all([update, end]);
  return row;
}
