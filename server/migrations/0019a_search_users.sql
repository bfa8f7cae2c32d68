-- What the lists of the console search: texts by their beginning, and records by when they were created. `lower` in the C
-- collation changes ASCII letters only, in any locale. The e-mails of people are in tenant_users_email already.
create index tenant_users_name on tenant_users (tenant_id, environment, lower(full_name collate "C"), id);
create index tenant_users_last_name on tenant_users
  (tenant_id, environment, lower(split_part(rtrim(full_name), ' ', -1) collate "C"), id);
create index tenant_users_external_id on tenant_users
  (tenant_id, environment, lower(external_id collate "C"), id) where external_id is not null;
create index tenant_users_created on tenant_users (tenant_id, environment, status, created_at, id);
