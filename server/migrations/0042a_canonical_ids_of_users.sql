-- External ids of people, compared in normalization form C, so that an id is the same however its accents are written. Not unique: there may be pairs of before,
-- which `svc doctor` lists.
create index tenant_users_canonical_id on tenant_users (tenant_id, environment, normalize(external_id, NFC))
  where external_id is not null;
