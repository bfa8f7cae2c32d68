import type { Database } from './db.js';
import { type Mutation, type Query, type Sql, sql } from './sql.js';
import { type TABLES, tableNamed } from './tables.js';

type Name = keyof typeof TABLES;

/**
 * The tables whose rows go with their account, in the order in which they are deleted: a table before those that it refers to, what lets
 * somebody in first, and the counts last, because a deleted record changes them.
 */
const DELETED = {
  api_keys: sql`api_keys`,
  password_resets: sql`password_resets`,
  login_sessions: sql`login_sessions`,
  staff_sessions: sql`staff_sessions`,
  webauthn_challenges: sql`webauthn_challenges`,
  passkeys: sql`passkeys`,
  members: sql`members`,
  one_time_codes: sql`one_time_codes`,
  oidc_state: sql`oidc_state`,
  oidc_grants: sql`oidc_grants`,
  oidc_clients: sql`oidc_clients`,
  oidc_keys: sql`oidc_keys`,
  oidc_issuers: sql`oidc_issuers`,
  refresh_tokens: sql`refresh_tokens`,
  sessions: sql`sessions`,
  webhook_attempts: sql`webhook_attempts`,
  webhook_retries: sql`webhook_retries`,
  webhooks: sql`webhooks`,
  approval_approvers: sql`approval_approvers`,
  approvals: sql`approvals`,
  known_browsers: sql`known_browsers`,
  proof_pairing_sessions: sql`proof_pairing_sessions`,
  identity_additions: sql`identity_additions`,
  registration_sessions: sql`registration_sessions`,
  sso_requests: sql`sso_requests`,
  attendance_closings: sql`attendance_closings`,
  attendance_corrections: sql`attendance_corrections`,
  attendance_inspections: sql`attendance_inspections`,
  attendance_marks: sql`attendance_marks`,
  attendance_months: sql`attendance_months`,
  attendance_pins: sql`attendance_pins`,
  attendance_proofs: sql`attendance_proofs`,
  attendance_readings: sql`attendance_readings`,
  attendance: sql`attendance`,
  verifications: sql`verifications`,
  attestation_keys: sql`attestation_keys`,
  identity_commitments: sql`identity_commitments`,
  identities: sql`identities`,
  sso_identities: sql`sso_identities`,
  tenant_users: sql`tenant_users`,
  sites: sql`sites`,
  devices: sql`devices`,
  device_signatures: sql`device_signatures`,
  leaf_chains: sql`leaf_chains`,
  sealed_chains: sql`sealed_chains`,
  sealed_pages: sql`sealed_pages`,
  spent_names: sql`spent_names`,
  spent_nonces: sql`spent_nonces`,
  idempotency_keys: sql`idempotency_keys`,
  company_profiles: sql`company_profiles`,
  login_addresses: sql`login_addresses`,
  login_failures: sql`login_failures`,
  recent_calls: sql`recent_calls`,
  rejected_calls: sql`rejected_calls`,
  usage_hours: sql`usage_hours`,
  usage_months: sql`usage_months`,
  record_count_changes: sql`record_count_changes`,
  record_counts: sql`record_counts`,
} satisfies Partial<Record<Name, Sql>>;

/** The tables with rows of accounts that are not deleted with them, and why. */
export const KEPT: Readonly<Partial<Record<Name, string>>> = {
  tenants:
    'The row keeps its id, so that no account ever gets it again. Its e-mail, name, password and policy go.',
  audit_events: 'They name records by ids only, and the chain would not verify without them.',
  audit_heads: 'The signed ends of the chains.',
  audit_trees: 'The signed trees over the chains.',
  audit_tree_tiles: 'Hashes of the chains’ rows, for proofs that a row is in its tree.',
  anchor_leaves:
    'Proofs of other accounts need the hashes of the leaves in their batches. `features/anchors` removes everything else.',
};

/** In the order in which they are deleted. */
export const DELETED_TABLES = Object.keys(DELETED) as (keyof typeof DELETED)[];

const BATCH_SIZE = 1_000;

/** Some rows of the account, without those that a transaction has locked. A table that all machines have is deleted from without a limit: it has few rows, and their places differ. */
function deleteSome(name: keyof typeof DELETED, tenantId: string): Mutation {
  const table: Sql = DELETED[name];
  const batch =
    tableNamed(name)?.placement === 'everywhere'
      ? sql`true`
      : sql`ctid = any (array(select ctid from ${table}
          where tenant_id = ${tenantId} limit ${BATCH_SIZE} for update skip locked))`;
  return sql.mutation`delete from ${table} where tenant_id = ${tenantId} and ${batch} returning 1 as done`;
}

/** What deletes the rows of an account, without an audit event. */
interface RowDatabase {
  mutate(statement: Mutation): Promise<unknown[]>;
}

/** Deletes a batch of a table's rows. Returns whether there were any. */
export const deleteAccountRows = async (
  db: RowDatabase,
  name: keyof typeof DELETED,
  tenantId: string,
): Promise<boolean> => (await db.mutate(deleteSome(name, tenantId))).length > 0;

/** Whether the account has no row in any of these tables. */
export async function hasNoRows(db: Pick<Database, 'read'>, tenantId: string): Promise<boolean> {
  const found = await db.read('latest', Object.values(DELETED).map(anyOf(tenantId)));
  return found.every((rows) => rows.length === 0);
}

const anyOf =
  (tenantId: string) =>
  (table: Sql): Query =>
    sql.query`select 1 as found from ${table} where tenant_id = ${tenantId} limit 1`;
