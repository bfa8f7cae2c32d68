-- What the seal of a registration that has ended is made with (as 0044a). Null before the end, and if it ended before there were seals.
alter table registration_sessions
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column text_hash text;
