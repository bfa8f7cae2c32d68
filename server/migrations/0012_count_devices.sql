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

-- Runs after each statement, with the kind, and 1 for inserts or -1 for deletes. It also counts rows that are changed by hand.
create function count_records() returns trigger language plpgsql as $$
begin
  insert into record_count_changes (tenant_id, environment, kind, change)
  select tenant_id, environment, tg_argv[0], tg_argv[1]::integer * count(*) from changed group by tenant_id, environment;
  return null;
end $$;

create trigger devices_inserted after insert on devices
  referencing new table as changed for each statement execute function count_records('devices', '1');
create trigger devices_deleted after delete on devices
  referencing old table as changed for each statement execute function count_records('devices', '-1');
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'devices', count(*) from devices group by tenant_id, environment;
