-- What the seal of a pairing that has ended is made with, and when it ended. Null before the end, and in one that expired.
alter table proof_pairing_sessions
  add column seal_n smallint,
  add column facts_salt text,
  add column text_salt text,
  add column sealed_at timestamptz(3);
