-- Links to choose a new password. A member has at most one.
create table password_resets (
  tenant_id uuid not null references tenants (id),
  member_id uuid not null,
  -- SHA-256 of the token in the link.
  token_hash text not null constraint password_resets_token_key unique,
  -- SHA-256 of the e-mail and the password hash that the member had, so that the link ends when either changes.
  issued_for text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, member_id)
);
create index password_resets_expiry on password_resets (expires_at);
