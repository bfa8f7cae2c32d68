-- People by name. The status comes first, as in the other indexes of lists: one range for each of its values is merged.
create index tenant_users_by_name on tenant_users (tenant_id, environment, status, lower(full_name collate "C"), id);
