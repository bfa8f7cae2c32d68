-- Members who act at a desk for some minutes. A desk has one at a time: the next one takes the place.
create table staff_sessions (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  device_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- SHA-256 of the token of the device's session in which it began.
  session_hash text not null,
  used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, device_id)
);
create index staff_sessions_expiry on staff_sessions (expires_at);
