import type { Database } from '../db/db.js';
import { join, type Query, type Sql, sql } from '../db/sql.js';
import type { AuditAction } from '../model/audit-actions.js';
import type { Environment } from '../model/environment.js';
import type { AuditMetadata, AuditStatus } from './audit-chain.js';
import type { Scope } from './audit-store.js';
import { type Read, within } from './write.js';

export interface AuditEventRow {
  seq: number;
  id: string;
  environment: Environment;
  actor_type: string;
  actor_id: string | null;
  action: string;
  entity_type: string;
  entity_id: string | null;
  status: 'success' | 'failure';
  summary: string;
  created_at: Date;
  metadata: AuditMetadata;
  canonical: string;
  prev_hash: string;
  hash: string;
}

export const EVENT_COLUMNS = sql`seq, id, environment, actor_type, actor_id, action, entity_type, entity_id, status, summary,
  created_at, metadata, canonical, prev_hash, hash`;

/** Which events of a chain are selected. */
export interface EventFilter {
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined;
  readonly outcome: 'any' | AuditStatus;
  /**
   * The webhook that the events go to. Events about itself are left out, so that a failing receiver does not cause more events, and so are
   * seals of records that the receiver has long known.
   */
  readonly webhookId?: string;
}

/** The head of a chain, and the hash of the event at a position; null if there is no such event. */
export interface HeadRow {
  head_seq: number;
  head_hash: string;
  hash: string | null;
}

/** With `credential`, nothing is found once it is no longer valid. */
export async function findPosition(
  read: Read,
  seq: number,
  credential?: Query,
): Promise<HeadRow | undefined> {
  const [row] = await read.query<HeadRow>(sql.query`select seq as head_seq, hash as head_hash,
      (select hash from audit_events where ${within(read.scope)} and seq = ${seq}) as hash
    from audit_heads where ${within(read.scope)} ${credential ? sql`and exists (${credential})` : sql``}`);
  return row;
}

const matching = ({ types, outcome, webhookId }: EventFilter): Sql[] => [
  ...(types ? [sql`action = any(${[...types]})`] : []),
  ...(outcome === 'any' ? [] : [sql`status = ${outcome}`]),
  ...(webhookId
    ? [
        sql`not (entity_type = 'webhook' and entity_id is not distinct from ${webhookId})`,
        sql`action <> 'records.sealed_later'`,
      ]
    : []),
];

/** Events after a position, up to another, in order. */
export function listEvents(
  read: Read,
  { after, to }: { readonly after: number; readonly to: number },
  filter: EventFilter,
  limit: number,
): Promise<AuditEventRow[]> {
  const conditions = [within(read.scope), sql`seq > ${after}`, sql`seq <= ${to}`, ...matching(filter)];
  return read.query<AuditEventRow>(
    sql.query`select ${EVENT_COLUMNS} from audit_events where ${join(conditions, ' and ')} order by seq limit ${limit}`,
  );
}

/** Events of some types between two positions, in order. The events at both positions are listed whatever their types. */
export function listEventsBetween(
  read: Read,
  { from, to }: { readonly from: number; readonly to: number },
  types: EventFilter['types'],
  limit: number,
): Promise<AuditEventRow[]> {
  const selected = types ? sql`and (action = any(${[...types]}) or seq = ${from} or seq = ${to})` : sql``;
  return read.query<AuditEventRow>(sql.query`select ${EVENT_COLUMNS} from audit_events
    where ${within(read.scope)} and seq >= ${from} and seq <= ${to} ${selected} order by seq limit ${limit}`);
}

/**
 * Common table expressions, the last of which is `start (seq)`: the sequence number of the first event at or after a time, or the
 * one that the next event gets. Times never decrease in a chain. `offset 0` makes each step read its event once.
 */
const startingAt = (scope: Scope, time: Date): Sql => sql`with recursive search (low, high) as (
      select 1::bigint, seq + 1 from audit_heads where ${within(scope)}
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
      from (select low, high, (low + high) / 2 as middle, coalesce((select created_at < ${time}::timestamptz
          from audit_events where ${within(scope)} and seq = (low + high) / 2), false) as is_before
        from search where low < high offset 0) as step
    ), start as (select low as seq from search where low = high)`;

/** The sequence number of the first event at or after a time, or the one that the next event gets. */
export async function seqAt(read: Read, time: Date): Promise<number> {
  const [row] = await read.query<{ seq: number }>(
    sql.query`${startingAt(read.scope, time)} select seq from start`,
  );
  return row?.seq ?? 1;
}

/**
 * The head's number, as a part of a statement. Every search in a chain for what no index has names both ends of the part that it reads:
 * with one end or none, the planner may expect that reading the table with the events of all chains is cheaper.
 */
export const headOf = (scope: Scope): Sql => sql`(select h.seq from audit_heads h where ${within(scope)})`;

/** The number of the newest event. */
export const headQuery = (scope: Scope): Query =>
  sql.query`select seq from audit_heads where ${within(scope)}`;

/** All events after a position, in order. */
export const eventsAfter = (scope: Scope, after: number, limit: number): Query =>
  sql.query`select ${EVENT_COLUMNS} from audit_events
    where ${within(scope)} and seq > ${after} and seq <= ${headOf(scope)} order by seq limit ${limit}`;

/** The events that a search for what no index has reads in one statement. */
export const MAX_SEARCHED = 10_000;

