create trigger tenant_users_counted after insert or delete on tenant_users for each row execute function count_record();
