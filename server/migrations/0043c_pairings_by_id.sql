-- As 0043a. 0043d drops the btree.
create index proof_pairing_sessions_by_id on proof_pairing_sessions using hash (id);
