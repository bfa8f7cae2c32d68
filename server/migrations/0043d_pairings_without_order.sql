-- 0043c made the index that takes its place.
drop index proof_pairing_sessions_id;
