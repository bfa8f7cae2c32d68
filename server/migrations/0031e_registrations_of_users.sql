-- The registrations of a person, for export and erasure: those with the person's id, and those that ended before there was one.
create index registration_sessions_user on registration_sessions (tenant_id, environment, user_id) where user_id is not null;
create index registration_sessions_external_id on registration_sessions (tenant_id, environment, (profile ->> 'externalId'))
  where profile is not null;
