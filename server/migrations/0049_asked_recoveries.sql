-- Who opened it may do no more than reception may: a recovery waits for an owner, and an e-mail address is not confirmed.
alter table registration_sessions add column by_reception boolean not null default false;
