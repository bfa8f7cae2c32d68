-- Closed accounts whose records are still to be deleted.
create index tenants_deleting on tenants (closes_at) where status = 'closed' and closes_at is not null;
