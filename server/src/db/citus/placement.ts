import type { Database } from '../db.js';
import { sql } from '../sql.js';

/**
 * Where a table is when the database is spread over several machines. `tenant`: each row is on the machine of its tenant.
 * `everywhere`: all machines have all rows, because they are read before the tenant is known, are joined with the rows of a
 * tenant, or belong to none. A change of such a row is a commit on all machines.
 */
export type Placement = 'tenant' | 'everywhere';

/** Every table. `server/test/database/placement.test.ts` compares it with the schema. */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  // Before the tables that refer to them.
  tenants: 'everywhere',
  anchor_batches: 'everywhere',
  tenant_users: 'tenant',
  anchor_leaves: 'tenant',
  anchor_transactions: 'everywhere',
  anchor_workers: 'everywhere',
  api_keys: 'everywhere',
  attendance: 'tenant',
  audit_events: 'tenant',
  audit_heads: 'tenant',
  company_profiles: 'tenant',
  demo_idp_codes: 'everywhere',
  demo_idp_keys: 'everywhere',
  devices: 'tenant',
  idempotency_keys: 'tenant',
  identities: 'tenant',
  leads: 'everywhere',
  login_addresses: 'tenant',
  one_time_codes: 'everywhere',
  proof_pairing_sessions: 'tenant',
  recent_calls: 'tenant',
  record_count_changes: 'tenant',
  record_counts: 'tenant',
  refresh_tokens: 'tenant',
  registration_sessions: 'tenant',
  schema_migrations: 'everywhere',
  sealing_keys: 'everywhere',
  sessions: 'tenant',
  spent_nonces: 'tenant',
  sso_identities: 'tenant',
  sso_requests: 'tenant',
  usage_hours: 'tenant',
  usage_months: 'tenant',
  verifications: 'tenant',
  webhook_attempts: 'tenant',
  webhook_retries: 'tenant',
  webhooks: 'tenant',
  oidc_clients: 'tenant',
  oidc_grants: 'tenant',
  oidc_issuers: 'tenant',
  oidc_keys: 'tenant',
  oidc_state: 'tenant',
};

/** What Citus needs to know in a transaction that places tables or changes placed ones. */
export const PLACING = [
  // A change of a table that others refer to is rejected after a change over parallel connections.
  "set local citus.multi_shard_modify_mode to 'sequential'",
  // Our triggers only count within their tenant or reject changes, which is safe on each machine.
  'set local citus.enable_unsafe_triggers to on',
];

/** The statement of Citus that places a table. The name comes from `PLACEMENTS` or from a migration, never from input. */
export const placeTable = (table: string, placement: Placement): string =>
  placement === 'tenant'
    ? `select create_distributed_table('${table}', 'tenant_id')`
    : `select create_reference_table('${table}')`;

/** Whether Citus spreads the tables of this database over several machines. */
export async function isSpread(db: Database): Promise<boolean> {
  // Only a database with Citus has the catalog, so look for it first.
  const [catalog] = await db.query<{ there: boolean }>(
    sql.query`select to_regclass('pg_catalog.pg_dist_partition') is not null as there`,
  );
  if (!catalog?.there) return false;
  const rows = await db.query(
    sql.query`select 1 from pg_dist_partition where logicalrelid = to_regclass('public.audit_heads')`,
  );
  return rows.length > 0;
}
