-- What the seal of a device in the audit chain is made with, and when it last changed. Null before there were seals.
alter table devices
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column sealed_at timestamptz(3);
