-- Keys by which a phone signs its proofs, for now passkeys (WebAuthn). The public key is a COSE key in base64url.
create table attestation_keys (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  identity_id uuid not null,
  platform text not null,
  credential_id text not null,
  public_key text not null,
  -- 2: the person unlocked it. Higher levels are for keys whose hardware is attested.
  level smallint not null check (level between 2 and 4),
  -- Whether it may be copied to other devices. It never changes.
  backup_eligible boolean not null,
  -- Whether it was copied when it was last used.
  backed_up boolean not null,
  -- The signature counter of the last use. Authenticators without one send 0.
  counter bigint not null,
  -- SHA-256 of the evidence it was enrolled with.
  evidence_hash text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (tenant_id, environment, id),
  constraint attestation_keys_credential_key unique (tenant_id, environment, credential_id),
  constraint attestation_keys_public_key_key unique (tenant_id, environment, public_key),
  foreign key (tenant_id, environment, identity_id) references identities (tenant_id, environment, id)
);
create unique index attestation_keys_live on attestation_keys (tenant_id, environment, identity_id) where revoked_at is null;
create index attestation_keys_identity on attestation_keys (tenant_id, environment, identity_id, id);
