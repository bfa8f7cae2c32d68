-- Places of work. Once an environment has one, its attendance is working time.
create table sites (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  name text not null,
  country text not null,
  time_zone text not null,
  retention_months integer not null,
  attendance_from text not null check (attendance_from in ('desk', 'anywhere')),
  breaks boolean not null,
  payroll json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
-- What a phone proved of an attendance event. The nonce makes a repeated request the same event.
create table attendance_proofs (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  attendance_id uuid not null,
  user_id uuid not null,
  identity_id uuid not null,
  nonce uuid not null,
  digest text not null,
  statement text not null,
  did text not null,
  circuit text not null,
  proof json not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, attendance_id),
  unique (tenant_id, environment, nonce)
);
-- PINs of people who clock in without a phone.
create table attendance_pins (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  user_id uuid not null,
  -- Argon2id. Null after a reset.
  pin_hash text,
  -- One that was printed at a desk has to be changed at its first use.
  must_change boolean not null,
  set_by text not null check (set_by in ('phone', 'desk', 'pin', 'reset')),
  set_at timestamptz(3) not null,
  primary key (tenant_id, environment, user_id)
);
-- Changes of attendance events that two sides agree to.
create table attendance_corrections (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  user_id uuid not null,
  site_id uuid,
  state text not null check (state in ('proposed', 'agreed', 'contested', 'unanswered', 'withdrawn')),
  cause text not null,
  note text,
  changes json not null,
  correction_sha256 text not null,
  proposed_by text not null check (proposed_by in ('person', 'member')),
  member_id uuid,
  -- What the person proved, or how they decided without a phone.
  person_statement text,
  person_digest text,
  person_did text,
  person_identity_id uuid,
  person_proof json,
  person_by text check (person_by in ('phone', 'pin')),
  person_at timestamptz(3),
  member_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When the account recorded what it says, without agreement.
  recorded_at timestamptz(3),
  primary key (tenant_id, environment, id)
);
create index attendance_corrections_user on attendance_corrections (tenant_id, environment, user_id, id);
create index attendance_corrections_time on attendance_corrections (tenant_id, environment, created_at, id);
create index attendance_corrections_open on attendance_corrections (expires_at) where state = 'proposed';
-- What another system says of a day, such as a holiday. It is shown and never counted.
create table attendance_marks (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  user_id uuid not null,
  -- YYYY-MM-DD, in no zone.
  date text not null,
  code text not null,
  source text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, user_id, date, code)
);
-- Months whose sheets were closed, each version with the root over its sheets.
create table attendance_closings (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  site_id uuid not null,
  month text not null,
  version integer not null,
  root text not null,
  sheets integer not null,
  time_zone text not null,
  rules text not null,
  rules_version integer not null,
  last_seq bigint not null,
  -- The salt and the hash of each sheet, by person.
  leaves json not null,
  closed_by uuid,
  closed_at timestamptz(3) not null,
  primary key (tenant_id, environment, site_id, month, version)
);
-- Who opened the sheet of a person, or those of a site: their phone shows it.
create table attendance_readings (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  site_id uuid not null,
  -- Null: the sheets of the whole site.
  user_id uuid,
  month text not null,
  reader_type text not null check (reader_type in ('api_key', 'member')),
  reader_id uuid not null,
  read_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
create index attendance_readings_site on attendance_readings (tenant_id, environment, site_id, month, id);
