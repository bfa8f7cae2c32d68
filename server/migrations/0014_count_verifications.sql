-- As 0012_count_devices.
create trigger verifications_inserted after insert on verifications
  referencing new table as changed for each statement execute function count_records('verifications', '1');
create trigger verifications_deleted after delete on verifications
  referencing old table as changed for each statement execute function count_records('verifications', '-1');
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'verifications', count(*) from verifications group by tenant_id, environment;
