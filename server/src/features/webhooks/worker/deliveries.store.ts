import { type Mutation, type Query, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Write, within } from '../../../ledger/write.js';
import type { Environment } from '../../../model/environment.js';
import type { AttemptRow, WebhookRow } from '../webhooks.store.js';
import type { Position } from './message.js';
import type { Summary, Throttle } from './throttle.js';

export type DeliveryWrite = UnauditedWrite<'webhook deliveries'>;

/** A webhook that this node serves, as it was read. */
export interface ServedRow extends WebhookRow {
  previous_seq: number | null;
  previous_hash: string | null;
  throttle: Throttle | null;
  replay_from: number | null;
  replay_to: number | null;
  version: number;
  lease_until: Date;
  /** Its rows in `webhook_retries`, and when the first of those is due that it does not read again. */
  waiting: number;
  first_retry_at: Date | null;
}

const COLUMNS = sql`id, url, description, events, ordered, outcome, throttled, status, disabled_reason, secret, previous_secret,
  previous_secret_until, signing_key, public_key, cursor_seq, cursor_hash, filter_since, last_success_at,
  last_failure_at, consecutive_failures, key_id, created_at, previous_seq, previous_hash, throttle, replay_from,
  replay_to, version, lease_until`;

const retriesOf = ({ tenantId, environment }: Scope) => sql`webhook_retries r
  where r.tenant_id = ${tenantId} and r.environment = ${environment} and r.webhook_id = webhooks.id`;

/** Events that an ordered webhook reads again, because its cursor or its replay has not passed them. They keep their place there. */
const IS_AHEAD = sql`webhooks.ordered and (case when r.is_replay then r.seq between webhooks.replay_from and webhooks.replay_to
  else r.seq > webhooks.cursor_seq end) is true`;

const withRetries = (scope: Scope) => sql`${COLUMNS}, (select count(*) from ${retriesOf(scope)}) as waiting,
  (select min(next_at) from ${retriesOf(scope)} and not (${IS_AHEAD})) as first_retry_at`;

/** A chain with active webhooks, and whether one that no node serves has something to do. */
export interface ActiveChain {
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly webhooks: number;
  readonly due: boolean;
}

/** An expired lease is one that a node could not give back. */
export function findActiveChains(w: DeliveryWrite, now: Date): Promise<ActiveChain[]> {
  return w.query<ActiveChain>(sql.query`select t.tenant_id, t.environment, count(*) as webhooks,
      bool_or(t.lease_until <= ${now} or t.lease_until is null
        and (t.cursor_seq < h.seq or t.retry_at <= ${now} or t.replay_from is not null)) is true as due
    from webhooks t join audit_heads h on h.tenant_id = t.tenant_id and h.environment = t.environment
    where t.status = 'active' group by t.tenant_id, t.environment`);
}

/** Ends the leases of a process that was killed. Only for a database that no other process can have open. */
export async function endLeases(w: DeliveryWrite): Promise<void> {
  await w.mutate(
    sql.mutation`update webhooks set lease_id = null, lease_until = null where lease_until is not null`,
  );
}

export interface Lease {
  readonly nodeId: string;
  readonly now: Date;
  readonly until: Date;
}

/** Webhooks of a chain that no node serves, for this node. None while the account is not active. */
export function claimWebhooks(
  w: DeliveryWrite,
  scope: Scope,
  { nodeId, now, until }: Lease,
  served: readonly string[],
): Promise<ServedRow[]> {
  return w.mutate<ServedRow>(sql.mutation`update webhooks set lease_id = ${nodeId}, lease_until = ${until}
    where ${within(scope)} and id = any(array(select id from webhooks
        where ${within(scope)} and status = 'active' and (lease_until is null or lease_until <= ${now})
          and not (id = any(${served}::uuid[])) order by id for update skip locked))
      and exists (select 1 from tenants where id = ${scope.tenantId} and status = 'active')
    returning ${withRetries(scope)}`);
}

/** Reads a webhook again whose version has changed. Undefined if this node no longer serves it. */
export async function readServed(
  w: DeliveryWrite,
  scope: Scope,
  id: string,
  nodeId: string,
): Promise<ServedRow | undefined> {
  const [row] = await w.query<ServedRow>(sql.query`select ${withRetries(scope)} from webhooks
    where ${within(scope)} and id = ${id} and lease_id = ${nodeId} and status = 'active'
      and exists (select 1 from tenants where id = ${scope.tenantId} and status = 'active')`);
  return row;
}

