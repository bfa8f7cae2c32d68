-- As 0018a_spread_devices.
drop trigger verifications_counted on verifications;
create trigger verifications_counted after insert or delete on verifications
  for each row execute function count_record('verifications');
