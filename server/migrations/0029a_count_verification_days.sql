-- The overview shows how many verifications of each day (UTC) have each result. Each is a kind of its own, such as
-- `verifications 2026-05-12 pass`, so nodes of the previous version add these changes up too. Triggers of the other tables,
-- which have neither column, never reach the second insert.
create or replace function count_record() returns trigger language plpgsql as $$
declare
  counted record := case when tg_op = 'INSERT' then new else old end;
  change integer := case when tg_op = 'INSERT' then 1 else -1 end;
  kind text := coalesce(tg_argv[0], tg_table_name);
begin
  insert into record_count_changes (tenant_id, environment, kind, change)
    values (counted.tenant_id, counted.environment, kind, change);
  if kind = 'verifications' then
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (counted.tenant_id, counted.environment,
        kind || to_char(counted.occurred_at at time zone 'UTC', ' YYYY-MM-DD ') || counted.result, change);
  end if;
  return null;
end $$;
