-- How the member who opened it knows the name of the new person.
alter table registration_sessions add column name_how text check (name_how in ('known', 'document_seen', 'list'));
