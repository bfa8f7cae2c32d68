-- What the seal of a record in the audit chain is made with, and the hash of a text that was removed. Null before there were seals.
alter table verifications
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column text_hash text;
