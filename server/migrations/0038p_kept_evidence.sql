-- The evidence that a key was enrolled with, and its challenge. Sealed, and kept for 30 days.
alter table attestation_keys add column evidence text;
create index attestation_keys_evidence on attestation_keys (created_at) where evidence is not null;
