import type { Database } from '../../db/db.js';
import { join, type Query, type Sql, sql } from '../../db/sql.js';
import type { AuditEvent, AuditMetadata } from '../../ledger/audit-chain.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, within } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { SEPARATOR } from './check-rows.js';

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

const COLUMNS = sql`seq, id, environment, actor_type, actor_id, action, entity_type, entity_id, status, summary,
  created_at, metadata, canonical, prev_hash, hash`;

/** The event in the form that was hashed, read from its columns. */
export const toEvent = (row: AuditEventRow): AuditEvent => ({
  id: row.id,
  seq: row.seq,
  environment: row.environment,
  actorType: row.actor_type,
  actorId: row.actor_id,
  action: row.action,
  entityType: row.entity_type,
  entityId: row.entity_id,
  status: row.status,
  summary: row.summary,
  createdAt: row.created_at.toISOString(),
  metadata: row.metadata,
});

export interface AuditFilter {
  readonly action?: string;
  readonly status?: 'success' | 'failure';
}

export function listEvents(
  read: Read,
  filter: AuditFilter,
  count: number,
  before: string | undefined,
): Promise<AuditEventRow[]> {
  const conditions = [
    within(read.scope),
    ...(filter.action ? [sql`action = ${filter.action}`] : []),
    ...(filter.status ? [sql`status = ${filter.status}`] : []),
    ...(before ? [sql`seq < ${before}::bigint`] : []),
  ];
  return read.query<AuditEventRow>(
    sql.query`select ${COLUMNS} from audit_events where ${join(conditions, ' and ')} order by seq desc limit ${count}`,
  );
}

/** Rows of a chain in order, including `from` and `to`. */
export function listChain(read: Read, from: number, to: number): Promise<AuditEventRow[]> {
  return read.query<AuditEventRow>(sql.query`select ${COLUMNS} from audit_events
    where ${within(read.scope)} and seq between ${from} and ${to} order by seq`);
}

/**
 * Rows of a chain in the form that `checkRows` reads: one line each, which costs the driver a third of reading 15 columns.
 * `seq` and `id` come first, so that a line identifies its row even if another column contains a separator.
 */
export async function dumpChain(read: Read, from: number, to: number): Promise<string[]> {
  const rows = await read.query<{ line: string }>(sql.query`
    select concat_ws(${SEPARATOR}, seq, id, hash, prev_hash, canonical, round(date_part('epoch', created_at) * 1000),
      action, coalesce('"' || actor_id || '"', 'null'), actor_type, coalesce('"' || entity_id || '"', 'null'),
      entity_type, metadata, status, summary) as line
    from audit_events where ${within(read.scope)} and seq between ${from} and ${to} order by seq`);
  return rows.map(({ line }) => line);
}

export interface HeadRow {
  tenant_id: string;
  environment: Environment;
  seq: number;
  hash: string;
  last_at: Date;
  key_id: string;
  signature: string;
}

export async function findHead(read: Read): Promise<HeadRow | undefined> {
  const [row] =
    await read.query<HeadRow>(sql.query`select tenant_id, environment, seq, hash, last_at, key_id, signature
    from audit_heads where ${within(read.scope)}`);
  return row;
}

/** The newest row of a table, with the ids that its creation event may refer to. */
const newest = (
  table: Sql,
  names = sql`r.id::text`,
): Sql => sql`(select ${names} as names, r.created_at from ${table} r
      where r.tenant_id = t.id and r.environment = e.environment order by r.id desc limit 1)`;

/** The event of a registered identity refers to the identity, and not to the user that was created with it. */
const USER_NAMES = sql`concat_ws('|', r.id, (select string_agg(i.id::text, '|') from identities i
      where i.tenant_id = r.tenant_id and i.environment = r.environment and i.user_id = r.id))`;

/** Tables in which each row was created with an event that refers to it, as its entity or in its metadata. */
const NEWEST_RECORDS = [
  newest(sql`devices`),
  newest(sql`tenant_users`, USER_NAMES),
  newest(sql`verifications`),
  newest(sql`attendance`),
  newest(sql`registration_sessions`),
  newest(sql`proof_pairing_sessions`),
].reduce((left, right) => sql`${left} union all ${right}`);

/** A chain that must exist: its head, if any, and its first and last row. All from one snapshot. */
export interface ChainRow extends Omit<HeadRow, 'seq'> {
  seq: number | null;
  first_seq: number | null;
  first_id: string | null;
  last_seq: number | null;
  last_id: string | null;
  /** The newest record of each kind, unless it is older than the head. Each is given by its ids, separated by `|`. */
  newest_records: string[];
}

export function listChains(
  db: Database,
  filter: { tenantId?: string | undefined; environment?: Environment | undefined },
  after: { tenantId: string; environment: string } | undefined,
  count: number,
): Promise<ChainRow[]> {
  const conditions = [
    sql`true`,
    ...(filter.tenantId ? [sql`t.id = ${filter.tenantId}`] : []),
    ...(filter.environment ? [sql`e.environment = ${filter.environment}`] : []),
    ...(after ? [sql`(t.id, e.environment) > (${after.tenantId}::uuid, ${after.environment}::text)`] : []),
  ];
  return db.query<ChainRow>(sql.query`select t.id as tenant_id, e.environment, h.seq, h.hash, h.last_at, h.key_id, h.signature,
      f.seq as first_seq, f.id as first_id, l.seq as last_seq, l.id as last_id,
      array(select n.names from (${NEWEST_RECORDS}) n where n.created_at >= h.last_at) as newest_records
    from tenants t
    cross join (values ('live'::text), ('test'::text)) as e (environment)
    left join audit_heads h on h.tenant_id = t.id and h.environment = e.environment
    left join lateral (select a.seq, a.id from audit_events a
      where a.tenant_id = t.id and a.environment = e.environment order by a.seq limit 1) f on true
    left join lateral (select a.seq, a.id from audit_events a
      where a.tenant_id = t.id and a.environment = e.environment order by a.seq desc limit 1) l on true
    where ${join(conditions, ' and ')} order by t.id, e.environment limit ${count}`);
}

/** Whether an event of the chain refers to that record by one of its ids. Reads from the chain's end, where a new record's event is. */
export async function namesRecord(db: Database, scope: Scope, names: string): Promise<boolean> {
  const rows = await db.query(sql.query`select 1 as found from audit_events where ${within(scope)}
    and canonical ~ ${`"(${names})"`} order by seq desc limit 1`);
  return rows.length > 0;
}

/** Chains whose head was signed with another key, ordered by key. */
export async function listHeadsOfOthers(
  db: Database,
  keyId: string,
  after: Scope | undefined,
  limit: number,
): Promise<Scope[]> {
  const rest = after ? sql`and (tenant_id, environment) > (${after.tenantId}, ${after.environment})` : sql``;
  const rows = await db.query<{ tenant_id: string; environment: Scope['environment'] }>(
    sql.query`select tenant_id, environment from audit_heads where key_id <> ${keyId} ${rest}
      order by tenant_id, environment limit ${limit}`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment }));
}

export const lockSignedHead = ({ tenantId, environment }: Scope): Query =>
  sql.query`select seq, hash, last_at, key_id as "keyId", signature from audit_heads
    where tenant_id = ${tenantId} and environment = ${environment} for update`;
