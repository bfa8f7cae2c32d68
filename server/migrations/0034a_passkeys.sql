-- Passkeys of members (WebAuthn). The public key is a COSE key in base64url.
create table passkeys (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  member_id uuid not null,
  credential_id text not null constraint passkeys_credential_key unique,
  public_key text not null,
  -- The signature counter of the last use. Authenticators without one send 0.
  counter bigint not null,
  transports text[] not null,
  -- Whether the credential may be copied to other devices (backup eligibility). It never changes.
  is_synced boolean not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (tenant_id, id)
);
create index passkeys_member on passkeys (tenant_id, member_id);
