-- Links by which somebody without an account reads the sheets of a site for some time.
create table attendance_inspections (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  site_id uuid not null,
  -- YYYY-MM, both included.
  from_month text not null,
  to_month text not null,
  token_hash text not null,
  code_hash text not null,
  expires_at timestamptz(3) not null,
  opened_at timestamptz(3),
  looks integer not null default 0,
  wrong_codes integer not null default 0,
  locked_until timestamptz(3),
  -- Null: an API key.
  created_by uuid,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, token_hash)
);
create index attendance_inspections_site on attendance_inspections (tenant_id, environment, site_id, id);
-- They look at sheets too.
alter table attendance_readings drop constraint attendance_readings_reader_type_check,
  add constraint attendance_readings_reader_type_check check (reader_type in ('api_key', 'member', 'inspector'));
