-- The device that an identity was made on: revoking it revokes the identity.
alter table identities add column device_id uuid;
create index identities_device on identities (tenant_id, environment, device_id);
