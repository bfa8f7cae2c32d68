alter table identities
  -- Null: since it was created. `infinity`: not before its recovery is completed.
  add column in_force_at timestamptz(3),
  -- Its own proof revoked it.
  add column revoked_by_itself boolean not null default false;
