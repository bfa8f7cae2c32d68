create trigger devices_counted after insert or delete on devices for each row execute function count_record();
