-- The public key that a device showed when it enrolled, for kiosks that sign what they ask: x and y of a point on P-256 in
-- base64url, with a dot between them. It is never replaced.
alter table devices add column public_key text;
-- Its RFC 7638 thumbprint. Null: the device has no key.
alter table devices add column key_thumbprint text;
-- A device that opens a session names only itself.
create index devices_with_key on devices (id) where public_key is not null;

-- The signatures of devices that were used. Each counts once, until it is too old for any request.
create table device_signatures (
  tenant_id uuid not null,
  environment text not null,
  device_id uuid not null,
  jti text not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, environment, device_id, jti)
);
create index device_signatures_expiry on device_signatures (expires_at);
