-- Housekeeping clears these answers after a minute, and finds them without reading the whole table.
create index refresh_tokens_retry on refresh_tokens (used_at) where retry_answer is not null;
