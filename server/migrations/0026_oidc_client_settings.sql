-- What an application may do without, and more that it may read (docs/openid-provider.md). Clients from before keep their ID tokens
-- as they were.
alter table oidc_clients
  add column require_pkce boolean not null default true,
  add column id_token_claims boolean not null default false,
  -- The application's own claims: name to path in a user's metadata.
  add column custom_claims jsonb not null default '{}';
