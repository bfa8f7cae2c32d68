-- An identity has an anchored leaf for each of its commitments.
alter table anchor_leaves
  drop constraint anchor_leaves_identity_key,
  add constraint anchor_leaves_identity_key unique (tenant_id, environment, identity_id, hash);
