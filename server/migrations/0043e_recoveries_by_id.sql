-- As 0043a. 0043f drops the btree.
create index registration_sessions_recovery_by_id on registration_sessions using hash (id) where recovery_opened_at is not null;