export interface RetryRow {
  event_id: string;
  seq: number;
  is_replay: boolean;
  previous_seq: number | null;
  previous_hash: string | null;
  summary: Summary | null;
  attempts: number;
  first_at: Date;
  next_at: Date;
}

const RETRY = sql`r.event_id, r.seq, r.is_replay, r.previous_seq, r.previous_hash, r.summary, r.attempts, r.first_at, r.next_at`;

/** Failed events that are due, in the order of their times. */
export function listDueRetries(
  w: DeliveryWrite,
  { tenantId, environment }: Scope,
  webhookId: string,
  now: Date,
  limit: number,
): Promise<RetryRow[]> {
  return w.query<RetryRow>(sql.query`select ${RETRY} from webhook_retries r join webhooks
      on webhooks.tenant_id = ${tenantId} and webhooks.environment = ${environment} and webhooks.id = r.webhook_id
    where r.tenant_id = ${tenantId} and r.environment = ${environment} and r.webhook_id = ${webhookId} and r.next_at <= ${now}
      and not (${IS_AHEAD}) order by r.next_at, r.seq limit ${limit}`);
}

/** Those of some events that have failed before. */
export function listRetriesOf(
  w: DeliveryWrite,
  scope: Scope,
  webhookId: string,
  { isReplay, eventIds }: { readonly isReplay: boolean; readonly eventIds: readonly string[] },
): Promise<RetryRow[]> {
  return w.query<RetryRow>(sql.query`select ${RETRY} from webhook_retries r where ${within(scope)} and webhook_id = ${webhookId}
    and is_replay = ${isReplay} and event_id = any(${eventIds}::uuid[])`);
}

/** How far a webhook has come. */
export interface Progress {
  /** Everything up to it was handled. */
  readonly cursor: Position;
  /** The last event up to the cursor that the webhook selected. */
  readonly previous: Position | null;
  readonly throttle: Throttle | null;
  /** What is left of a replay. */
  readonly replay: { readonly from: number; readonly to: number } | null;
}

export const progressOf = (row: ServedRow): Progress => ({
  cursor: { seq: row.cursor_seq, hash: row.cursor_hash },
  previous: row.previous_seq === null ? null : { seq: row.previous_seq, hash: row.previous_hash as string },
  throttle: row.throttle,
  replay:
    row.replay_from === null || row.replay_to === null ? null : { from: row.replay_from, to: row.replay_to },
});

/** What a round of deliveries changes. */
export interface Round {
  readonly progress: Progress;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly consecutiveFailures: number;
  readonly attempts: readonly AttemptRow[];
  /** Events that failed. */
  readonly retries: readonly RetryRow[];
  /** Events that failed before and were accepted now. */
  readonly ended: readonly Pick<RetryRow, 'event_id' | 'is_replay'>[];
}

/** Of whose webhook a round is: as it was read, and the cursor that is stored. */
interface Served extends Omit<Lease, 'now'> {
  readonly row: ServedRow;
  readonly stored: Position;
  /** When the failures of a minute are summed up. */
  readonly summaryAt: Date | null;
}

/**
 * Records a round and extends the lease. Returns the current version of the webhook. Returns no row if only the attempts were recorded,
 * so that the events are read again: the node no longer has the lease, or a tenant changed the webhook. After a change the cursor
 * still moves if everything was accepted and the change neither moved it nor selects other events. A replay is then read again,
 * because the tenant may have extended it.
 */
