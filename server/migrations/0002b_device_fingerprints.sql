-- No two devices in use have the same fingerprint.
create unique index devices_fingerprint_key on devices (tenant_id, environment, fingerprint)
  where fingerprint is not null and enrollment_state <> 'revoked' and status <> 'retired';
