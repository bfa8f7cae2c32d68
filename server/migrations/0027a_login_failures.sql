-- Failed log-ins of an account in an hour. The audit log has a row for each of the first, and one that counts the others.
create table login_failures (
  tenant_id uuid not null references tenants (id),
  hour timestamptz(3) not null,
  failures integer not null,
  -- How many of them the audit log has.
  recorded integer not null default 0 check (recorded <= failures),
  primary key (tenant_id, hour)
);
create index login_failures_hour on login_failures (hour);
