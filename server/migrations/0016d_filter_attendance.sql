-- As 0016a_filter_users.
create index attendance_kind on attendance (tenant_id, environment, type, result, id);
create index attendance_time on attendance (tenant_id, environment, type, result, occurred_at, id);
create index attendance_user on attendance (tenant_id, environment, user_id, type, result, occurred_at, id);
create index attendance_device on attendance (tenant_id, environment, device_id, type, result, occurred_at, id)
  where device_id is not null;
create index attendance_user_device on attendance
  (tenant_id, environment, user_id, device_id, type, result, occurred_at, id) where device_id is not null;

alter table attendance alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter type set (n_distinct = 2), alter result set (n_distinct = 2),
  alter user_id set (n_distinct = 10), alter device_id set (n_distinct = 10);
