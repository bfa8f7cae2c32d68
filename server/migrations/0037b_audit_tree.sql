-- The Merkle tree over each audit chain (RFC 9162), as far as it is signed.
create table audit_trees (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  -- The number of the chain's rows that it covers.
  size bigint not null check (size > 0),
  root text not null,
  -- The chain's hash at `seq = size`.
  hash text not null,
  -- The roots of the complete subtrees that it consists of, in order. The next rows are added to them.
  edge text not null,
  signed_at timestamptz(3) not null,
  key_id text not null,
  signature text not null,
  primary key (tenant_id, environment)
) with (fillfactor = 70);

-- The tree's nodes, 256 to a tile: at level 0 the hashes of leaves, at level 1 the roots of 256 leaves, at level 2 of 65,536, and so
-- on. Level 0 has complete tiles only.
create table audit_tree_tiles (
  tenant_id uuid not null,
  environment text not null,
  level smallint not null,
  number bigint not null,
  -- In hex, as binary columns could hold images. 64 characters each.
  hashes text not null,
  primary key (tenant_id, environment, level, number)
);
-- Hashes cannot be compressed.
alter table audit_tree_tiles alter column hashes set storage external;
