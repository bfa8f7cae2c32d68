-- As 0017_hash_checks. A head changes in every write.
alter table audit_heads
  drop constraint audit_heads_hash_check,
  add constraint audit_heads_hash_check check (length(hash) = 64 and hash !~ '[^0-9a-f]') not valid;
