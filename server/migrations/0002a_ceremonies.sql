-- Attendance, one-time codes, and the registration ceremony.

create table attendance (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  user_id uuid not null,
  type text not null check (type in ('check_in', 'check_out')),
  device_id uuid,
  verification_id uuid,
  result text not null check (result in ('accepted', 'rejected')),
  metadata json,
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);

-- Found by the code alone, across tenants; a code is worth nothing but for its purpose.
create table one_time_codes (
  code_hash text primary key,
  purpose text not null check (purpose in ('device', 'pair', 'enroll', 'verify')),
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- The device to enroll, or the registration session.
  subject_id uuid not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index one_time_codes_subject on one_time_codes (tenant_id, environment, subject_id);
create index one_time_codes_expiry on one_time_codes (expires_at);
create table registration_sessions (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  state text not null check (state in ('awaiting_device', 'awaiting_commitment', 'awaiting_verification',
    'completed', 'abandoned', 'expired')),
  profile json,
  device_id uuid,
  did text,
  commitment text,
  challenge_nonce text,
  failures integer not null default 0,
  user_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
create index registration_sessions_expiry on registration_sessions (expires_at)
  where state in ('awaiting_device', 'awaiting_commitment', 'awaiting_verification');
