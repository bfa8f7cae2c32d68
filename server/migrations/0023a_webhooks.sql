-- The keys that secrets of tenants are encrypted with, each itself encrypted under the server secret that `secret_id` names.
create table sealing_keys (
  id uuid primary key,
  secret_id text not null,
  sealed text not null,
  created_at timestamptz(3) not null
);

create table webhooks (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  url text not null,
  description text,
  events text[] not null,
  ordered boolean not null,
  outcome text not null check (outcome in ('success', 'failure', 'any')),
  throttled boolean not null,
  status text not null check (status in ('active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'chain_diverged')),
  -- Sealed.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  signing_key text not null,
  public_key text not null,
  -- All events up to this one were delivered, wait in webhook_retries, or are not selected.
  cursor_seq bigint not null,
  cursor_hash text not null,
  -- The last event up to the cursor that the filter selected, of those after `filter_since`.
  previous_seq bigint,
  previous_hash text,
  filter_since bigint not null,
  -- Failures of the current minute, by type (features/webhooks/throttle.ts).
  throttle jsonb,
  -- Events that are sent again: from the next one to the last.
  replay_from bigint,
  replay_to bigint,
  -- When the first of its rows in webhook_retries is due.
  retry_at timestamptz(3),
  -- The node that serves it, until when.
  lease_id uuid,
  lease_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  consecutive_failures integer not null default 0,
  key_id uuid,
  created_at timestamptz(3) not null,
  -- Counts changes by the tenant, so that a node that serves the webhook reads it again.
  version integer not null default 0,
  primary key (tenant_id, environment, id)
);
create index webhooks_active on webhooks (tenant_id, environment) where status = 'active';

-- Events whose last attempt failed, and events that wait to be sent again.
create table webhook_retries (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  webhook_id uuid not null,
  event_id uuid not null,
  seq bigint not null,
  is_replay boolean not null,
  previous_seq bigint,
  previous_hash text,
  -- What `events.throttled` sums up; null for an event.
  summary jsonb,
  attempts smallint not null,
  first_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  primary key (tenant_id, environment, webhook_id, event_id, is_replay)
);

create table webhook_attempts (
  tenant_id uuid not null references tenants (id),
  environment text not null check (environment in ('live', 'test')),
  webhook_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  -- Null for `webhook.test`, which is no event of the chain.
  seq bigint,
  type text not null,
  attempt smallint not null,
  is_replay boolean not null,
  at timestamptz(3) not null,
  status text not null check (status in ('succeeded', 'failed', 'abandoned')),
  http_status smallint,
  error_code text check (error_code in ('dns', 'connect', 'tls', 'timeout', 'status', 'too_large')),
  duration_ms integer not null,
  next_attempt_at timestamptz(3),
  primary key (tenant_id, environment, webhook_id, id)
);
create index webhook_attempts_expiry on webhook_attempts (at);
