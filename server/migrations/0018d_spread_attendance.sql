-- As 0018a_spread_devices.
drop trigger attendance_counted on attendance;
create trigger attendance_counted after insert or delete on attendance
  for each row execute function count_record('attendance');
