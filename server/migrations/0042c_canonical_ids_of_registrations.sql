-- As those of people.
create index registration_sessions_canonical_id on registration_sessions
  (tenant_id, environment, normalize(profile ->> 'externalId', NFC)) where profile is not null;
