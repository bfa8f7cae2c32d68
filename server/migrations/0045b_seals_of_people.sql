-- As those of devices (0045a). The salts go when a person is erased.
alter table tenant_users
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column sealed_at timestamptz(3);
