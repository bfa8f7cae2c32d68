-- Proof pairing: a desktop waits, a phone proves, and both get a session.

create table proof_pairing_sessions (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  nonce text not null check (nonce ~ '^[0-9a-f]{62}$'),
  -- SHA-256 of the secret in the desktop's cookie.
  bind_hash text not null check (bind_hash ~ '^[0-9a-f]{64}$'),
  -- `expired` is `issued` past expires_at: nothing need happen for it.
  state text not null default 'issued' check (state in ('issued', 'bound')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- Refused submits: how many, and the codes of the last of them, for streams that were away.
  error_count integer not null default 0,
  errors text[] not null default '{}',
  bound_at timestamptz(3),
  user_id uuid,
  did text,
  -- The desktop's session. Its refresh token is encrypted, and forgotten when the pairing expires.
  desktop_session_id uuid,
  desktop_refresh_hash text,
  desktop_refresh_sealed text,
  primary key (tenant_id, environment, id),
  -- The public read knows the id alone.
  constraint proof_pairing_sessions_id_key unique (id),
  check ((state = 'bound') = (bound_at is not null and user_id is not null and did is not null))
);
create index proof_pairing_sessions_expiry on proof_pairing_sessions (expires_at);
