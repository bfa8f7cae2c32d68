-- How many records of each kind a tenant and environment has, so that the overview need not count them. Triggers only add
-- rows, so they lock nothing that another transaction waits for; housekeeping sums them up.
create table record_counts (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- The table that is counted.
  kind text not null,
  records bigint not null,
  primary key (tenant_id, environment, kind)
);
create table record_count_changes (
  tenant_id uuid not null,
  environment text not null,
  kind text not null,
  id bigint generated always as identity,
  change bigint not null,
  primary key (tenant_id, environment, kind, id)
);

-- Also counts rows that are inserted or deleted by hand.
create function count_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (new.tenant_id, new.environment, tg_table_name, 1);
  else
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (old.tenant_id, old.environment, tg_table_name, -1);
  end if;
  return null;
end $$;
