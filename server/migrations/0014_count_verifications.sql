-- As 0012_count_devices.
create trigger verifications_counted after insert or delete on verifications for each row execute function count_record();
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'verifications', count(*) from verifications group by tenant_id, environment;
