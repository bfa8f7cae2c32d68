import { iso } from '../../kernel/schema.js';
import type { UserRow } from './users.store.js';

export { User } from './users.schema.js';
export { findUser, insertUser, lockUserByExternalId, type UserRow } from './users.store.js';

/** The name of a person registered by an identity alone (DECISIONS §2, Identity `userId`). */
export const nameOf = (externalId: string | undefined): string => externalId ?? 'Unnamed';

export const showUser = (row: UserRow) => ({
  id: row.id,
  environment: row.environment,
  fullName: row.full_name,
  externalId: row.external_id,
  email: row.email,
  phone: row.phone,
  employeeCode: row.employee_code,
  primaryDeviceId: row.primary_device_id,
  metadata: row.metadata,
  status: row.status,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
});
