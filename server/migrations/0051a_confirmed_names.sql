-- Who confirmed the name of a person, where, when and how. Only the service sets it, and another name clears it.
alter table tenant_users add column name_confirmation json;
