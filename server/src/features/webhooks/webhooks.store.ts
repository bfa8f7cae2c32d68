import { lowestIdAt } from '../../base/crypto/random.js';
import { type Sql, sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  OUTCOMES,
  STATUSES,
} from './webhooks.schema.js';

export interface WebhookRow {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  ordered: boolean;
  outcome: (typeof OUTCOMES)[number];
  throttled: boolean;
  status: (typeof STATUSES)[number];
  disabled_reason: (typeof DISABLED_REASONS)[number] | null;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | null;
  signing_key: string;
  public_key: string;
  cursor_seq: number;
  cursor_hash: string;
  filter_since: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  consecutive_failures: number;
  key_id: string | null;
  created_at: Date;
}

/** With the head of its chain and the key that created it. */
export interface ListedWebhook extends WebhookRow {
  head_seq: number;
  key_name: string | null;
  key_revoked_at: Date | null;
}

const COLUMNS = sql`t.id, t.url, t.description, t.events, t.ordered, t.outcome, t.throttled, t.status, t.disabled_reason,
  t.secret, t.previous_secret, t.previous_secret_until, t.signing_key, t.public_key, t.cursor_seq, t.cursor_hash,
  t.filter_since, t.last_success_at, t.last_failure_at, t.consecutive_failures, t.key_id, t.created_at`;

const listed = (read: Read): Sql => sql`select ${COLUMNS}, k.name as key_name, k.revoked_at as key_revoked_at,
    (select seq from audit_heads where ${within(read.scope)}) as head_seq
  from webhooks t left join api_keys k on k.tenant_id = ${read.scope.tenantId} and k.id = t.key_id where ${within(read.scope, 't')}`;

export type NewWebhook = Omit<
  WebhookRow,
  | 'status'
  | 'disabled_reason'
  | 'previous_secret'
  | 'previous_secret_until'
  | 'last_success_at'
  | 'last_failure_at'
  | 'consecutive_failures'
>;

export async function insertWebhook(w: Write, row: NewWebhook): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into webhooks (tenant_id, environment, id, url, description, events, ordered, outcome,
      throttled, status, secret, signing_key, public_key, cursor_seq, cursor_hash, filter_since, key_id, created_at)
    values (${tenantId}, ${environment}, ${row.id}, ${row.url}, ${row.description}, ${row.events}, ${row.ordered},
      ${row.outcome}, ${row.throttled}, 'active', ${row.secret}, ${row.signing_key}, ${row.public_key},
      ${row.cursor_seq}, ${row.cursor_hash}, ${row.filter_since}, ${row.key_id}, ${row.created_at})`);
}

/** The audit head is locked, so no other write counts at the same time. */
export async function countWebhooks(w: Write): Promise<number> {
  const [row] = await w.query<{ count: number }>(
    sql.query`select count(*) as count from webhooks where ${within(w.scope)}`,
  );
  return row?.count ?? 0;
}

export async function findWebhook(read: Read, id: string): Promise<ListedWebhook | undefined> {
  const [row] = await read.query<ListedWebhook>(sql.query`${listed(read)} and t.id = ${id}`);
  return row;
}

export function listWebhooks(
  read: Read,
  count: number,
  before: string | undefined,
): Promise<ListedWebhook[]> {
  return read.query<ListedWebhook>(sql.query`${listed(read)} ${before ? sql`and t.id < ${before}` : sql``}
    order by t.id desc limit ${count}`);
}

/** Waits for the node that serves it, which holds the row only while it writes. */
export async function lockWebhook(w: Write, id: string): Promise<WebhookRow | undefined> {
  const [row] = await w.query<WebhookRow>(
    sql.query`select ${COLUMNS} from webhooks t where ${within(w.scope, 't')} and t.id = ${id} for update`,
  );
  return row;
}

/** The whole state that a tenant can change. A node that serves the webhook finds the new version and reads it again. */
export async function saveWebhook(w: Write, row: WebhookRow): Promise<void> {
  await w.mutate(sql.mutation`update webhooks set url = ${row.url}, description = ${row.description}, events = ${row.events},
      ordered = ${row.ordered}, outcome = ${row.outcome}, throttled = ${row.throttled}, status = ${row.status},
      disabled_reason = ${row.disabled_reason}, secret = ${row.secret}, previous_secret = ${row.previous_secret},
      previous_secret_until = ${row.previous_secret_until}, cursor_seq = ${row.cursor_seq},
      cursor_hash = ${row.cursor_hash}, version = version + 1
    where ${within(w.scope)} and id = ${row.id}`);
}

/** The next event has no `previousSeq`, because another filter selected the events before it. */
export async function restartFilter(w: Write, id: string): Promise<void> {
  await w.mutate(sql.mutation`update webhooks set filter_since = cursor_seq, previous_seq = null, previous_hash = null
    where ${within(w.scope)} and id = ${id}`);
}

/** What waits is sent now, with all attempts ahead of it. */
export async function restartRetries(w: Write, id: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update webhook_retries set attempts = 0, first_at = ${now}, next_at = ${now}
    where ${within(w.scope)} and webhook_id = ${id}`);
  await w.mutate(sql.mutation`update webhooks set consecutive_failures = 0, retry_at = ${now}
    where ${within(w.scope)} and id = ${id}`);
}

