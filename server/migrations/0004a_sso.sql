-- Simulated sign-on by SAML and OIDC: logins on their way, and what the simulated identity provider keeps.

-- A login that was begun and not answered. Single use: answering deletes it, whatever becomes of the answer.
create table sso_requests (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  method text not null check (method in ('saml', 'oidc')),
  -- SHA-256 of the relay state or state, which are 256 random bits.
  state_hash text not null,
  -- What the answer must match, encrypted: the request's id, or nonce and PKCE verifier.
  expected text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, id),
  constraint sso_requests_state_key unique (tenant_id, environment, state_hash)
);
create index sso_requests_expiry on sso_requests (expires_at);

-- Authorization codes of the simulated provider, which knows no tenants.
create table demo_idp_codes (
  code_hash text primary key,
  granted text not null,
  expires_at timestamptz(3) not null
);
create index demo_idp_codes_expiry on demo_idp_codes (expires_at);

-- Its signing keys, one a protocol and server secret, encrypted under that secret: every node has the same.
create table demo_idp_keys (
  name text not null check (name in ('saml', 'oidc')),
  key_id text not null,
  sealed text not null,
  created_at timestamptz(3) not null,
  primary key (name, key_id)
);
