-- The calls of each account by hour, for charts: one row for each endpoint, status and key that had calls in that hour. A column
-- `ms_<n>` is the number of calls that took at most that many milliseconds, and more than in the column before. Counts only grow, so
-- several nodes add to the same row, and rows of hours add up to days. They are deleted after 90 days. Billing reads `usage_months`.
create table usage_hours (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  hour timestamptz(3) not null,
  endpoint text not null,
  status integer not null,
  key_id uuid not null,
  ms_1 integer not null,
  ms_2 integer not null,
  ms_5 integer not null,
  ms_10 integer not null,
  ms_15 integer not null,
  ms_20 integer not null,
  ms_30 integer not null,
  ms_50 integer not null,
  ms_75 integer not null,
  ms_100 integer not null,
  ms_200 integer not null,
  ms_500 integer not null,
  ms_1000 integer not null,
  ms_2000 integer not null,
  ms_5000 integer not null,
  ms_30000 integer not null,
  primary key (tenant_id, environment, hour, endpoint, status, key_id)
);
create index usage_hours_age on usage_hours (hour);
-- What people see of an account besides its name. The logo is an image of the company, checked when it was sent, as base64: at most
-- 32 KiB. `logo_id` comes from its content.
create table company_profiles (
  tenant_id uuid primary key references tenants (id),
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  logo_id uuid,
  logo_type text check (logo_type in ('image/png', 'image/webp')),
  logo_bytes integer,
  logo_base64 text
);
