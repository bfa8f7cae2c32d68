-- When a member used a link that was mailed to them. Null: not since this migration.
alter table members add column email_confirmed_at timestamptz;
