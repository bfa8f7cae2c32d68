-- The verification that spent it. The statements of a verification after the one that spends find out here whether it did.
alter table spent_nonces add column verification_id uuid;
