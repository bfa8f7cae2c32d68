-- Accounts, keys, devices, people, identities, sessions, events, usage and the audit chain.
-- Every tenant's table leads its keys with tenant_id, so that a distributed PostgreSQL can spread it.

create table tenants (
  id uuid primary key,
  email text not null constraint tenants_email_key unique,
  company_name text not null,
  password_hash text not null,
  plan text not null check (plan in ('free', 'starter', 'growth', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'suspended', 'deactivated')),
  token_version integer not null default 0,
  security_policy jsonb not null default '{}',
  created_at timestamptz(3) not null
);

-- Addresses that logged in lately; an exemption from the guard on password guessing. Both are keyed hashes.
create table login_addresses (
  tenant_id uuid not null references tenants (id),
  address_hash text not null,
  last_login_at timestamptz(3) not null,
  primary key (tenant_id, address_hash)
);

create table api_keys (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key_hash text not null constraint api_keys_key_hash_key unique,
  name text not null,
  prefix text not null,
  environment text not null check (environment in ('live', 'test')),
  scopes text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (tenant_id, id)
);

-- Free-form fields are json, not jsonb: that one writes a number like 5e-324 out in hundreds of digits.
create table devices (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  name text not null,
  device_type text not null check (device_type in ('mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop')),
  external_id text,
  location_id text,
  battery_level double precision check (battery_level between 0 and 100),
  metadata json,
  status text not null check (status in ('active', 'inactive', 'retired')),
  enrollment_state text not null check (enrollment_state in ('pending', 'enrolled', 'revoked')),
  fingerprint text,
  attestation_kind text,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  constraint devices_external_id_key unique (tenant_id, environment, external_id)
);

create table tenant_users (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  full_name text not null,
  external_id text,
  email text,
  phone text,
  employee_code text,
  primary_device_id uuid,
  metadata json,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  constraint tenant_users_external_id_key unique (tenant_id, environment, external_id)
);

create table identities (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  user_id uuid not null,
  did text not null,
  commitment text not null check (commitment ~ '^[0-9a-f]{64}$'),
  external_id text,
  attestation json,
  created_at timestamptz(3) not null,
  -- Once a bound proof was accepted, a bare one never is again.
  bound_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (tenant_id, environment, id),
  constraint identities_did_key unique (tenant_id, environment, did),
  constraint identities_commitment_key unique (tenant_id, environment, commitment),
  foreign key (tenant_id, environment, user_id) references tenant_users (tenant_id, environment, id)
);
create index identities_user on identities (tenant_id, environment, user_id);

create table sessions (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  identity_id uuid,
  user_id uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (tenant_id, environment, id)
);
create index sessions_identity on sessions (tenant_id, environment, identity_id);
create index sessions_expiry on sessions (expires_at);

create table refresh_tokens (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  token_hash text not null,
  session_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  successor_hash text,
  -- A retry with the same Idempotency-Key within a minute gets this answer again; encrypted, then forgotten.
  retry_key_hash text,
  retry_answer text,
  primary key (tenant_id, environment, token_hash)
);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

create table spent_nonces (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  nonce uuid not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, nonce)
);
create index spent_nonces_expiry on spent_nonces (expires_at);

create table verifications (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  method text not null check (method in ('zkp', 'fingerprint', 'face', 'depth', 'saml', 'oidc', 'manual')),
  result text not null check (result in ('pass', 'fail', 'challenge')),
  user_id uuid,
  device_id uuid,
  reason text,
  confidence_score double precision check (confidence_score between 0 and 100),
  reference_id text,
  metadata json,
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);

create table idempotency_keys (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  route text not null,
  key text not null,
  body_hash text not null,
  record_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, route, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table usage_months (
  tenant_id uuid not null references tenants (id),
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  used bigint not null,
  primary key (tenant_id, month)
);

create table recent_calls (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  method text not null,
  endpoint text not null,
  status integer not null,
  environment text not null check (environment in ('live', 'test')),
  called_at timestamptz(3) not null,
  duration_ms integer not null,
  primary key (tenant_id, id)
);

create table audit_events (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  seq bigint not null,
  id uuid not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  entity_type text not null,
  entity_id text,
  status text not null check (status in ('success', 'failure')),
  summary text not null,
  created_at timestamptz(3) not null,
  metadata jsonb not null,
  -- The exact text that was hashed (RFC 8785).
  canonical text not null,
  prev_hash text not null check (prev_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (tenant_id, environment, seq),
  constraint audit_events_prev_hash_key unique (tenant_id, environment, prev_hash)
);

-- Kept apart from the rows, so that a cut-off tail is found.
create table audit_heads (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  seq bigint not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  last_at timestamptz(3) not null,
  key_id text not null,
  signature text not null,
  primary key (tenant_id, environment)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are never changed or removed' using errcode = '23000';
end $$;

create trigger audit_events_immutable before update or delete on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_not_truncated before truncate on audit_events
  for each statement execute function refuse_audit_change();
