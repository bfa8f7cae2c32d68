drop trigger attendance_counted on attendance;
create trigger attendance_counted after insert on attendance for each row execute function count_record('attendance');
create trigger attendance_uncounted after delete on attendance referencing old table as deleted
  for each statement execute function count_deleted('attendance');