export function recordRound(
  scope: Scope,
  { nodeId, until, row, stored, summaryAt }: Served,
  round: Round,
): Mutation {
  const { tenantId, environment } = scope;
  const { cursor, previous, throttle, replay } = round.progress;
  const { id, version, events, outcome, throttled, filter_since: since } = row;
  const isServed = sql`exists (select 1 from served)`;
  const isAccepted = round.retries.length === 0 && throttle === null;
  return sql.mutation`with served as (
      update webhooks set cursor_seq = ${cursor.seq}, cursor_hash = ${cursor.hash},
        previous_seq = ${previous?.seq ?? null}, previous_hash = ${previous?.hash ?? null},
        throttle = ${throttle === null ? null : JSON.stringify(throttle)}::jsonb,
        replay_from = case when version = ${version} then ${replay?.from ?? null} else replay_from end,
        replay_to = case when version = ${version} then ${replay?.to ?? null} else replay_to end,
        last_success_at = ${round.lastSuccessAt}, last_failure_at = ${round.lastFailureAt},
        consecutive_failures = ${round.consecutiveFailures}, retry_at = ${summaryAt}, lease_until = ${until}
      where ${within(scope)} and id = ${id} and lease_id = ${nodeId} and (version = ${version}
        or ${isAccepted} and throttle is null and cursor_seq = ${stored.seq} and cursor_hash = ${stored.hash} and events = ${events}
          and outcome = ${outcome} and throttled = ${throttled} and filter_since = ${since})
      returning version
    ), logged as (
      insert into webhook_attempts (tenant_id, environment, webhook_id, id, event_id, seq, type, attempt, is_replay, at,
        status, http_status, error_code, duration_ms, next_attempt_at)
      select ${tenantId}::uuid, ${environment}, ${id}::uuid, a.id, a.event_id, a.seq, a.type, a.attempt, a.is_replay,
        a.at, a.status, a.http_status, a.error_code, a.duration_ms, a.next_attempt_at
      from json_to_recordset(${JSON.stringify(round.attempts)}::json) as a (id uuid, event_id uuid, seq bigint,
        type text, attempt smallint, is_replay boolean, at timestamptz, status text, http_status smallint,
        error_code text, duration_ms integer, next_attempt_at timestamptz)
      on conflict do nothing
    ), saved as (
      insert into webhook_retries (tenant_id, environment, webhook_id, event_id, seq, is_replay, previous_seq,
        previous_hash, summary, attempts, first_at, next_at)
      select ${tenantId}::uuid, ${environment}, ${id}::uuid, r.event_id, r.seq, r.is_replay, r.previous_seq,
        r.previous_hash, r.summary, r.attempts, r.first_at, r.next_at
      from json_to_recordset(${JSON.stringify(round.retries)}::json) as r (event_id uuid, seq bigint,
        is_replay boolean, previous_seq bigint, previous_hash text, summary jsonb, attempts smallint,
        first_at timestamptz, next_at timestamptz)
      where ${isServed}
      on conflict (tenant_id, environment, webhook_id, event_id, is_replay)
        do update set attempts = excluded.attempts, next_at = excluded.next_at
    ), ended as (
      delete from webhook_retries where ${within(scope)} and webhook_id = ${id}
        and (event_id, is_replay) in (select e.event_id, e.is_replay
          from json_to_recordset(${JSON.stringify(round.ended)}::json) as e (event_id uuid, is_replay boolean))
        and ${isServed}
    )
    select version from served`;
}

/** Gives the lease back. */
export async function releaseLease(
  w: DeliveryWrite,
  scope: Scope,
  id: string,
  nodeId: string,
): Promise<void> {
  await w.mutate(sql.mutation`update webhooks set lease_id = null, lease_until = null,
      retry_at = least(retry_at, (select min(next_at) from ${retriesOf(scope)}))
    where ${within(scope)} and id = ${id} and lease_id = ${nodeId}`);
}

export async function recordAttempt(
  w: DeliveryWrite,
  { tenantId, environment }: Scope,
  webhookId: string,
  row: AttemptRow,
): Promise<void> {
  await w.mutate(sql.mutation`insert into webhook_attempts (tenant_id, environment, webhook_id, id, event_id, seq, type,
      attempt, is_replay, at, status, http_status, error_code, duration_ms, next_attempt_at)
    values (${tenantId}, ${environment}, ${webhookId}, ${row.id}, ${row.event_id}, ${row.seq}, ${row.type}, ${row.attempt},
      ${row.is_replay}, ${row.at}, ${row.status}, ${row.http_status}, ${row.error_code}, ${row.duration_ms},
      ${row.next_attempt_at})`);
}

/** Only while this node serves it and nobody has changed it, so that a node that is late does not turn off what a tenant has just turned on. */
export const disableWebhook = (
  { scope }: Write,
  { id, version }: Pick<ServedRow, 'id' | 'version'>,
  nodeId: string,
  reason: NonNullable<WebhookRow['disabled_reason']>,
): Mutation =>
  sql.mutation`update webhooks set status = 'disabled', disabled_reason = ${reason}, lease_id = null, lease_until = null,
      version = version + 1
    where ${within(scope)} and id = ${id} and lease_id = ${nodeId} and version = ${version} and status = 'active'
    returning 1 as done`;

/** The head of a chain, with the version of each active webhook; null without one, or while the account is not active. */
export const headWithVersions = (scope: Scope): Query =>
  sql.query`select seq, hash, (select json_object_agg(id, version) from webhooks
      where ${within(scope)} and status = 'active'
        and exists (select 1 from tenants where id = ${scope.tenantId} and status = 'active')) as versions
    from audit_heads where ${within(scope)}`;
