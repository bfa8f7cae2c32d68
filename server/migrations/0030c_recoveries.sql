-- A ceremony for an existing person. If that person ever had an identity and the account protects identities, a valid proof only opens a
-- recovery: the session waits in `pending_recovery`, its identity is not in force yet. The rows there fulfil the new check.
alter table registration_sessions
  add column for_user_id uuid,
  add column recovers boolean not null default false,
  add column identity_id uuid,
  add column recovery_opened_at timestamptz(3),
  add column completes_at timestamptz(3),
  -- By an identity that was revoked before: held until it is confirmed by hand.
  add column contested_at timestamptz(3),
  add column confirmed_at timestamptz(3),
  drop constraint registration_sessions_state_check,
  add constraint registration_sessions_state_check check (state in ('awaiting_device', 'awaiting_commitment',
    'awaiting_verification', 'pending_recovery', 'completed', 'abandoned', 'expired')) not valid;
create index registration_sessions_recovery on registration_sessions (completes_at) where state = 'pending_recovery';
create index registration_sessions_recovers on registration_sessions (tenant_id, environment, id)
  where recovery_opened_at is not null;
-- A phone without an API key names a recovery by its id alone.
create index registration_sessions_recovery_id on registration_sessions (id) where recovery_opened_at is not null;
create index registration_sessions_recovers_user on registration_sessions (tenant_id, environment, for_user_id)
  where recovery_opened_at is not null;
