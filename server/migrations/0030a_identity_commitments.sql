-- Every commitment that an identity ever had, in order. One in force is also in `identities`. A commitment is never used again, by
-- anybody. Identities from before get their first row by a job.
create table identity_commitments (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  identity_id uuid not null,
  version integer not null check (version > 0),
  commitment text not null check (commitment ~ '^[0-9a-f]{64}$'),
  -- Of the leaf that an audit event names as `identity_leaf`. Not the salt of the anchor.
  salt text not null check (salt ~ '^[0-9a-f]{64}$'),
  leaf text not null check (leaf ~ '^[0-9a-f]{64}$'),
  -- The proof that authorized it, with its public signals. Null for a registration. Its hash is in the audit event.
  authorization_proof json,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, identity_id, version),
  constraint identity_commitments_commitment_key unique (tenant_id, environment, commitment),
  foreign key (tenant_id, environment, identity_id) references identities (tenant_id, environment, id)
);
