-- The DIDs and commitments of people who were erased, as keyed hashes, so that nobody can ever use them again.
create table spent_names (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- `<key id>.<hex HMAC-SHA256>` with a deployment key, like sealed values.
  spent text not null,
  primary key (tenant_id, environment, spent)
);