export async function deleteRetries(w: Write, id: string): Promise<void> {
  await w.mutate(sql.mutation`delete from webhook_retries where ${within(w.scope)} and webhook_id = ${id}`);
  await w.mutate(sql.mutation`update webhooks set replay_from = null, replay_to = null, retry_at = null, throttle = null
    where ${within(w.scope)} and id = ${id}`);
}

/** Attempts stay until they expire, because there may be millions. */
export async function deleteWebhook(w: Write, id: string): Promise<boolean> {
  await w.mutate(sql.mutation`delete from webhook_retries where ${within(w.scope)} and webhook_id = ${id}`);
  const deleted = await w.mutate(
    sql.mutation`delete from webhooks where ${within(w.scope)} and id = ${id} returning 1 as done`,
  );
  return deleted.length > 0;
}

/** A replay that is under way is extended to both ranges. What failed in an earlier one is sent now. */
export async function startReplay(
  w: Write,
  id: string,
  { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
  now: Date,
): Promise<boolean> {
  const started =
    await w.mutate(sql.mutation`update webhooks set replay_from = least(replay_from, ${fromSeq}),
      replay_to = greatest(replay_to, ${toSeq}), version = version + 1
    where ${within(w.scope)} and id = ${id} returning 1 as done`);
  await w.mutate(sql.mutation`update webhook_retries set attempts = 0, first_at = ${now}, next_at = ${now}
    where ${within(w.scope)} and webhook_id = ${id} and is_replay and seq between ${fromSeq} and ${toSeq}`);
  return started.length > 0;
}

/** What a node records of one attempt. */
export interface AttemptRow {
  id: string;
  event_id: string;
  seq: number | null;
  type: string;
  attempt: number;
  is_replay: boolean;
  at: Date;
  status: (typeof DELIVERY_STATUSES)[number];
  http_status: number | null;
  error_code: (typeof DELIVERY_ERRORS)[number] | null;
  duration_ms: number;
  next_attempt_at: Date | null;
}

/** The failed attempt that a retry follows is pending. */
const ATTEMPT = sql`t.id, t.event_id, t.seq, t.type, t.attempt, t.is_replay, t.at, t.http_status, t.error_code, t.duration_ms,
  case when t.status = 'failed' and r.next_at is not null then 'pending' else t.status end as status,
  case when t.status = 'failed' then r.next_at end as next_attempt_at`;

const attempts = (read: Read, webhookId: string): Sql => sql`select ${ATTEMPT} from webhook_attempts t
    left join webhook_retries r on r.tenant_id = ${read.scope.tenantId} and r.environment = ${read.scope.environment}
      and r.webhook_id = t.webhook_id and r.event_id = t.event_id and r.is_replay = t.is_replay and r.attempts = t.attempt
  where ${within(read.scope, 't')} and t.webhook_id = ${webhookId}`;

export function listAttempts(
  read: Read,
  webhookId: string,
  status: AttemptRow['status'] | undefined,
  count: number,
  before: string | undefined,
): Promise<AttemptRow[]> {
  const isPending = sql`t.status = 'failed' and r.next_at is not null`;
  const matching =
    status === undefined
      ? sql``
      : status === 'pending'
        ? sql`and ${isPending}`
        : sql`and t.status = ${status} and not (${isPending})`;
  return read.query<AttemptRow>(sql.query`${attempts(read, webhookId)} ${matching}
    ${before ? sql`and t.id < ${before}` : sql``} order by t.id desc limit ${count}`);
}

/** How many of the newest attempts succeeded on each day (UTC), and how many did not. Only the days that have some. */
export function countAttemptDays(
  read: Read,
  webhookId: string,
  since: Date,
  limit: number,
): Promise<{ day: string; succeeded: number; failed: number }[]> {
  return read.query(sql.query`select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) filter (where status = 'succeeded') as succeeded, count(*) filter (where status <> 'succeeded') as failed
    from (select at, status from webhook_attempts where ${within(read.scope)} and webhook_id = ${webhookId}
        and id >= ${lowestIdAt(since.getTime())}
      order by id desc limit ${limit}) as newest
    where at >= ${since} group by 1`);
}

export async function findAttempt(
  read: Read,
  webhookId: string,
  id: string,
): Promise<AttemptRow | undefined> {
  const [row] = await read.query<AttemptRow>(sql.query`${attempts(read, webhookId)} and t.id = ${id}`);
  return row;
}
