-- How many entries of the audit chain are about a month of a site. They are numbered, so that none can be left out unnoticed.
create table attendance_months (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  site_id uuid not null,
  month text not null,
  entries integer not null,
  primary key (tenant_id, environment, site_id, month)
);
-- The time of the phone in what it proved of a correction, which its proof is bound to.
alter table attendance_corrections add column person_proved_at timestamptz(3);
