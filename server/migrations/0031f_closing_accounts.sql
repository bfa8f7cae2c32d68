-- An account that its owner closed can be reopened until `closes_at`. Then its records are deleted, and it stays `closed`. After a
-- restore from a backup, its identities are locked until its owner confirms them.
alter table tenants
  drop constraint tenants_status_check,
  add constraint tenants_status_check
    check (status in ('active', 'suspended', 'deactivated', 'closing', 'closed')) not valid,
  add column closes_at timestamptz(3),
  add column identities_locked_at timestamptz(3);
create index tenants_closing on tenants (closes_at) where status = 'closing';
