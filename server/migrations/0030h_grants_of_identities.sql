-- When an identity was last used. Grants that have ended count as well.
create index oidc_grants_of_identity on oidc_grants (tenant_id, environment, identity_id, created_at);
