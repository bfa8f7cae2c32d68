-- The rows from before the trigger: all rows without those that it has counted. The statement sees one state of the three
-- tables, so it is exact while others write, and needs no lock on devices.
insert into record_counts as c (tenant_id, environment, kind, records)
  select tenant_id, environment, 'devices', sum(records) from (
    select tenant_id, environment, 1 as records from devices
    union all
    select tenant_id, environment, -change from record_count_changes where kind = 'devices'
    union all
    select tenant_id, environment, -records from record_counts where kind = 'devices'
  ) as r
  group by tenant_id, environment having sum(records) <> 0
  on conflict (tenant_id, environment, kind) do update set records = c.records + excluded.records;
