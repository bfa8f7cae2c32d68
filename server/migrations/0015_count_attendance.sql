-- As 0012_count_devices.
create trigger attendance_counted after insert or delete on attendance for each row execute function count_record();
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'attendance', count(*) from attendance group by tenant_id, environment;
