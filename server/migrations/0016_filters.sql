-- One index for each set of filters of a list: the columns that must be equal, then what the list is ordered by. A filter
-- that is left out and has few values is looked up once for each of them (kernel/db/newest.ts), so that its column can
-- stand in the index all the same. Nothing that is read is thrown away.
create index tenant_users_status on tenant_users (tenant_id, environment, status, id);
-- The order of nulls, which there are none of, keeps the planner from reading another index in order and comparing e-mails.
create index tenant_users_email on tenant_users
  (tenant_id, environment, lower(email collate "C"), status, id desc nulls last) where email is not null;

create index devices_status on devices (tenant_id, environment, status, enrollment_state, id);

create index verifications_kind on verifications (tenant_id, environment, method, result, id);
create index verifications_time on verifications (tenant_id, environment, method, result, occurred_at, id);
create index verifications_user on verifications (tenant_id, environment, user_id, method, result, occurred_at, id)
  where user_id is not null;
create index verifications_device on verifications (tenant_id, environment, device_id, method, result, occurred_at, id)
  where device_id is not null;
create index verifications_user_device on verifications
  (tenant_id, environment, user_id, device_id, method, result, occurred_at, id)
  where user_id is not null and device_id is not null;

create index attendance_kind on attendance (tenant_id, environment, type, result, id);
create index attendance_time on attendance (tenant_id, environment, type, result, occurred_at, id);
create index attendance_user on attendance (tenant_id, environment, user_id, type, result, occurred_at, id);
create index attendance_device on attendance (tenant_id, environment, device_id, type, result, occurred_at, id)
  where device_id is not null;
create index attendance_user_device on attendance
  (tenant_id, environment, user_id, device_id, type, result, occurred_at, id) where device_id is not null;

-- The planner takes one index for another when it expects a row or less of either, or when all rows had one value at the last
-- ANALYZE. Told to expect all rows in one account, and several values of every filter, it prefers the index that
-- has all of a query's columns, however the rows are spread.
alter table tenant_users alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter status set (n_distinct = 2);
alter table devices alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter status set (n_distinct = 3), alter enrollment_state set (n_distinct = 3);
alter table verifications alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter method set (n_distinct = 7), alter result set (n_distinct = 3),
  alter user_id set (n_distinct = 10), alter device_id set (n_distinct = 10);
alter table attendance alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter type set (n_distinct = 2), alter result set (n_distinct = 2),
  alter user_id set (n_distinct = 10), alter device_id set (n_distinct = 10);
