-- What a pairing session asks of the phone, and the ends that it can have besides being bound. The rows there fulfil the new check.
alter table proof_pairing_sessions
  add column match_hash text check (match_hash ~ '^[0-9a-f]{64}$'),
  add column rotates boolean not null default false,
  add column context jsonb,
  add column return_url text,
  add column return_hash text check (return_hash ~ '^[0-9a-f]{64}$'),
  add column return_expires_at timestamptz,
  add column redeemed_at timestamptz,
  drop constraint proof_pairing_sessions_state_check,
  add constraint proof_pairing_sessions_state_check
    check (state in ('issued', 'bound', 'declined', 'rejected')) not valid;
