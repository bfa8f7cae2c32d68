-- When a phone last opened the code of the session. The desktop shows that, and nothing else depends on it.
alter table proof_pairing_sessions add column phone_connected_at timestamptz;
