import { type Mutation, type Query, sql } from '../db/sql.js';
import type { Environment } from '../model/environment.js';
import { type AuditEvent, type ChainHead, genesisHash, type HeadSignature } from './audit-chain.js';

export interface Scope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** The name of an audit chain within this process. */
export const chainName = ({ tenantId, environment }: Scope): string => `${tenantId}|${environment}`;

/** Locks the head of a chain until the transaction ends. Only the transaction that holds the lock may append. */
export function lockHead({ tenantId, environment }: Scope): Query {
  return sql.query`select tenant_id, environment, seq, hash, last_at from audit_heads
    where tenant_id = ${tenantId} and environment = ${environment} for update`;
}

/**
 * Locks the heads of several chains. Those that another transaction holds are not found, so transactions of several chains can't deadlock. A
 * statement for each chain would make the writes of many accounts a tenth slower.
 */
export function lockAvailableHeads(scopes: readonly Scope[]): Query {
  return sql.query`select h.tenant_id, h.environment, h.seq, h.hash, h.last_at
    from unnest(${scopes.map(({ tenantId }) => tenantId)}::uuid[], ${scopes.map(({ environment }) => environment)}::text[])
      as chain (tenant_id, environment)
    join audit_heads h on h.tenant_id = chain.tenant_id and h.environment = chain.environment
    for update of h skip locked`;
}

export const readHead = (row: Record<string, unknown>): ChainHead => ({
  seq: Number(row.seq),
  hash: row.hash as string,
  at: (row.last_at as Date).getTime(),
});

/** The head of a chain without events, inserted with its tenant. */
export function insertHead(
  { tenantId, environment }: Scope,
  head: ChainHead,
  { keyId, signature }: HeadSignature,
): Mutation {
  return sql.mutation`insert into audit_heads (tenant_id, environment, seq, hash, last_at, key_id, signature)
    values (${tenantId}, ${environment}, ${head.seq}, ${head.hash}, ${new Date(head.at)}, ${keyId}, ${signature})`;
}

export const emptyHead = ({ tenantId, environment }: Scope, at: number): ChainHead => ({
  seq: 0,
  hash: genesisHash(tenantId, environment),
  at,
});

/** The next head of a chain, signed. */
export interface SignedHead extends ChainHead, HeadSignature, Scope {}

/** The next heads of chains whose heads are locked. */
export function updateHeads(heads: readonly SignedHead[]): Mutation {
  const [head, another] = heads;
  if (head && !another) return updateHead(head);
  const column = <T>(read: (head: SignedHead) => T) => heads.map(read);
  return sql.mutation`update audit_heads h
    set seq = next.seq, hash = next.hash, last_at = next.last_at, key_id = next.key_id, signature = next.signature
    from unnest(${column(({ tenantId }) => tenantId)}::uuid[], ${column(({ environment }) => environment)}::text[],
      ${column(({ seq }) => seq)}::bigint[], ${column(({ hash }) => hash)}::text[],
      ${column(({ at }) => new Date(at).toISOString())}::timestamptz[], ${column(({ keyId }) => keyId)}::text[],
      ${column(({ signature }) => signature)}::text[])
      as next (tenant_id, environment, seq, hash, last_at, key_id, signature)
    where h.tenant_id = next.tenant_id and h.environment = next.environment`;
}

function updateHead({ tenantId, environment, seq, hash, at, keyId, signature }: SignedHead): Mutation {
  return sql.mutation`update audit_heads
    set seq = ${seq}, hash = ${hash}, last_at = ${new Date(at)}, key_id = ${keyId}, signature = ${signature}
    where tenant_id = ${tenantId} and environment = ${environment}`;
}

export interface AuditRow extends AuditEvent {
  readonly canonical: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The new rows of a chain. */
export interface ChainRows {
  readonly scope: Scope;
  readonly rows: readonly AuditRow[];
}

const COLUMNS = sql`environment, seq, id, actor_type, actor_id, action, entity_type, entity_id, status, summary,
  created_at, metadata, canonical, prev_hash, hash`;
const EVENT = sql`e.seq, e.id, e."actorType", e."actorId", e.action, e."entityType", e."entityId", e.status, e.summary,
  e."createdAt", e.metadata, e.canonical, e."prevHash", e.hash`;
const EVENT_TYPES = sql`seq bigint, id uuid, "actorType" text, "actorId" text, action text, "entityType" text, "entityId" text,
  status text, summary text, "createdAt" timestamptz, metadata jsonb, canonical text, "prevHash" text, hash text`;

/** One statement. Its text is one of three for any number of rows, so that each is prepared once. */
export function insertEvents(chains: readonly ChainRows[]): Mutation {
  const [chain, another] = chains;
  if (chain && !another) return insertChain(chain);
  // A statement for each chain would make the writes of many accounts a twentieth slower.
  const all = chains.flatMap(({ scope: { tenantId }, rows }) => rows.map((row) => ({ ...row, tenantId })));
  return sql.mutation`insert into audit_events (tenant_id, ${COLUMNS}) select e."tenantId", e.environment, ${EVENT}
    from json_to_recordset(${JSON.stringify(all)}::json) as e ("tenantId" uuid, environment text, ${EVENT_TYPES})`;
}

function insertChain({ scope: { tenantId, environment }, rows }: ChainRows): Mutation {
  const [row, another] = rows;
  if (row === undefined || another)
    return sql.mutation`insert into audit_events (tenant_id, ${COLUMNS}) select ${tenantId}::uuid, ${environment}, ${EVENT}
      from json_to_recordset(${JSON.stringify(rows)}::json) as e (${EVENT_TYPES})`;
  // A single row costs less as plain values, above all on several machines.
  return sql.mutation`insert into audit_events (tenant_id, ${COLUMNS})
    values (${tenantId}, ${environment}, ${row.seq}, ${row.id}, ${row.actorType}, ${row.actorId}, ${row.action},
      ${row.entityType}, ${row.entityId}, ${row.status}, ${row.summary}, ${row.createdAt},
      ${JSON.stringify(row.metadata)}, ${row.canonical}, ${row.prevHash}, ${row.hash})`;
}
