-- As those of people.
create index devices_canonical_id on devices (tenant_id, environment, normalize(external_id, NFC)) where external_id is not null;
