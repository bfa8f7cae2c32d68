-- Devices by name, and by when they were last seen. Those that never were come first.
create index devices_by_name on devices (tenant_id, environment, status, enrollment_state, lower(name collate "C"), id);
create index devices_by_last_seen on devices
  (tenant_id, environment, status, enrollment_state, coalesce(last_seen_at, '-infinity'::timestamptz), id);
