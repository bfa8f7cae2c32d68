-- As 0019a_search_users.
create index verifications_reference on verifications
  (tenant_id, environment, lower(reference_id collate "C"), id) where reference_id is not null;
