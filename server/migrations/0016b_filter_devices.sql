-- As 0016a_filter_users.
create index devices_status on devices (tenant_id, environment, status, enrollment_state, id);

alter table devices alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter status set (n_distinct = 3), alter enrollment_state set (n_distinct = 3);
