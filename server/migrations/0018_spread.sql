-- What a database needs that is spread over several machines by tenant (docs/capacity.md).

-- There the triggers are on parts of a table, which have other names. So each trigger says what it counts.
create or replace function count_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (new.tenant_id, new.environment, coalesce(tg_argv[0], tg_table_name), 1);
  else
    insert into record_count_changes (tenant_id, environment, kind, change)
      values (old.tenant_id, old.environment, coalesce(tg_argv[0], tg_table_name), -1);
  end if;
  return null;
end $$;
drop trigger devices_counted on devices;
create trigger devices_counted after insert or delete on devices
  for each row execute function count_record('devices');
drop trigger tenant_users_counted on tenant_users;
create trigger tenant_users_counted after insert or delete on tenant_users
  for each row execute function count_record('tenant_users');
drop trigger verifications_counted on verifications;
create trigger verifications_counted after insert or delete on verifications
  for each row execute function count_record('verifications');
drop trigger attendance_counted on attendance;
create trigger attendance_counted after insert or delete on attendance
  for each row execute function count_record('attendance');

-- A unique key must begin with the tenant. These ids are random, so no two accounts have the same.
alter table proof_pairing_sessions drop constraint proof_pairing_sessions_id_key;
create index proof_pairing_sessions_id on proof_pairing_sessions (id);

-- As 0017_hash_checks. A head changes in every write.
alter table audit_heads
  drop constraint audit_heads_hash_check,
  add constraint audit_heads_hash_check check (length(hash) = 64 and hash !~ '[^0-9a-f]') not valid;
