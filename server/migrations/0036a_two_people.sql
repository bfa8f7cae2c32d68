-- Who opened a registration in the dashboard: a member. Null for one that was opened by an API key.
alter table registration_sessions add column opened_by uuid;
-- The account's policy when the recovery was opened: another member than the one who opened it has to confirm it.
alter table registration_sessions add column two_person boolean not null default false;
-- How many members have to confirm a recovery, since a revoked phone contested it.
alter table registration_sessions add column confirmations_needed smallint not null default 0;
-- The members who confirmed it.
alter table registration_sessions add column confirmed_by uuid[] not null default '{}';
