-- An erased identity has neither.
alter table identities
  alter column did drop not null,
  alter column commitment drop not null;
