-- The registrations of a phone, and those that a device opened. Those of a person have an index since 0031e.
create index registration_sessions_device on registration_sessions (tenant_id, environment, device_id, id) where device_id is not null;
create index registration_sessions_opened_by on registration_sessions (tenant_id, environment, opened_by_device, id)
  where opened_by_device is not null;
