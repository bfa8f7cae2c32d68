import type { Database } from '../../db/db.js';
import { join, type Query, type Sql, sql } from '../../db/sql.js';
import type { AuditEvent } from '../../ledger/audit-chain.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type AuditEventRow, EVENT_COLUMNS, findNewest } from '../../ledger/read-events.js';
import type { HeadRow } from '../../ledger/signed-head.js';
import { type Read, within } from '../../ledger/write.js';
import type { Sort } from '../../records/order.js';
import { SEPARATOR } from './check-rows.js';
import type { SignedTreeRow } from './tree/check.js';

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

const conditionsOf = ({ action, status }: AuditFilter): Sql[] => [
  ...(action ? [sql`action = ${action}`] : []),
  ...(status ? [sql`status = ${status}`] : []),
];

/** The events before a position, newest first. */
export function listEvents(read: Read, count: number, before: string | undefined): Promise<AuditEventRow[]> {
  const conditions = [within(read.scope), ...(before ? [sql`seq < ${before}::bigint`] : [])];
  return read.query<AuditEventRow>(
    sql.query`select ${EVENT_COLUMNS} from audit_events where ${join(conditions, ' and ')} order by seq desc limit ${count}`,
  );
}

/** A part of a chain: its first event, and the one after its last. Default: the whole chain. */
export interface SeqRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

const isIn = ({ start, end }: SeqRange): Sql[] => [
  ...(start === undefined ? [] : [sql`seq >= ${start}`]),
  ...(end === undefined ? [] : [sql`seq < ${end}`]),
];

export interface AuditSearch extends AuditFilter {
  /** The records that events are about, or the people and verifications that their metadata names. */
  readonly ids?: readonly string[];
  /** Who did it. */
  readonly actorId?: string;
  /** Any of these actions. */
  readonly actions?: readonly string[];
  readonly sort?: Sort;
}

const searchConditionsOf = ({ ids, actorId, actions, ...filter }: AuditSearch): Sql[] => [
  ...conditionsOf(filter),
  ...(actorId ? [sql`actor_id = ${actorId}`] : []),
  ...(actions ? [sql`action = any (${actions}::text[])`] : []),
  ...(ids
    ? [
        sql`(entity_id = any (${ids}::text[]) or metadata ->> 'verificationId' = any (${ids}::text[])
          or metadata ->> 'userId' = any (${ids}::text[]))`,
      ]
    : []),
];

/** The matching events of some parts of the chain, after a position, in either order. Each part is read on its own, so none between them. */
export async function searchEvents(
  read: Read,
  ranges: readonly SeqRange[],
  filter: AuditSearch,
  count: number,
  after: string | undefined,
): Promise<AuditEventRow[]> {
  const isOldest = filter.sort === 'oldest';
  const order = isOldest ? sql`seq` : sql`seq desc`;
  const position =
    after === undefined ? [] : [isOldest ? sql`seq > ${after}::bigint` : sql`seq < ${after}::bigint`];
  const [first, ...others] = ranges.map((range) => {
    const conditions = [within(read.scope), ...isIn(range), ...position, ...searchConditionsOf(filter)];
    return sql`(select ${EVENT_COLUMNS} from audit_events where ${join(conditions, ' and ')} order by ${order} limit ${count})`;
  });
  if (first === undefined) return [];
  const found = others.reduce((before, part) => sql`${before} union all ${part}`, first);
  return read.query<AuditEventRow>(
    sql.query`select ${EVENT_COLUMNS} from (${found}) as found order by ${order} limit ${count}`,
  );
}

/** The number of matching events in a part of the chain. */
export async function countEvents(read: Read, range: SeqRange, filter: AuditSearch): Promise<number> {
  const conditions = [within(read.scope), ...isIn(range), ...searchConditionsOf(filter)];
  const [row] = await read.query<{ count: number }>(
    sql.query`select count(*) as count from audit_events where ${join(conditions, ' and ')}`,
  );
  return row?.count ?? 0;
}

