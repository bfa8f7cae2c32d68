-- What people approve. Its statement is everything that the phone shows, as canonical JSON.
create table approvals (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  state text not null check (state in ('pending', 'approved', 'declined', 'expired', 'cancelled', 'consumed')),
  statement text,
  -- SHA-256 of the statement, which the decisions prove.
  digest text not null,
  required smallint not null,
  -- A keyed hash of the number that approvers type. Null if they type none.
  match_hash text,
  -- The caller's own id for it.
  reference text,
  requester_kind text not null check (requester_kind in ('api_key', 'member', 'client')),
  requester_id text not null,
  created_at timestamptz(3) not null,
  -- Rises with each decision and each state, so that a request can wait for the next.
  revision integer not null default 1,
  expires_at timestamptz(3) not null,
  -- When an approval was cancelled or used, or its end was recorded. Its event in the audit chain is found by it.
  ended_at timestamptz(3),
  primary key (tenant_id, environment, id)
);
-- A phone knows nothing but the id.
create index approvals_id on approvals (id);
create index approvals_waiting on approvals (expires_at) where state in ('pending', 'approved');
create index approvals_reference on approvals (tenant_id, environment, reference, id) where reference is not null;

-- The people who may decide, and what they decided: each once.
create table approval_approvers (
  tenant_id uuid not null,
  environment text not null,
  approval_id uuid not null,
  user_id uuid not null,
  decision text check (decision in ('approve', 'decline')),
  -- The clock of the phone, which its proof is bound to.
  decided_at timestamptz(3),
  -- When the service recorded it, by its own clock. Its event in the audit chain is found by it.
  recorded_at timestamptz(3),
  identity_id uuid,
  did text,
  reason text check (reason in ('not_me', 'mistake', 'no')),
  typed_number text,
  circuit text,
  proof json,
  primary key (tenant_id, environment, approval_id, user_id)
);
create index approval_approvers_user on approval_approvers (tenant_id, environment, user_id, approval_id);
