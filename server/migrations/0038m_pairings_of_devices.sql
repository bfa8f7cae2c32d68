-- The device with a key that signed the request, or whose session opened it. Null: neither.
alter table proof_pairing_sessions add column opened_by_device uuid;
