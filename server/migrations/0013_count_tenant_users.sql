-- As 0012_count_devices.
create trigger tenant_users_inserted after insert on tenant_users
  referencing new table as changed for each statement execute function count_records('tenant_users', '1');
create trigger tenant_users_deleted after delete on tenant_users
  referencing old table as changed for each statement execute function count_records('tenant_users', '-1');
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'tenant_users', count(*) from tenant_users group by tenant_id, environment;
