-- Calls with a key that the plan or the account's status rejected: one row for each minute and error code, however many calls there
-- were. Counts only grow, so several nodes add to the same row. They are deleted after 7 days, as the request log is.
create table rejected_calls (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  minute timestamptz(3) not null,
  error text not null,
  calls bigint not null,
  primary key (tenant_id, environment, minute, error)
);
create index rejected_calls_age on rejected_calls (minute);
