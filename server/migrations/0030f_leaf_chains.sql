-- Audit chains in which every identity from before has its leaf: the job that adds them has written `chain.leaves_complete` there.
create table leaf_chains (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  completed_at timestamptz(3) not null,
  primary key (tenant_id, environment)
);
