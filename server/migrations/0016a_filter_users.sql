-- One index for each set of filters of a list: the columns that must be equal, then what the list is ordered by. A filter
-- that is left out and has few values is looked up once for each of them (server/src/http/lists), so that its column can
-- stand in the index all the same. Nothing that is read is thrown away.
create index tenant_users_status on tenant_users (tenant_id, environment, status, id);
-- The order of nulls, which there are none of, keeps the planner from reading another index in order and comparing e-mails.
create index tenant_users_email on tenant_users
  (tenant_id, environment, lower(email collate "C"), status, id desc nulls last) where email is not null;

-- The planner takes one index for another when it expects a row or less of either, or when all rows had one value at the last
-- ANALYZE. Told to expect all rows in one account, and several values of every filter, it prefers the index that
-- has all of a query's columns, however the rows are spread.
alter table tenant_users alter tenant_id set (n_distinct = 1), alter environment set (n_distinct = 1),
  alter status set (n_distinct = 2);
