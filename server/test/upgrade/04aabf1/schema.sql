-- Dumped from a database of 04aabf1 with pg_dump --schema-only, without its settings. Then rows of six accounts.

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'audit rows are never changed or removed' using errcode = '23000';
end $$;

CREATE TABLE anchor_batches (
  hub text NOT NULL,
  batch_id bigint NOT NULL,
  root text NOT NULL,
  leaves integer NOT NULL,
  identities integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  included_at timestamp(3) with time zone,
  confirmed_at timestamp(3) with time zone,
  mined_hash text,
  CONSTRAINT anchor_batches_batch_id_check CHECK ((batch_id > 0)),
  CONSTRAINT anchor_batches_check CHECK (((identities >= 0) AND (identities <= leaves))),
  CONSTRAINT anchor_batches_leaves_check CHECK ((leaves > 0)),
  CONSTRAINT anchor_batches_root_check CHECK ((root ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE anchor_leaves (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  kind smallint NOT NULL,
  identity_id uuid,
  seq bigint,
  first_word text,
  second_word text,
  salt text,
  hash text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  hub text,
  batch_id bigint,
  "position" integer,
  CONSTRAINT anchor_leaves_check CHECK (((((kind = 1) AND (salt IS NOT NULL)) = (identity_id IS NOT NULL)) AND ((kind = 2) = (seq IS NOT NULL)))),
  CONSTRAINT anchor_leaves_check1 CHECK ((((salt IS NULL) = (first_word IS NULL)) AND ((salt IS NULL) = (second_word IS NULL)) AND ((kind = 1) OR (salt IS NOT NULL)))),
  CONSTRAINT anchor_leaves_check2 CHECK ((((batch_id IS NULL) = ("position" IS NULL)) AND ((batch_id IS NULL) = (hub IS NULL)))),
  CONSTRAINT anchor_leaves_environment_check CHECK ((environment = 'live'::text)),
  CONSTRAINT anchor_leaves_first_word_check CHECK ((first_word ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT anchor_leaves_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT anchor_leaves_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
  CONSTRAINT anchor_leaves_salt_check CHECK ((salt ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT anchor_leaves_second_word_check CHECK ((second_word ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE anchor_transactions (
  hub text NOT NULL,
  batch_id bigint NOT NULL,
  tx_hash text NOT NULL,
  nonce bigint NOT NULL,
  signed text NOT NULL,
  max_fee numeric NOT NULL,
  priority_fee numeric NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  taken_at timestamp(3) with time zone,
  CONSTRAINT anchor_transactions_tx_hash_check CHECK ((tx_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE anchor_workers (
  hub text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  heads_at timestamp(3) with time zone
);

CREATE TABLE api_keys (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  key_hash text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  environment text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE attendance (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  device_id uuid,
  verification_id uuid,
  result text NOT NULL,
  metadata json,
  occurred_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT attendance_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT attendance_result_check CHECK ((result = ANY (ARRAY['accepted'::text, 'rejected'::text]))),
  CONSTRAINT attendance_type_check CHECK ((type = ANY (ARRAY['check_in'::text, 'check_out'::text])))
);

CREATE TABLE audit_events (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL,
  actor_type text NOT NULL,
  actor_id text,
  action text NOT NULL,
  entity_type text NOT NULL,
  entity_id text,
  status text NOT NULL,
  summary text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  metadata jsonb NOT NULL,
  canonical text NOT NULL,
  prev_hash text NOT NULL,
  hash text NOT NULL,
  CONSTRAINT audit_events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT audit_events_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT audit_events_prev_hash_check CHECK ((prev_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT audit_events_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failure'::text])))
);

CREATE TABLE audit_heads (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  seq bigint NOT NULL,
  hash text NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT audit_heads_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT audit_heads_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE demo_idp_codes (
  code_hash text NOT NULL,
  granted text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE demo_idp_keys (
  name text NOT NULL,
  key_id text NOT NULL,
  sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT demo_idp_keys_name_check CHECK ((name = ANY (ARRAY['saml'::text, 'oidc'::text])))
);

CREATE TABLE devices (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  device_type text NOT NULL,
  external_id text,
  location_id text,
  battery_level double precision,
  metadata json,
  status text NOT NULL,
  enrollment_state text NOT NULL,
  fingerprint text,
  attestation_kind text,
  last_seen_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT devices_battery_level_check CHECK (((battery_level >= (0)::double precision) AND (battery_level <= (100)::double precision))),
  CONSTRAINT devices_device_type_check CHECK ((device_type = ANY (ARRAY['mobile_android'::text, 'mobile_ios'::text, 'kiosk'::text, 'iot_bridge'::text, 'desktop'::text]))),
  CONSTRAINT devices_enrollment_state_check CHECK ((enrollment_state = ANY (ARRAY['pending'::text, 'enrolled'::text, 'revoked'::text]))),
  CONSTRAINT devices_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT devices_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'retired'::text])))
);

CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  record_id uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE identities (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  did text NOT NULL,
  commitment text NOT NULL,
  external_id text,
  attestation json,
  created_at timestamp(3) with time zone NOT NULL,
  bound_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  device_id uuid,
  CONSTRAINT identities_commitment_check CHECK ((commitment ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT identities_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE leads (
  id uuid NOT NULL,
  type text NOT NULL,
  email text NOT NULL,
  name text,
  company text,
  size text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT leads_pilot_complete CHECK (((type = 'whitepaper'::text) OR ((name IS NOT NULL) AND (company IS NOT NULL) AND (size IS NOT NULL)))),
  CONSTRAINT leads_type_check CHECK ((type = ANY (ARRAY['pilot'::text, 'whitepaper'::text])))
);

CREATE TABLE login_addresses (
  tenant_id uuid NOT NULL,
  address_hash text NOT NULL,
  last_login_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE one_time_codes (
  code_hash text NOT NULL,
  purpose text NOT NULL,
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  subject_id uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT one_time_codes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT one_time_codes_purpose_check CHECK ((purpose = ANY (ARRAY['device'::text, 'pair'::text, 'enroll'::text, 'verify'::text])))
);

CREATE TABLE proof_pairing_sessions (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  nonce text NOT NULL,
  bind_hash text NOT NULL,
  state text DEFAULT 'issued'::text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  error_count integer DEFAULT 0 NOT NULL,
  errors text[] DEFAULT '{}'::text[] NOT NULL,
  bound_at timestamp(3) with time zone,
  user_id uuid,
  did text,
  desktop_session_id uuid,
  desktop_refresh_hash text,
  desktop_refresh_sealed text,
  CONSTRAINT proof_pairing_sessions_bind_hash_check CHECK ((bind_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT proof_pairing_sessions_check CHECK (((state = 'bound'::text) = ((bound_at IS NOT NULL) AND (user_id IS NOT NULL) AND (did IS NOT NULL)))),
  CONSTRAINT proof_pairing_sessions_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT proof_pairing_sessions_nonce_check CHECK ((nonce ~ '^[0-9a-f]{62}$'::text)),
  CONSTRAINT proof_pairing_sessions_state_check CHECK ((state = ANY (ARRAY['issued'::text, 'bound'::text])))
);

CREATE TABLE recent_calls (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  endpoint text NOT NULL,
  status integer NOT NULL,
  environment text NOT NULL,
  called_at timestamp(3) with time zone NOT NULL,
  duration_ms integer NOT NULL,
  CONSTRAINT recent_calls_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE refresh_tokens (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  token_hash text NOT NULL,
  session_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  successor_hash text,
  retry_key_hash text,
  retry_answer text,
  CONSTRAINT refresh_tokens_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE registration_sessions (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL,
  profile json,
  device_id uuid,
  did text,
  commitment text,
  challenge_nonce text,
  failures integer DEFAULT 0 NOT NULL,
  user_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT registration_sessions_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT registration_sessions_state_check CHECK ((state = ANY (ARRAY['awaiting_device'::text, 'awaiting_commitment'::text, 'awaiting_verification'::text, 'completed'::text, 'abandoned'::text, 'expired'::text])))
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE sessions (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  identity_id uuid,
  user_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  revoked_at timestamp(3) with time zone,
  pairing_session_id uuid,
  simulated boolean DEFAULT false NOT NULL,
  CONSTRAINT sessions_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE spent_nonces (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  nonce uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT spent_nonces_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE sso_requests (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  state_hash text NOT NULL,
  expected text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sso_requests_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT sso_requests_method_check CHECK ((method = ANY (ARRAY['saml'::text, 'oidc'::text])))
);

CREATE TABLE tenant_users (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  full_name text NOT NULL,
  external_id text,
  email text,
  phone text,
  employee_code text,
  primary_device_id uuid,
  metadata json,
  status text DEFAULT 'active'::text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT tenant_users_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT tenant_users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

CREATE TABLE tenants (
  id uuid NOT NULL,
  email text NOT NULL,
  company_name text NOT NULL,
  password_hash text NOT NULL,
  plan text NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  token_version integer DEFAULT 0 NOT NULL,
  security_policy jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT tenants_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'starter'::text, 'growth'::text, 'enterprise'::text]))),
  CONSTRAINT tenants_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'deactivated'::text])))
);

CREATE TABLE usage_months (
  tenant_id uuid NOT NULL,
  month text NOT NULL,
  used bigint NOT NULL,
  leases jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT usage_months_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text))
);

CREATE TABLE verifications (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  result text NOT NULL,
  user_id uuid,
  device_id uuid,
  reason text,
  confidence_score double precision,
  reference_id text,
  metadata json,
  occurred_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT verifications_confidence_score_check CHECK (((confidence_score >= (0)::double precision) AND (confidence_score <= (100)::double precision))),
  CONSTRAINT verifications_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT verifications_method_check CHECK ((method = ANY (ARRAY['zkp'::text, 'fingerprint'::text, 'face'::text, 'depth'::text, 'saml'::text, 'oidc'::text, 'manual'::text]))),
  CONSTRAINT verifications_result_check CHECK ((result = ANY (ARRAY['pass'::text, 'fail'::text, 'challenge'::text])))
);

ALTER TABLE ONLY anchor_batches ADD CONSTRAINT anchor_batches_pkey PRIMARY KEY (hub, batch_id);
ALTER TABLE ONLY anchor_leaves ADD CONSTRAINT anchor_leaves_identity_key UNIQUE (tenant_id, environment, identity_id);
ALTER TABLE ONLY anchor_leaves ADD CONSTRAINT anchor_leaves_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY anchor_transactions ADD CONSTRAINT anchor_transactions_pkey PRIMARY KEY (hub, batch_id, tx_hash);
ALTER TABLE ONLY anchor_workers ADD CONSTRAINT anchor_workers_pkey PRIMARY KEY (hub);
ALTER TABLE ONLY api_keys ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY attendance ADD CONSTRAINT attendance_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY audit_events ADD CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, environment, seq);
ALTER TABLE ONLY audit_events ADD CONSTRAINT audit_events_prev_hash_key UNIQUE (tenant_id, environment, prev_hash);
ALTER TABLE ONLY audit_heads ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (tenant_id, environment);
ALTER TABLE ONLY demo_idp_codes ADD CONSTRAINT demo_idp_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY demo_idp_keys ADD CONSTRAINT demo_idp_keys_pkey PRIMARY KEY (name, key_id);
ALTER TABLE ONLY devices ADD CONSTRAINT devices_external_id_key UNIQUE (tenant_id, environment, external_id);
ALTER TABLE ONLY devices ADD CONSTRAINT devices_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, environment, route, key);
ALTER TABLE ONLY identities ADD CONSTRAINT identities_commitment_key UNIQUE (tenant_id, environment, commitment);
ALTER TABLE ONLY identities ADD CONSTRAINT identities_did_key UNIQUE (tenant_id, environment, did);
ALTER TABLE ONLY identities ADD CONSTRAINT identities_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY leads ADD CONSTRAINT leads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY login_addresses ADD CONSTRAINT login_addresses_pkey PRIMARY KEY (tenant_id, address_hash);
ALTER TABLE ONLY one_time_codes ADD CONSTRAINT one_time_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY proof_pairing_sessions ADD CONSTRAINT proof_pairing_sessions_id_key UNIQUE (id);
ALTER TABLE ONLY proof_pairing_sessions ADD CONSTRAINT proof_pairing_sessions_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY recent_calls ADD CONSTRAINT recent_calls_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY refresh_tokens ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (tenant_id, environment, token_hash);
ALTER TABLE ONLY registration_sessions ADD CONSTRAINT registration_sessions_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY spent_nonces ADD CONSTRAINT spent_nonces_pkey PRIMARY KEY (tenant_id, environment, nonce);
ALTER TABLE ONLY sso_requests ADD CONSTRAINT sso_requests_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY sso_requests ADD CONSTRAINT sso_requests_state_key UNIQUE (tenant_id, environment, state_hash);
ALTER TABLE ONLY tenant_users ADD CONSTRAINT tenant_users_external_id_key UNIQUE (tenant_id, environment, external_id);
ALTER TABLE ONLY tenant_users ADD CONSTRAINT tenant_users_pkey PRIMARY KEY (tenant_id, environment, id);
ALTER TABLE ONLY tenants ADD CONSTRAINT tenants_email_key UNIQUE (email);
ALTER TABLE ONLY tenants ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY usage_months ADD CONSTRAINT usage_months_pkey PRIMARY KEY (tenant_id, month);
ALTER TABLE ONLY verifications ADD CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, environment, id);
CREATE INDEX anchor_leaves_batch ON anchor_leaves USING btree (hub, batch_id, "position");
CREATE INDEX anchor_leaves_heads ON anchor_leaves USING btree (tenant_id, environment, seq) WHERE (kind = 2);
CREATE INDEX anchor_leaves_waiting ON anchor_leaves USING btree (created_at, id) WHERE (batch_id IS NULL);
CREATE INDEX demo_idp_codes_expiry ON demo_idp_codes USING btree (expires_at);
CREATE UNIQUE INDEX devices_fingerprint_key ON devices USING btree (tenant_id, environment, fingerprint) WHERE ((fingerprint IS NOT NULL) AND (enrollment_state <> 'revoked'::text) AND (status <> 'retired'::text));
CREATE INDEX idempotency_keys_expiry ON idempotency_keys USING btree (expires_at);
CREATE INDEX identities_device ON identities USING btree (tenant_id, environment, device_id);
CREATE INDEX identities_user ON identities USING btree (tenant_id, environment, user_id);
CREATE INDEX leads_age ON leads USING btree (created_at);
CREATE INDEX leads_type ON leads USING btree (type, id);
CREATE INDEX one_time_codes_expiry ON one_time_codes USING btree (expires_at);
CREATE INDEX one_time_codes_subject ON one_time_codes USING btree (tenant_id, environment, subject_id);
CREATE INDEX proof_pairing_sessions_expiry ON proof_pairing_sessions USING btree (expires_at);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens USING btree (expires_at);
CREATE INDEX registration_sessions_expiry ON registration_sessions USING btree (expires_at) WHERE (state = ANY (ARRAY['awaiting_device'::text, 'awaiting_commitment'::text, 'awaiting_verification'::text]));
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_identity ON sessions USING btree (tenant_id, environment, identity_id);
CREATE INDEX sessions_pairing ON sessions USING btree (tenant_id, environment, pairing_session_id) WHERE (pairing_session_id IS NOT NULL);
CREATE INDEX spent_nonces_expiry ON spent_nonces USING btree (expires_at);
CREATE INDEX sso_requests_expiry ON sso_requests USING btree (expires_at);
CREATE TRIGGER audit_events_immutable BEFORE DELETE OR UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
ALTER TABLE ONLY anchor_leaves ADD CONSTRAINT anchor_leaves_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY anchor_transactions ADD CONSTRAINT anchor_transactions_hub_batch_id_fkey FOREIGN KEY (hub, batch_id) REFERENCES anchor_batches(hub, batch_id);
ALTER TABLE ONLY api_keys ADD CONSTRAINT api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY attendance ADD CONSTRAINT attendance_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY audit_events ADD CONSTRAINT audit_events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY audit_heads ADD CONSTRAINT audit_heads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY devices ADD CONSTRAINT devices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY idempotency_keys ADD CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY identities ADD CONSTRAINT identities_tenant_id_environment_user_id_fkey FOREIGN KEY (tenant_id, environment, user_id) REFERENCES tenant_users(tenant_id, environment, id);
ALTER TABLE ONLY identities ADD CONSTRAINT identities_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY login_addresses ADD CONSTRAINT login_addresses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY one_time_codes ADD CONSTRAINT one_time_codes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY proof_pairing_sessions ADD CONSTRAINT proof_pairing_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY recent_calls ADD CONSTRAINT recent_calls_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY refresh_tokens ADD CONSTRAINT refresh_tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY registration_sessions ADD CONSTRAINT registration_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY spent_nonces ADD CONSTRAINT spent_nonces_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY sso_requests ADD CONSTRAINT sso_requests_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY tenant_users ADD CONSTRAINT tenant_users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY usage_months ADD CONSTRAINT usage_months_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);
ALTER TABLE ONLY verifications ADD CONSTRAINT verifications_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id);

INSERT INTO schema_migrations (name, checksum) VALUES
  ('0001_foundation', 'e8037779841fb3c6733f1eb053f5b1884de79f83a20baceaee8fec3cad3f16ca'),
  ('0002_ceremonies', '862249fb84b2c6fb9155da38bc42490a038fd30084fdf8c5aa24ad94684dcad8'),
  ('0003_proof_pairing', 'fdc1a53ccd45d2a3c52860c2e7c6f9fd5124821e09522957a9b74e8cad25a08c'),
  ('0004_sso', 'd12b7bdbf4a8673998be046800d02386f86a4aa5b05b9ac4a2eb43f1d2728b78'),
  ('0005_leads', 'f502936bf0062316df3156c0e22cfe63fec70490383e0292ada45fbf0ba225f8'),
  ('0006_quota_leases', '5b7038dc46f8bc822a9cdc17c6dd959509f40f4cd3263d9de5b3f35a474c5f74'),
  ('0007_anchors', '6c03dd8d90b2179db5a16ff7d0aede8656993bc3d510c073a64857199ed818b3');

INSERT INTO tenants (id, email, company_name, password_hash, plan, created_at)
  SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid, n || '@example.com', 'Example', '', 'enterprise', now()
  FROM generate_series(1, 6) n;
INSERT INTO audit_heads (tenant_id, environment, seq, hash, last_at, key_id, signature)
  SELECT id, environment, 0, repeat('0', 64), now(), 'd04e352ee102ce77', repeat('0', 128)
  FROM tenants, unnest(ARRAY['live', 'test']) environment;
INSERT INTO api_keys (tenant_id, id, key_hash, name, prefix, environment, scopes, created_at)
  SELECT id, id, replace(id::text || id::text, '-', ''), 'First live key', 'svc_live_0000000', 'live', '{devices:read}', now()
  FROM tenants;
INSERT INTO devices (tenant_id, environment, id, name, device_type, status, enrollment_state, created_at, updated_at)
  SELECT tenant_id, environment, tenant_id, 'Door', 'kiosk', 'active', 'enrolled', now(), now() FROM audit_heads;
INSERT INTO tenant_users (tenant_id, environment, id, full_name, created_at, updated_at)
  SELECT tenant_id, environment, tenant_id, 'Ada', now(), now() FROM audit_heads;
INSERT INTO verifications (tenant_id, environment, id, method, result, user_id, device_id, occurred_at, created_at)
  SELECT tenant_id, environment, gen_random_uuid(), 'manual', 'pass', tenant_id, tenant_id, now(), now()
  FROM audit_heads, generate_series(1, 5);
INSERT INTO proof_pairing_sessions (tenant_id, environment, id, nonce, bind_hash, created_at, expires_at)
  SELECT id, 'live', id, repeat('0', 62), repeat('0', 64), now(), now() + interval '1 day' FROM tenants;
