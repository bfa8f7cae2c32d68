-- The proof that made a browser known: its identity, and the commitment that it had. Null for browsers from before, which are not known any more.
alter table known_browsers add column identity_id uuid, add column commitment text;
