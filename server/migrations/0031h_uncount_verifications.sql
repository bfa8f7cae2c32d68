-- A statement that deletes many rows counts them in one change for each kind, so that deleting old records costs a fifth, and
-- readers of the counts have few changes to add. Rows that are inserted are counted one by one, as before. The loop inserts one row
-- at a time: on a database that is spread over several machines, a trigger may not insert the result of a query.
create function count_deleted() returns trigger language plpgsql as $$
declare
  counted record;
begin
  for counted in select tenant_id, environment, count(*) as records from deleted group by tenant_id, environment loop
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (counted.tenant_id, counted.environment, tg_argv[0], -counted.records);
  end loop;
  if tg_argv[0] = 'verifications' then
    for counted in select tenant_id, environment, to_char(occurred_at at time zone 'UTC', ' YYYY-MM-DD ') || result as day,
        count(*) as records from deleted group by 1, 2, 3 loop
      insert into record_count_changes (tenant_id, environment, kind, change)
        values (counted.tenant_id, counted.environment, tg_argv[0] || counted.day, -counted.records);
    end loop;
  end if;
  return null;
end $$;
drop trigger verifications_counted on verifications;
create trigger verifications_counted after insert on verifications for each row execute function count_record('verifications');
create trigger verifications_uncounted after delete on verifications referencing old table as deleted
  for each statement execute function count_deleted('verifications');
