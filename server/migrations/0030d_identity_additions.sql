-- Where a person's phone and a new phone meet, so that the new one's identity can be added. It lasts five minutes.
create table identity_additions (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  state text not null check (state in ('open', 'joined', 'revealed', 'opened', 'completed', 'rejected')),
  -- The identity of the phone that opened it.
  did text not null,
  -- SHA-256 of the opener's 32 random bytes, and the bytes once it has revealed them.
  a_hash text not null check (a_hash ~ '^[0-9a-f]{64}$'),
  a text check (a ~ '^[0-9a-f]{64}$'),
  -- The nonce and time that both proofs of the addition are bound to. Chosen by the opener.
  nonce uuid,
  timestamp_ms bigint,
  -- SHA-256(newDid|newCommitment|b), which the new phone sends before it knows `a`.
  c text check (c ~ '^[0-9a-f]{64}$'),
  new_did text,
  new_commitment text check (new_commitment ~ '^[0-9a-f]{64}$'),
  b text check (b ~ '^[0-9a-f]{64}$'),
  -- The new phone's proof with its public signals.
  new_proof json,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, id)
);
create index identity_additions_id on identity_additions (id);
create index identity_additions_expiry on identity_additions (expires_at);
