create trigger verifications_counted after insert or delete on verifications for each row execute function count_record();
