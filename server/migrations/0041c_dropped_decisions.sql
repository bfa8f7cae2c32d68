-- SHA-256 of the commitment and the binding of each decision that was dropped: their proofs decide nothing again. Null if none was.
alter table approval_approvers add column dropped_proofs text[];
