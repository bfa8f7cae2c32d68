-- Wrong numbers that a person typed since a time, and until when their numbers are not accepted.
alter table identities
  add column wrong_numbers smallint not null default 0,
  add column wrong_numbers_since timestamptz,
  add column match_locked_until timestamptz;
