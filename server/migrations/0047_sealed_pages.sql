-- Pages of records from before there were seals, which the operator has sealed later. The root of each is in an audit entry.
create table sealed_pages (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  kind text not null,
  first_id uuid not null,
  last_id uuid not null,
  root text not null,
  ids uuid[] not null,
  seals text[] not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, kind, last_id, root)
);
