import { sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';

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
  status: 'active' | 'inactive';
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = sql`id, environment, full_name, external_id, email, phone, employee_code, primary_device_id, metadata,
  status, created_at, updated_at`;

export function insertUser(
  w: Write,
  user: { id: string; fullName: string; externalId: string | null },
  now: Date,
): Promise<unknown> {
  const { tenantId, environment } = w.scope;
  return w.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, external_id, created_at, updated_at)
    values (${tenantId}, ${environment}, ${user.id}, ${user.fullName}, ${user.externalId}, ${now}, ${now})`);
}

export async function findUser(read: Read, id: string): Promise<UserRow | undefined> {
  const [row] = await read.query<UserRow>(
    sql`select ${COLUMNS} from tenant_users where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** Locks the user, so that what depends on them is decided once. */
export async function lockUserByExternalId(
  w: Write,
  externalId: string,
): Promise<{ id: string } | undefined> {
  const [row] = await w.query<{ id: string }>(
    sql`select id from tenant_users where ${within(w.scope)} and external_id = ${externalId} for update`,
  );
  return row;
}
