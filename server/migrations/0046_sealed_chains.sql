-- Audit chains that say that each record is sealed from here on: the job has written `chain.records_sealed` there.
create table sealed_chains (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  sealed_at timestamptz(3) not null,
  primary key (tenant_id, environment)
);
