-- An erased commitment keeps only its leaf, which the audit chain names.
alter table identity_commitments
  alter column commitment drop not null,
  alter column salt drop not null;
