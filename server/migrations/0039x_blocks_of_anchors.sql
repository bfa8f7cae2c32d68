-- The number of the block that holds `mined_hash`. Null for batches from before this migration.
alter table anchor_batches add column mined_block bigint;
