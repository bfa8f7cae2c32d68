-- As 0018a_spread_devices.
drop trigger tenant_users_counted on tenant_users;
create trigger tenant_users_counted after insert or delete on tenant_users
  for each row execute function count_record('tenant_users');
