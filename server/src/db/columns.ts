/** What removes a value, and when. */
const FATES = {
  erased: 'erasing the person',
  stripped: 'erasing the person, unless `events` is `keep`; the retention time of the account',
  hours:
    'erasing the person, when the retention time of the hours of their site is over; that retention time',
  registration: 'erasing the person; the retention time of the account',
  'in 5 minutes': 'erasing the person; a job, 5 minutes later',
  'in 10 minutes': 'a job, 10 minutes later',
  'in 24 hours': 'a job, 24 hours later',
  'in 30 days': 'erasing the person; a job, 30 days later',
  'with its session': 'erasing the person; a job, a minute after it was used',
  'with its sign-in': 'erasing the person, for codes and tokens; a job, when it expires',
  'after a year': 'a job, a year later',
  'log-in': 'a job, 30 days after the last log-in from there',
  browser: 'forgetting the browser; erasing the person; a job, 180 days after its last use',
  'in a day': 'ending the log-in; a job, 24 hours after it',
  member: 'removing the member; closing the account',
  passkey: 'removing the passkey or its member; closing the account',
  closed: 'closing the account',
  never: 'nothing: it is a keyed hash, which nobody can compute without the server’s keys',
} as const;
type Fate = keyof typeof FATES;

/** The columns of a table by what they can tell about somebody. Each kind but `plain` names what removes the values. */
export interface Classed {
  /** Ids, times, numbers, states, hashes of random values: nothing about anybody without the other columns. Separated by spaces. */
  readonly plain: string;
  /** About the people whose identities are verified. Null: nothing is left when the person is erased. */
  readonly person?: Readonly<Record<string, Fate>>;
  /** About the company and those who work with the account. */
  readonly account?: Readonly<Record<string, Fate>>;
}

const scoped = 'tenant_id environment';

