-- What a database needs that is spread over several machines by tenant (docs/capacity.md).

-- There the triggers are on parts of a table, which have other names. So each trigger says what it counts.
create or replace function count_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (new.tenant_id, new.environment, coalesce(tg_argv[0], tg_table_name), 1);
  else
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (old.tenant_id, old.environment, coalesce(tg_argv[0], tg_table_name), -1);
  end if;
  return null;
end $$;
drop trigger devices_counted on devices;
create trigger devices_counted after insert or delete on devices
  for each row execute function count_record('devices');
