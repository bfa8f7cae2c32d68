-- As 0019a_search_users.
create index devices_name on devices (tenant_id, environment, lower(name collate "C"), id);
create index devices_external_id on devices
  (tenant_id, environment, lower(external_id collate "C"), id) where external_id is not null;
create index devices_created on devices (tenant_id, environment, status, enrollment_state, created_at, id);
