-- Records that are tied to a chain, and what was sent there. A hub is a chain's id and the contract's address on it.

create table anchor_leaves (
  tenant_id uuid not null references tenants (id),
  -- Records of the test environment never reach a chain.
  environment text not null check (environment = 'live'),
  id uuid not null,
  kind smallint not null check (kind in (1, 2)),
  -- Of an identity its didHash and commitment.
  identity_id uuid,
  -- Of an audit head its place in the chain; the head's hash is the leaf's second word.
  seq bigint,
  first_word text check (first_word ~ '^[0-9a-f]{64}$'),
  second_word text check (second_word ~ '^[0-9a-f]{64}$'),
  salt text check (salt ~ '^[0-9a-f]{64}$'),
  -- As the contract hashes them. It stays when words and salt are erased with a person: its neighbours' proofs lead past it.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null,
  -- Null while it waits for its batch.
  hub text,
  batch_id bigint,
  position integer,
  primary key (tenant_id, environment, id),
  constraint anchor_leaves_identity_key unique (tenant_id, environment, identity_id),
  check ((kind = 1 and salt is not null) = (identity_id is not null) and (kind = 2) = (seq is not null)),
  check ((salt is null) = (first_word is null) and (salt is null) = (second_word is null)
    and (kind = 1 or salt is not null)),
  check ((batch_id is null) = (position is null) and (batch_id is null) = (hub is null))
);
create index anchor_leaves_waiting on anchor_leaves (created_at, id) where batch_id is null;
create index anchor_leaves_batch on anchor_leaves (hub, batch_id, position);
create index anchor_leaves_heads on anchor_leaves (tenant_id, environment, seq) where kind = 2;

create table anchor_batches (
  hub text not null,
  batch_id bigint not null check (batch_id > 0),
  root text not null check (root ~ '^[0-9a-f]{64}$'),
  leaves integer not null check (leaves > 0),
  identities integer not null check (identities between 0 and leaves),
  created_at timestamptz(3) not null,
  included_at timestamptz(3),
  confirmed_at timestamptz(3),
  -- The transaction that a block holds.
  mined_hash text,
  primary key (hub, batch_id)
);

-- Saved before they are sent, so that a killed process sends the same bytes again.
create table anchor_transactions (
  hub text not null,
  batch_id bigint not null,
  tx_hash text not null check (tx_hash ~ '^[0-9a-f]{64}$'),
  nonce bigint not null,
  signed text not null,
  max_fee numeric not null,
  priority_fee numeric not null,
  created_at timestamptz(3) not null,
  -- When a node first took it.
  taken_at timestamptz(3),
  primary key (hub, batch_id, tx_hash),
  foreign key (hub, batch_id) references anchor_batches (hub, batch_id)
);

-- Who works for a hub at present, and when audit heads were last gathered.
create table anchor_workers (
  hub text primary key,
  holder uuid not null,
  expires_at timestamptz(3) not null,
  heads_at timestamptz(3)
);
