/**
 * Where a table is when the database is spread over several machines. `tenant`: each row is on the machine of its tenant.
 * `everywhere`: all machines have all rows, because they are read before the tenant is known, are joined with the rows of a
 * tenant, or belong to none. A change of such a row is a commit on all machines.
 */
export type Placement = 'tenant' | 'everywhere';

export interface Table {
  /** The one file that writes it. `statements.test.ts` has the exceptions, with their reasons. */
  readonly owner: string;
  readonly placement: Placement;
  /** The owner's feature declares when its rows expire (`Expiry`), and a job deletes them. */
  readonly expires?: true;
}

/** Every table. Tests compare it with the schema and with the statements of the sources. */
export const TABLES = {
  // Before the tables that refer to them.
  tenants: { owner: 'features/accounts/accounts.store.ts', placement: 'everywhere' },
  anchor_batches: { owner: 'features/anchors/anchors.store.ts', placement: 'everywhere' },
  tenant_users: { owner: 'features/users/users.store.ts', placement: 'tenant' },
  anchor_leaves: { owner: 'features/anchors/anchors.store.ts', placement: 'tenant' },
  anchor_transactions: { owner: 'features/anchors/anchors.store.ts', placement: 'everywhere' },
  anchor_workers: { owner: 'features/anchors/anchors.store.ts', placement: 'everywhere' },
  api_keys: { owner: 'features/keys/keys.store.ts', placement: 'everywhere' },
  approval_approvers: { owner: 'features/approvals/approvals.store.ts', placement: 'tenant' },
  approvals: { owner: 'features/approvals/approvals.store.ts', placement: 'tenant' },
  attendance: { owner: 'features/attendance/attendance.store.ts', placement: 'tenant' },
  attendance_closings: { owner: 'features/sheets/closings.store.ts', placement: 'tenant' },
  attendance_corrections: { owner: 'features/corrections/corrections.store.ts', placement: 'tenant' },
  attendance_inspections: {
    owner: 'features/sheets/inspections/inspections.store.ts',
    placement: 'tenant',
  },
  attendance_marks: { owner: 'features/sheets/marks.store.ts', placement: 'tenant' },
  attendance_months: { owner: 'features/attendance/months.store.ts', placement: 'tenant' },
  attendance_pins: { owner: 'features/pins/pins.store.ts', placement: 'tenant' },
  attendance_readings: { owner: 'features/sheets/readings.store.ts', placement: 'tenant' },
  attendance_proofs: { owner: 'features/punches/punches.store.ts', placement: 'tenant' },
  audit_events: { owner: 'ledger/audit-store.ts', placement: 'tenant' },
  audit_heads: { owner: 'ledger/audit-store.ts', placement: 'tenant' },
  audit_tree_tiles: { owner: 'features/audit/tree/tree.store.ts', placement: 'tenant' },
  audit_trees: { owner: 'features/audit/tree/tree.store.ts', placement: 'tenant' },
  company_profiles: { owner: 'features/profile/profile.store.ts', placement: 'tenant' },
  demo_idp_codes: { owner: 'features/sso/demo/demo-idp.store.ts', placement: 'everywhere', expires: true },
  demo_idp_keys: { owner: 'features/sso/demo/demo-idp.store.ts', placement: 'everywhere' },
  device_signatures: {
    owner: 'features/devices/device-signatures.store.ts',
    placement: 'tenant',
    expires: true,
  },
  devices: { owner: 'features/devices/devices.store.ts', placement: 'tenant' },
  idempotency_keys: { owner: 'ledger/idempotency.ts', placement: 'tenant', expires: true },
  identities: { owner: 'features/identities/identities.store.ts', placement: 'tenant' },
  attestation_keys: {
    owner: 'features/attestation/attestation.store.ts',
    placement: 'tenant',
    expires: true,
  },
  identity_additions: {
    owner: 'features/phones/additions/additions.store.ts',
    placement: 'tenant',
    expires: true,
  },
  identity_commitments: {
    owner: 'features/identities/commitments/commitments.store.ts',
    placement: 'tenant',
  },
  known_browsers: { owner: 'features/browsers/browsers.store.ts', placement: 'tenant', expires: true },
  leaf_chains: {
    owner: 'features/identities/commitments/leaf-chains.store.ts',
    placement: 'tenant',
  },
  leads: { owner: 'features/leads/leads.store.ts', placement: 'everywhere', expires: true },
  login_addresses: {
    owner: 'features/accounts/accounts.store.ts',
    placement: 'tenant',
    expires: true,
  },
  login_failures: {
    owner: 'features/accounts/logins/login-failures.store.ts',
    placement: 'tenant',
    expires: true,
  },
  login_sessions: {
    owner: 'features/accounts/logins/logins.store.ts',
    placement: 'tenant',
    expires: true,
  },
  members: { owner: 'features/accounts/members/members.store.ts', placement: 'everywhere' },
  staff_sessions: { owner: 'features/staff/staff.store.ts', placement: 'tenant', expires: true },
  passkeys: { owner: 'features/accounts/passkeys/passkeys.store.ts', placement: 'everywhere' },
  one_time_codes: { owner: 'features/codes/codes.store.ts', placement: 'everywhere', expires: true },
  password_resets: {
    owner: 'features/accounts/logins/password-reset.store.ts',
    placement: 'everywhere',
    expires: true,
  },
  proof_pairing_sessions: { owner: 'features/pairing/pairing.store.ts', placement: 'tenant', expires: true },
  recent_calls: { owner: 'features/usage/usage.store.ts', placement: 'tenant', expires: true },
  record_count_changes: { owner: 'records/counts.store.ts', placement: 'tenant' },
  record_counts: { owner: 'records/counts.store.ts', placement: 'tenant' },
  restores: { owner: 'features/restore/restore.store.ts', placement: 'everywhere' },
  spent_names: {
    owner: 'features/identities/commitments/spent.store.ts',
    placement: 'tenant',
  },
  rejected_calls: {
    owner: 'features/usage/rejections/rejections.store.ts',
    placement: 'tenant',
    expires: true,
  },
  refresh_tokens: { owner: 'features/sessions/sessions.store.ts', placement: 'tenant', expires: true },
  registration_sessions: { owner: 'features/registrations/registrations.store.ts', placement: 'tenant' },
  schema_migrations: { owner: 'db/migrate.ts', placement: 'everywhere' },
  sealed_chains: { owner: 'features/seals/sealed-chains.store.ts', placement: 'tenant' },
  sealed_pages: { owner: 'records/seals/sealed-pages.ts', placement: 'tenant' },
  sealing_keys: { owner: 'features/sealing/sealing.store.ts', placement: 'everywhere' },
  sessions: { owner: 'features/sessions/sessions.store.ts', placement: 'tenant', expires: true },
  sites: { owner: 'features/sites/sites.store.ts', placement: 'tenant' },
  spent_nonces: { owner: 'features/proofs/nonces.store.ts', placement: 'tenant', expires: true },
  sso_identities: { owner: 'features/sso/sso.store.ts', placement: 'tenant' },
  sso_requests: { owner: 'features/sso/sso.store.ts', placement: 'tenant', expires: true },
  usage_hours: { owner: 'features/usage/hours.store.ts', placement: 'tenant', expires: true },
  usage_months: { owner: 'features/usage/usage.store.ts', placement: 'tenant' },
  verifications: { owner: 'features/verifications/verifications.store.ts', placement: 'tenant' },
  webauthn_challenges: {
    owner: 'features/accounts/passkeys/challenges.store.ts',
    placement: 'everywhere',
    expires: true,
  },
  webhook_attempts: {
    owner: 'features/webhooks/worker/deliveries.store.ts',
    placement: 'tenant',
    expires: true,
  },
  webhook_retries: { owner: 'features/webhooks/webhooks.store.ts', placement: 'tenant' },
  webhooks: { owner: 'features/webhooks/webhooks.store.ts', placement: 'tenant' },
  oidc_clients: { owner: 'features/openid-provider/clients/clients.store.ts', placement: 'tenant' },
  oidc_grants: {
    owner: 'features/openid-provider/provider/grants.store.ts',
    placement: 'tenant',
    expires: true,
  },
  oidc_issuers: { owner: 'features/openid-provider/keys/keys.store.ts', placement: 'tenant' },
  oidc_keys: { owner: 'features/openid-provider/keys/keys.store.ts', placement: 'tenant' },
  oidc_state: {
    owner: 'features/openid-provider/provider/state.store.ts',
    placement: 'tenant',
    expires: true,
  },
} as const satisfies Record<string, Table>;

export const tableNamed = (name: string): Table | undefined => (TABLES as Record<string, Table>)[name];

/** In the order in which they can be placed. */
export const tablesPlaced = (placement: Placement): string[] =>
  Object.entries(TABLES)
    .filter(([, table]) => table.placement === placement)
    .map(([name]) => name);
