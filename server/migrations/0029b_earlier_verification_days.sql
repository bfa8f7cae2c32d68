-- As 0012c_earlier_devices.
insert into record_counts as c (tenant_id, environment, kind, records)
  select tenant_id, environment, kind, sum(records) from (
    select tenant_id, environment,
      'verifications ' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || result as kind, 1 as records
      from verifications
    union all
    select tenant_id, environment, kind, -change from record_count_changes where kind like 'verifications %'
    union all
    select tenant_id, environment, kind, -records from record_counts where kind like 'verifications %'
  ) as r
  group by tenant_id, environment, kind having sum(records) <> 0
  on conflict (tenant_id, environment, kind) do update set records = c.records + excluded.records;
