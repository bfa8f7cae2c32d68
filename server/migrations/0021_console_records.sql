-- The sessions of a person from sign-on, which have no identity. Sessions from proofs, of which there are far more, are found by their identity.
create index sessions_sign_on on sessions (tenant_id, environment, user_id) where identity_id is null;
