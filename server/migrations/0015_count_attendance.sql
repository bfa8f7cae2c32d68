-- As 0012_count_devices.
create trigger attendance_inserted after insert on attendance
  referencing new table as changed for each statement execute function count_records('attendance', '1');
create trigger attendance_deleted after delete on attendance
  referencing old table as changed for each statement execute function count_records('attendance', '-1');
insert into record_counts (tenant_id, environment, kind, records)
  select tenant_id, environment, 'attendance', count(*) from attendance group by tenant_id, environment;
