-- Log-ins to the console. A console token names its log-in, and ends with it.
create table login_sessions (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  member_id uuid not null,
  -- The network and the program it came from, so that its member recognizes it.
  network text,
  user_agent text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- When the member last confirmed who they are, by logging in or later.
  confirmed_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index login_sessions_member on login_sessions (tenant_id, member_id);
create index login_sessions_expiry on login_sessions (expires_at);