/** Every column of every table. A test compares this with the schema. `npm run gen` writes the list in docs/privacy.md from it. */
export const COLUMNS = {
  anchor_batches: {
    plain: 'hub batch_id root leaves identities created_at included_at confirmed_at mined_hash mined_block',
  },
  anchor_leaves: {
    plain: `${scoped} id kind identity_id seq hash created_at hub batch_id position`,
    person: { first_word: 'erased', second_word: 'erased', salt: 'erased' },
  },
  anchor_transactions: {
    plain: 'hub batch_id tx_hash nonce signed max_fee priority_fee created_at taken_at',
  },
  anchor_workers: { plain: 'hub holder expires_at heads_at' },
  api_keys: {
    plain:
      'tenant_id id key_hash prefix environment scopes created_at last_used_at expires_at revoked_at replaced_by',
    account: { name: 'closed', allowed_cidrs: 'closed', last_used_network: 'closed' },
  },
  approval_approvers: {
    plain: `${scoped} approval_id user_id decision decided_at recorded_at identity_id circuit`,
    person: {
      did: 'erased',
      reason: 'erased',
      typed_number: 'erased',
      proof: 'erased',
      dropped_proofs: 'erased',
    },
  },
  approvals: {
    plain: `${scoped} id state digest required match_hash requester_kind requester_id created_at revision expires_at ended_at`,
    person: { statement: 'erased', reference: 'erased' },
  },
  attendance: {
    plain: `${scoped} id user_id type reason activity mode evidence site_id device_id verification_id correction_id result occurred_at created_at contested_at voided_by seal_n facts_salt text_salt text_hash`,
    person: { metadata: 'stripped' },
  },
  attendance_closings: {
    plain: `${scoped} site_id month version root sheets time_zone rules rules_version last_seq leaves closed_by closed_at`,
  },
  attendance_corrections: {
    plain: `${scoped} id user_id site_id state cause changes correction_sha256 proposed_by member_id person_digest person_identity_id person_proved_at person_by person_at member_at created_at expires_at ended_at recorded_at`,
    person: { note: 'hours', person_statement: 'hours', person_did: 'hours', person_proof: 'hours' },
  },
  attendance_inspections: {
    plain: `${scoped} id site_id from_month to_month token_hash code_hash expires_at opened_at looks wrong_codes locked_until created_by created_at revoked_at`,
  },
  attendance_marks: { plain: `${scoped} id user_id date source created_at`, person: { code: 'hours' } },
  attendance_months: { plain: `${scoped} site_id month entries` },
  attendance_pins: {
    plain: `${scoped} user_id must_change set_by set_at`,
    person: { pin_hash: 'erased' },
  },
  attendance_readings: { plain: `${scoped} id site_id user_id month reader_type reader_id read_at` },
  attendance_proofs: {
    plain: `${scoped} attendance_id user_id identity_id nonce digest circuit created_at`,
    person: { statement: 'hours', did: 'hours', proof: 'hours' },
  },
  attestation_keys: {
    plain: `${scoped} id identity_id platform level backup_eligible backed_up counter evidence_hash created_at last_used_at revoked_at`,
    person: { credential_id: 'erased', public_key: 'erased', evidence: 'in 30 days' },
  },
  audit_events: {
    plain: `${scoped} seq id actor_type actor_id action entity_type entity_id status summary created_at metadata canonical prev_hash hash`,
  },
  audit_heads: { plain: `${scoped} seq hash last_at key_id signature` },
  audit_tree_tiles: { plain: `${scoped} level number hashes` },
  audit_trees: { plain: `${scoped} size root hash edge signed_at key_id signature` },
  company_profiles: {
    plain: 'tenant_id logo_id logo_type logo_bytes',
    account: { accent_color: 'closed', logo_base64: 'closed' },
  },
  demo_idp_codes: { plain: 'code_hash expires_at', person: { granted: 'in 10 minutes' } },
  demo_idp_keys: { plain: 'name key_id sealed created_at' },
  device_signatures: { plain: `${scoped} device_id jti expires_at` },
  devices: {
    plain: `${scoped} id device_type status enrollment_state created_at updated_at public_key key_thumbprint seal_n facts_salt text_salt sealed_at`,
    person: {
      name: 'erased',
      external_id: 'erased',
      location_id: 'erased',
      battery_level: 'erased',
      metadata: 'erased',
      fingerprint: 'erased',
      attestation_kind: 'erased',
      last_seen_at: 'erased',
    },
  },
  idempotency_keys: {
    plain: `${scoped} route record_id expires_at`,
    person: { key: 'in 24 hours', body_hash: 'in 24 hours' },
  },
  identities: {
    plain: `${scoped} id user_id created_at bound_at revoked_at device_id wrong_numbers wrong_numbers_since match_locked_until in_force_at revoked_by_itself revoking_key_id`,
    person: { did: 'erased', commitment: 'erased', external_id: 'erased', attestation: 'erased' },
  },
  identity_additions: {
    plain: `${scoped} id state nonce timestamp_ms created_at expires_at`,
    person: {
      did: 'in 5 minutes',
      a_hash: 'in 5 minutes',
      a: 'in 5 minutes',
      c: 'in 5 minutes',
      new_did: 'in 5 minutes',
      new_commitment: 'in 5 minutes',
      b: 'in 5 minutes',
      new_proof: 'in 5 minutes',
    },
  },
  identity_commitments: {
    plain: `${scoped} identity_id version leaf created_at`,
    person: { commitment: 'erased', salt: 'erased', authorization_proof: 'erased' },
  },
  known_browsers: {
    plain: `${scoped} id user_id how created_at identity_id`,
    person: {
      commitment: 'browser',
      key_thumbprint: 'browser',
      public_key: 'browser',
      browser: 'browser',
      system: 'browser',
      last_used_at: 'browser',
    },
  },
  leads: {
    plain: 'id type created_at',
    account: { email: 'after a year', name: 'after a year', company: 'after a year', size: 'after a year' },
  },
  leaf_chains: { plain: `${scoped} completed_at` },
  login_addresses: { plain: 'tenant_id last_login_at', account: { address_hash: 'log-in' } },
  login_failures: { plain: 'tenant_id hour failures recorded' },
  oidc_clients: {
    plain: `${scoped} id type token_endpoint_auth subject_type id_token_alg require_dpop claims secret_hash previous_secret_hash previous_secret_until created_at require_pkce id_token_claims`,
    account: {
      name: 'closed',
      redirect_uris: 'closed',
      post_logout_redirect_uris: 'closed',
      backchannel_logout_uri: 'closed',
      jwks: 'closed',
      custom_claims: 'closed',
    },
  },
  oidc_grants: {
    plain: `${scoped} id client_id user_id identity_id verification_id scope created_at expires_at ended_at logout_at logout_attempts`,
  },
  oidc_issuers: { plain: `${scoped} id subject_salt created_at` },
  oidc_keys: { plain: `${scoped} id alg state public_jwk private_key created_at changed_at` },
  oidc_state: {
    plain: `${scoped} id kind grant_id uid_hash user_code_hash consumed_at expires_at`,
    person: { payload: 'with its sign-in' },
  },
  login_sessions: {
    plain: 'tenant_id id member_id created_at expires_at confirmed_at',
    account: { network: 'in a day', user_agent: 'in a day' },
  },
  members: {
    plain:
      'tenant_id id role hours representative site_ids user_id user_environment status invitation_hash invitation_expires_at invited_by created_at joined_at email_confirmed_at',
    account: { email: 'member', name: 'member', password_hash: 'member' },
  },
  one_time_codes: { plain: `code_hash purpose ${scoped} subject_id expires_at used_at` },
  password_resets: { plain: 'tenant_id member_id token_hash issued_for expires_at created_at' },
  passkeys: {
    plain: 'tenant_id id member_id counter is_synced created_at last_used_at',
    account: {
      credential_id: 'passkey',
      public_key: 'passkey',
      transports: 'passkey',
      name: 'passkey',
    },
  },
  proof_pairing_sessions: {
    plain: `${scoped} id nonce bind_hash state created_at expires_at error_count errors bound_at user_id desktop_session_id desktop_refresh_hash desktop_refresh_sealed match_hash rotates return_hash return_expires_at redeemed_at purpose interaction_hash identity_id verification_id proved_at nearby_at opened_by_device phone_connected_at seal_n facts_salt text_salt sealed_at`,
    person: {
      did: 'in 30 days',
      context: 'in 30 days',
      return_url: 'in 30 days',
      browser_key: 'in 30 days',
      browser_thumbprint: 'in 30 days',
      proved_commitment: 'in 30 days',
      proved_metadata: 'in 30 days',
    },
  },
  recent_calls: {
    plain: 'tenant_id id method endpoint status environment called_at duration_ms key_id error',
  },
  record_count_changes: { plain: `${scoped} kind id change` },
  record_counts: { plain: `${scoped} kind records` },
  refresh_tokens: {
    plain: `${scoped} token_hash session_id created_at expires_at used_at successor_hash retry_key_hash`,
    person: { retry_answer: 'with its session' },
  },
  registration_sessions: {
    plain: `${scoped} id state device_id failures user_id created_at updated_at expires_at failed_tries for_user_id recovers identity_id recovery_opened_at completes_at contested_at confirmed_at opened_by two_person confirmations_needed confirmed_by owners opened_by_device by_reception seal_n facts_salt text_salt text_hash name_how phone_connected_at`,
    person: {
      profile: 'registration',
      did: 'registration',
      commitment: 'registration',
      challenge_nonce: 'registration',
    },
  },
  rejected_calls: { plain: `${scoped} minute error calls` },
  restores: { plain: 'epoch finished_at' },
  schema_migrations: { plain: 'name checksum applied_at' },
  sealed_chains: { plain: `${scoped} sealed_at` },
  sealed_pages: { plain: `${scoped} kind first_id last_id root ids seals created_at` },
  sealing_keys: { plain: 'id secret_id sealed created_at' },
  sites: {
    plain: `${scoped} id country time_zone retention_months attendance_from breaks payroll created_at updated_at`,
    account: { name: 'closed' },
  },
  sessions: {
    plain: `${scoped} id identity_id user_id created_at expires_at revoked_at pairing_session_id simulated`,
  },
  spent_names: { plain: scoped, person: { spent: 'never' } },
  spent_nonces: { plain: `${scoped} nonce expires_at verification_id` },
  sso_identities: {
    plain: `${scoped} user_id created_at`,
    person: { connection: 'erased', subject: 'erased' },
  },
  sso_requests: { plain: `${scoped} id method state_hash expected created_at expires_at` },
  staff_sessions: { plain: `${scoped} device_id id member_id session_hash used_at expires_at` },
  tenant_users: {
    plain: `${scoped} id primary_device_id site_id attendance_from status email_from_device created_at updated_at erased_at erasure_id erasing_key_id seal_n sealed_at`,
    person: {
      full_name: 'erased',
      external_id: 'erased',
      email: 'erased',
      phone: 'erased',
      employee_code: 'erased',
      metadata: 'erased',
      name_confirmation: 'erased',
      facts_salt: 'erased',
      text_salt: 'erased',
    },
  },
  tenants: {
    plain: 'id plan status token_version members_version created_at closes_at identities_locked_at',
    account: { email: 'closed', company_name: 'closed', password_hash: 'closed', security_policy: 'closed' },
  },
  usage_hours: {
    plain: `${scoped} hour endpoint status key_id ms_1 ms_2 ms_5 ms_10 ms_15 ms_20 ms_30 ms_50 ms_75 ms_100 ms_200 ms_500 ms_1000 ms_2000 ms_5000 ms_30000`,
  },
  usage_months: { plain: 'tenant_id month used leases threshold' },
  verifications: {
    plain: `${scoped} id method result user_id device_id confidence_score occurred_at created_at seal_n facts_salt text_salt text_hash`,
    person: { reason: 'stripped', reference_id: 'stripped', metadata: 'stripped' },
  },
  webauthn_challenges: { plain: 'challenge_hash purpose tenant_id member_id expires_at' },
  webhook_attempts: {
    plain: `${scoped} webhook_id id event_id seq type attempt is_replay at status http_status error_code duration_ms next_attempt_at`,
  },
  webhook_retries: {
    plain: `${scoped} webhook_id event_id seq is_replay previous_seq previous_hash summary attempts first_at next_at`,
  },
  webhooks: {
    plain: `${scoped} id events ordered outcome throttled status disabled_reason secret previous_secret previous_secret_until signing_key public_key cursor_seq cursor_hash previous_seq previous_hash filter_since throttle replay_from replay_to retry_at lease_id lease_until last_success_at last_failure_at consecutive_failures key_id created_at version`,
    account: { url: 'closed', description: 'closed' },
  },
} as const satisfies Record<string, Classed>;

/** The columns of a table that can hold something about somebody, with what removes their values. */
export const personalColumns = (table: string): [column: string, removedBy: string][] => {
  const { person = {}, account = {} } = (COLUMNS as Record<string, Classed>)[table] ?? { plain: '' };
  return Object.entries({ ...person, ...account }).map(([column, fate]) => [column, FATES[fate]]);
};