/** The last event before `before`, and not before `start`, that meets a condition that no index has. Reads backwards, a part at a time. */
async function findLast<T extends object>(
  read: Read,
  { start, before }: { readonly start: number; readonly before: number },
  columns: Sql,
  condition: Sql,
): Promise<T | undefined> {
  for (let end = before; end > start; end -= MAX_SEARCHED) {
    const [row] = await read.query<T>(sql.query`select ${columns} from audit_events
      where ${within(read.scope)} and seq >= ${Math.max(start, end - MAX_SEARCHED)} and seq < ${end} and ${condition}
      order by seq desc limit 1`);
    if (row) return row;
  }
  return undefined;
}

/** The newest event that meets a condition that no index has. May read the whole chain. */
export async function findNewest<T extends object>(
  read: Read,
  columns: Sql,
  condition: Sql,
): Promise<T | undefined> {
  const [head] = await read.query<{ seq: number }>(
    sql.query`select seq from audit_heads where ${within(read.scope)}`,
  );
  return head && findLast<T>(read, { start: 1, before: head.seq + 1 }, columns, condition);
}

/** An event is searched in this many events on either side of the time when its record was written. */
const NEAR = MAX_SEARCHED;

/**
 * The first matching event near a time, by a condition that no index has. It is usually the first event after the time, and before it only
 * if the clock was set back.
 */
async function findNear<T extends object>(
  read: Read,
  since: Date,
  columns: Sql,
  condition: Sql,
): Promise<T | undefined> {
  const find = async (from: number, to: number) => {
    const [row] = await read.query<T>(sql.query`${startingAt(read.scope, since)}
      select ${columns} from audit_events where ${within(read.scope)} and status = 'success' and ${condition}
        and seq >= (select seq from start) + ${from} and seq < (select seq from start) + ${to}
      order by seq limit 1`);
    return row;
  };
  return (await find(0, NEAR)) ?? (await find(-NEAR, 0));
}

/** The event that names a leaf. */
export interface LeafEvent {
  readonly seq: number;
  readonly action: string;
  readonly entityId: string | null;
  readonly identityId: string | null;
  readonly userId: string | null;
  /** Of a recovery that was opened. ISO 8601. */
  readonly completesAt: string | null;
  readonly isTwoPerson: boolean;
  readonly createdAt: Date;
}

/** In the metadata: the leaf that an event puts in force, and the one that a recovery is to put in force. */
export type LeafField = 'identity_leaf' | 'pending_leaf';

/** The event that names a leaf of an identity. `since` is when its commitment was recorded: no index has the leaf. */
export const findLeafEvent = (
  read: Read,
  { leaf, since, field = 'identity_leaf' }: Readonly<{ leaf: string; since: Date; field?: LeafField }>,
): Promise<LeafEvent | undefined> =>
  findNear<LeafEvent>(
    read,
    since,
    sql`seq, action, entity_id as "entityId", metadata ->> 'identityId' as "identityId",
      metadata ->> 'userId' as "userId", metadata ->> 'completes_at' as "completesAt",
      coalesce((metadata ->> 'two_person')::boolean, false) as "isTwoPerson", created_at as "createdAt"`,
    sql`metadata ->> ${field}::text = ${leaf}`,
  );

/** The sequence number of an event about a record, and about an identity that acted on it. `since` is when that was recorded. */
export async function findSeqOf(
  read: Read,
  of: {
    readonly action: AuditAction;
    readonly entityId: string;
    readonly identityId?: string;
    readonly since: Date;
  },
): Promise<number | undefined> {
  const by = of.identityId === undefined ? sql`` : sql`and metadata ->> 'identityId' = ${of.identityId}`;
  const about = sql`action = ${of.action} and entity_id = ${of.entityId} ${by}`;
  return (await findNear<{ seq: number }>(read, of.since, sql`seq`, about))?.seq;
}

/** What happened to a record after an event, in order. `held` is in the events of recoveries. */
export interface EventAbout {
  readonly action: string;
  readonly held: boolean | null;
}

/** No index has the record: this reads all events since then. */
export const listEventsAbout = (
  read: Read,
  entityId: string,
  after: number,
): Promise<readonly EventAbout[]> =>
  read.query<EventAbout>(sql.query`select action, (metadata ->> 'held')::boolean as held from audit_events
    where ${within(read.scope)} and seq > ${after} and seq <= ${headOf(read.scope)} and status = 'success'
      and entity_id = ${entityId} order by seq`);

/** Events by their sequence numbers. */
export async function listEventsAt(
  read: Read,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, AuditEventRow>> {
  if (seqs.length === 0) return new Map();
  const rows = await read.query<AuditEventRow>(
    sql.query`select ${EVENT_COLUMNS} from audit_events where ${within(read.scope)} and seq = any(${seqs}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.seq, row]));
}

/** The last matching event of those after `after` and before `before`. */
export const findLastBefore = (
  read: Read,
  { after, before }: { readonly after: number; readonly before: number },
  filter: EventFilter,
): Promise<{ seq: number; hash: string } | undefined> =>
  findLast(
    read,
    { start: after + 1, before },
    sql`seq, hash`,
    join([sql`true`, ...matching(filter)], ' and '),
  );

/** The state of each chain that streams or webhooks on this node follow. Chains are given by their names. */
export async function chainStates(db: Database, names: readonly string[]): Promise<Map<string, string>> {
  const tenantIds = names.map((name) => name.slice(0, name.indexOf('|')));
  const environments = names.map((name) => name.slice(name.indexOf('|') + 1));
  const rows = await db.query<{ tenant_id: string; environment: Environment; hash: string }>(
    sql.query`select h.tenant_id, h.environment, h.hash
      from unnest(${tenantIds}::uuid[], ${environments}::text[]) as followed (tenant_id, environment)
      join audit_heads h on h.tenant_id = followed.tenant_id and h.environment = followed.environment`,
  );
  return new Map(rows.map((row) => [`${row.tenant_id}|${row.environment}`, row.hash]));
}
