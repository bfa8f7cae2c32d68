-- The device whose session opened it. Null for any other caller.
alter table registration_sessions add column opened_by_device uuid;
