-- People who asked for a pilot or for the whitepaper. They have no account, so no audit chain names them; housekeeping
-- deletes them after twelve months.

create table leads (
  id uuid primary key,
  type text not null check (type in ('pilot', 'whitepaper')),
  email text not null,
  name text,
  company text,
  size text,
  created_at timestamptz(3) not null,
  constraint leads_pilot_complete
    check (type = 'whitepaper' or (name is not null and company is not null and size is not null))
);
create index leads_type on leads (type, id);
create index leads_age on leads (created_at);
