-- Software that signs people in through the OpenID Provider (docs/openid-provider.md). The id is the `client_id`.
create table oidc_clients (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  name text not null,
  type text not null check (type in ('web', 'spa', 'native', 'device')),
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null,
  backchannel_logout_uri text,
  token_endpoint_auth text not null
    check (token_endpoint_auth in ('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none')),
  jwks jsonb,
  subject_type text not null check (subject_type in ('pairwise', 'public')),
  id_token_alg text not null check (id_token_alg in ('RS256', 'ES256')),
  require_dpop boolean not null,
  claims text[] not null,
  -- SHA-256 of the secret. The one before it is accepted until its grace ends.
  secret_hash text,
  previous_secret_hash text,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);

-- One for each environment of an account, created with its first client.
create table oidc_issuers (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  -- Sealed. What pairwise subjects are derived with. It never changes.
  subject_salt text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment)
);

create table oidc_keys (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- The `kid`.
  id uuid not null,
  alg text not null check (alg in ('RS256', 'ES256')),
  state text not null check (state in ('next', 'current', 'retired')),
  public_jwk jsonb not null,
  -- Sealed.
  private_key text not null,
  created_at timestamptz(3) not null,
  -- When it became the current or a retired key.
  changed_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
create unique index oidc_keys_state on oidc_keys (tenant_id, environment, alg, state) where state <> 'retired';
create index oidc_keys_due on oidc_keys (state, changed_at);

-- A person's sign-in to a client. Codes and tokens are valid as long as it is.
create table oidc_grants (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  client_id uuid not null,
  user_id uuid not null,
  identity_id uuid not null,
  verification_id uuid not null,
  scope text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When the client's back-channel logout is sent, or sent again. Null: not at all, or it arrived.
  logout_at timestamptz(3),
  logout_attempts smallint not null default 0,
  primary key (tenant_id, environment, id)
);
create index oidc_grants_identity on oidc_grants (identity_id) where ended_at is null;
create index oidc_grants_expiry on oidc_grants (expires_at);
create index oidc_grants_logout on oidc_grants (logout_at) where logout_at is not null;

-- What the provider remembers: interactions, sessions, codes, tokens and what must not be used twice.
create table oidc_state (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- `<kind>:<SHA-256 of the identifier>`, so that nobody can read a code or token here.
  id text not null,
  kind text not null,
  -- Sealed.
  payload text not null,
  grant_id uuid,
  uid_hash text,
  user_code_hash text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
create index oidc_state_grant on oidc_state (grant_id) where grant_id is not null;
create index oidc_state_uid on oidc_state (uid_hash) where uid_hash is not null;
create index oidc_state_user_code on oidc_state (user_code_hash) where user_code_hash is not null;
create index oidc_state_expiry on oidc_state (expires_at);
