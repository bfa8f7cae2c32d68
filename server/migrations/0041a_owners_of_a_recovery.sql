-- Who was an owner of the account when a recovery was opened: only they confirm it. Null before it is opened, and on nodes of the version before.
alter table registration_sessions add column owners uuid[];
