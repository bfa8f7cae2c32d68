-- As 0012c_earlier_devices.
insert into record_counts as c (tenant_id, environment, kind, records)
  select tenant_id, environment, 'tenant_users', sum(records) from (
    select tenant_id, environment, 1 as records from tenant_users
    union all
    select tenant_id, environment, -change from record_count_changes where kind = 'tenant_users'
    union all
    select tenant_id, environment, -records from record_counts where kind = 'tenant_users'
  ) as r
  group by tenant_id, environment having sum(records) <> 0
  on conflict (tenant_id, environment, kind) do update set records = c.records + excluded.records;
