create trigger attendance_counted after insert or delete on attendance for each row execute function count_record();
