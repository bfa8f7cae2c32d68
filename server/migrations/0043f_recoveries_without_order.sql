-- 0043e made the index that takes its place.
drop index registration_sessions_recovery_id;
