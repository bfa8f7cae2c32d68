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

/** As `lockHead`, but finds nothing while another transaction holds the lock, so transactions of several chains can't deadlock. */
export function lockAvailableHead({ tenantId, environment }: Scope): Query {
  return sql.query`select tenant_id, environment, seq, hash, last_at from audit_heads
    where tenant_id = ${tenantId} and environment = ${environment} for update skip locked`;
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

export function updateHead({ tenantId, environment, seq, hash, at, keyId, signature }: SignedHead): Mutation {
  return sql.mutation`update audit_heads
    set seq = ${seq}, hash = ${hash}, last_at = ${new Date(at)}, key_id = ${keyId}, signature = ${signature}
    where tenant_id = ${tenantId} and environment = ${environment}`;
}

export interface AuditRow extends AuditEvent {
  readonly canonical: string;
  readonly prevHash: string;
  readonly hash: string;
}

const COLUMNS = sql`environment, seq, id, actor_type, actor_id, action, entity_type, entity_id, status, summary,
  created_at, metadata, canonical, prev_hash, hash`;

/** Rows of one chain. Two texts for any number of rows, so that they are prepared once. */
export function insertEvents({ tenantId, environment }: Scope, rows: readonly AuditRow[]): Mutation {
  const [row, second] = rows;
  if (row === undefined || second !== undefined)
    return sql.mutation`insert into audit_events (tenant_id, ${COLUMNS})
      select ${tenantId}::uuid, ${environment}, e.seq, e.id, e."actorType", e."actorId", e.action, e."entityType",
        e."entityId", e.status, e.summary, e."createdAt", e.metadata, e.canonical, e."prevHash", e.hash
      from json_to_recordset(${JSON.stringify(rows)}::json) as e (seq bigint, id uuid,
        "actorType" text, "actorId" text, action text, "entityType" text, "entityId" text, status text, summary text,
        "createdAt" timestamptz, metadata jsonb, canonical text, "prevHash" text, hash text)`;
  // A single row, the usual case in a transaction of many chains, costs less as plain values.
  return sql.mutation`insert into audit_events (tenant_id, ${COLUMNS})
    values (${tenantId}, ${environment}, ${row.seq}, ${row.id}, ${row.actorType}, ${row.actorId}, ${row.action},
      ${row.entityType}, ${row.entityId}, ${row.status}, ${row.summary}, ${row.createdAt},
      ${JSON.stringify(row.metadata)}, ${row.canonical}, ${row.prevHash}, ${row.hash})`;
}
