-- The API key that revoked an identity. The dashboard shows people who lost their last identity to a key.
alter table identities add column revoking_key_id uuid;
create index identities_revoked_with_key on identities (tenant_id, environment, revoked_at) where revoking_key_id is not null;
