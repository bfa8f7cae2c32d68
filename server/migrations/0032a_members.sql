-- The people who work with an account. The first owner has the account's id, and their password stays in `tenants`, which nodes of the
-- version before read and write.
create table members (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  -- Null once the member was removed.
  email text,
  name text,
  role text not null check (role in ('auditor', 'developer', 'owner')),
  status text not null check (status in ('invited', 'active', 'removed')),
  -- Null for the first owner, and for a member without a password.
  password_hash text,
  -- While the member is invited: SHA-256 of the token, the end of its time, and who invited.
  invitation_hash text constraint members_invitation_key unique,
  invitation_expires_at timestamptz(3),
  invited_by uuid,
  created_at timestamptz(3) not null,
  joined_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index members_email_key on members (email) where status = 'active';
insert into members (tenant_id, id, email, role, status, created_at, joined_at)
  select id, id, email, 'owner', 'active', created_at, created_at from tenants
  where password_hash <> '';
