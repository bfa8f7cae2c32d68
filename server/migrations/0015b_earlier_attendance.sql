-- As 0012c_earlier_devices.
insert into record_counts as c (tenant_id, environment, kind, records)
  select tenant_id, environment, 'attendance', sum(records) from (
    select tenant_id, environment, 1 as records from attendance
    union all
    select tenant_id, environment, -change from record_count_changes where kind = 'attendance'
    union all
    select tenant_id, environment, -records from record_counts where kind = 'attendance'
  ) as r
  group by tenant_id, environment having sum(records) <> 0
  on conflict (tenant_id, environment, kind) do update set records = c.records + excluded.records;
