-- As 0012_count_devices.
create trigger tenant_users_counted after insert or delete on tenant_users for each row execute function count_record();
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'tenant_users', count(*) from tenant_users group by tenant_id, environment;
