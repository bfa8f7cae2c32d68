-- The pairing sessions of a person and of a device that opened them, newest first. The first also serves the export and the
-- erasure of a person, so 0039w drops the index without an order.
create index proof_pairing_sessions_of_user on proof_pairing_sessions (tenant_id, environment, user_id, id) where user_id is not null;
create index proof_pairing_sessions_of_device on proof_pairing_sessions (tenant_id, environment, opened_by_device, id)
  where opened_by_device is not null;
