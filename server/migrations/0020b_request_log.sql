-- The request log: who called, and the error code. The id of a row is that of the request, where a key is named. An account has at most
-- 1,000 rows, and none older than 7 days.
alter table recent_calls add column key_id uuid, add column error text;
create index recent_calls_age on recent_calls (called_at);
