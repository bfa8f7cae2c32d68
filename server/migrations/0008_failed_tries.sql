-- Step 3 of a ceremony reserves one of five tries (`failures`) before it verifies the proof. This counts the tries whose
-- proof was refused. The ceremony is abandoned when all five were, so never while one of them is still being verified.
alter table registration_sessions add column failed_tries integer not null default 0;
