-- Browsers that people have signed in with beside their phone, or on it. Each has its own key.
create table known_browsers (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  user_id uuid not null,
  -- RFC 7638, in base64url.
  key_thumbprint text not null,
  public_key jsonb not null,
  browser text,
  system text,
  how text not null check (how in ('nearby', 'same_device')),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  constraint known_browsers_user_key unique (tenant_id, environment, user_id, key_thumbprint)
);
create index known_browsers_unused on known_browsers (last_used_at);
-- Several people can share a browser, which then forgets all of them.
create index known_browsers_key on known_browsers (tenant_id, environment, key_thumbprint);

-- The key of the browser that opened a session, and what waits for that browser: a valid proof that binds nothing yet.
alter table proof_pairing_sessions
  add column browser_key jsonb,
  add column browser_thumbprint text,
  add column proved_at timestamptz(3),
  add column proved_commitment text,
  add column proved_metadata jsonb,
  -- When the phone was beside the browser.
  add column nearby_at timestamptz(3),
  drop constraint proof_pairing_sessions_state_check,
  add constraint proof_pairing_sessions_state_check
    check (state in ('issued', 'proved', 'bound', 'declined', 'rejected')) not valid;
