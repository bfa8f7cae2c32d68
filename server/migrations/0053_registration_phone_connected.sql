-- When a phone last opened the first code of a registration. Nothing says which phone.
alter table registration_sessions add column phone_connected_at timestamptz(3);
