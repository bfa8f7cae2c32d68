-- What a pairing knows of a person, for export and erasure.
create index proof_pairing_sessions_user on proof_pairing_sessions (tenant_id, environment, user_id) where user_id is not null;
