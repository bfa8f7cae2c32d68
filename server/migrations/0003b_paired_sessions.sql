-- The two sessions of one pairing end together.
alter table sessions add column pairing_session_id uuid;
create index sessions_pairing on sessions (tenant_id, environment, pairing_session_id)
  where pairing_session_id is not null;
