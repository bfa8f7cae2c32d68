-- As those of verifications (0044a).
alter table attendance
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column text_hash text;
