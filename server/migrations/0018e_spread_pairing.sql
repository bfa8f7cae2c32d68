-- On several machines, a unique key must begin with the tenant. These ids are random, so no two accounts have the same.
alter table proof_pairing_sessions drop constraint proof_pairing_sessions_id_key;
create index proof_pairing_sessions_id on proof_pairing_sessions (id);