/** Rows of a chain in order, including `from` and `to`. */
export function listChain(read: Read, from: number, to: number): Promise<AuditEventRow[]> {
  return read.query<AuditEventRow>(sql.query`select ${EVENT_COLUMNS} from audit_events
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

/** Tables in which each row was created with an event that refers to it, as its entity or in its metadata. */
const RECORDS = [
  sql`devices`,
  sql`verifications`,
  sql`attendance`,
  sql`registration_sessions`,
  sql`proof_pairing_sessions`,
];

/** The newest row of each kind, with the ids that its creation event may refer to. */
function newestRecords(scope: Scope): Sql {
  const newest = (names: Sql, table: Sql) =>
    sql`(select ${names} as names, r.created_at from ${table} r
      where r.tenant_id = ${scope.tenantId} and r.environment = ${scope.environment} order by r.id desc limit 1)`;
  // The event of a registered identity refers to the identity, and not to the user that was created with it.
  const userNames = sql`concat_ws('|', r.id, (select string_agg(i.id::text, '|') from identities i
        where i.tenant_id = ${scope.tenantId} and i.environment = ${scope.environment} and i.user_id = r.id))`;
  return RECORDS.reduce(
    (others, table) => sql`${others} union all ${newest(sql`r.id::text`, table)}`,
    newest(userNames, sql`tenant_users`),
  );
}

/** A chain's head, and its first and last row. All from one snapshot. */
export interface ChainRow extends HeadRow {
  first_seq: number | null;
  first_id: string | null;
  last_seq: number | null;
  last_id: string | null;
  /** The newest record of each kind, unless it is older than the head. Each is given by its ids, separated by `|`. */
  newest_records: string[];
  /** The account's records are deleted, or are about to be. */
  is_closed: boolean;
  /** The signed tree, with the hash of its last row in the chain. Null before the first. */
  tree: (SignedTreeRow & { readonly row_hash: string | null }) | null;
}

/** In order of their ids, after that one. */
export async function listTenantIds(
  db: Database,
  tenantId: string | undefined,
  after: string | undefined,
  count: number,
): Promise<string[]> {
  const conditions = [
    sql`true`,
    ...(tenantId ? [sql`id = ${tenantId}`] : []),
    ...(after ? [sql`id > ${after}`] : []),
  ];
  const rows = await db.query<{ id: string }>(
    sql.query`select id from tenants where ${join(conditions, ' and ')} order by id limit ${count}`,
  );
  return rows.map(({ id }) => id);
}

/** In one round trip, each chain from a snapshot of its own. Undefined where a chain has no head. */
export async function findChains(
  db: Database,
  scopes: readonly Scope[],
): Promise<readonly (ChainRow | undefined)[]> {
  const found = await db.read('latest', scopes.map(chainOf));
  return found.map(([row]) => row as ChainRow | undefined);
}

function chainOf(scope: Scope): Query {
  const events = sql`from audit_events where ${within(scope)}`;
  return sql.query`select h.tenant_id, h.environment, h.seq, h.hash, h.last_at, h.key_id, h.signature,
      (select seq ${events} order by seq limit 1) as first_seq,
      (select id ${events} order by seq limit 1) as first_id,
      (select seq ${events} order by seq desc limit 1) as last_seq,
      (select id ${events} order by seq desc limit 1) as last_id,
      (select json_build_object('size', t.size, 'root', t.root, 'hash', t.hash, 'edge', t.edge,
          'at', round(date_part('epoch', t.signed_at) * 1000), 'keyId', t.key_id, 'signature', t.signature,
          'row_hash', (select hash ${events} and seq = t.size))
        from audit_trees t where t.tenant_id = ${scope.tenantId} and t.environment = ${scope.environment}) as tree,
      exists (select 1 from tenants where id = ${scope.tenantId} and status = 'closed') as is_closed,
      array(select n.names from (${newestRecords(scope)}) n where n.created_at >= h.last_at) as newest_records
    from audit_heads h where h.tenant_id = ${scope.tenantId} and h.environment = ${scope.environment}`;
}

/** Whether an event of the chain refers to that record by one of its ids. Reads from the chain's end, where a new record's event is. */
export async function namesRecord(read: Read, names: string): Promise<boolean> {
  return (await findNewest(read, sql`seq`, sql`canonical ~ ${`"(${names})"`}`)) !== undefined;
}

/** Whether the live chain says that the account was closed and not reopened. Reads from its end. */
export async function wasClosed(read: Read): Promise<boolean> {
  const found = await findNewest<{ action: string }>(
    read,
    sql`action`,
    sql`action in ('tenant.closed', 'tenant.reopened')`,
  );
  return found?.action === 'tenant.closed';
}
