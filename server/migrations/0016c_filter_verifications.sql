-- As 0016a_filter_users.
create index verifications_kind on verifications (tenant_id, environment, method, result, id);
create index verifications_time on verifications (tenant_id, environment, method, result, occurred_at, id);
create index verifications_user on verifications (tenant_id, environment, user_id, method, result, occurred_at, id)
  where user_id is not null;
create index verifications_device on verifications (tenant_id, environment, device_id, method, result, occurred_at, id)
  where device_id is not null;
create index verifications_user_device on verifications
  (tenant_id, environment, user_id, device_id, method, result, occurred_at, id)
  where user_id is not null and device_id is not null;

alter table verifications alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter method set (n_distinct = 7), alter result set (n_distinct = 3),
  alter user_id set (n_distinct = 10), alter device_id set (n_distinct = 10);
