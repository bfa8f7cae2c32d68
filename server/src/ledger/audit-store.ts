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

/** Locks the heads that are available and skips the others. It never waits, so transactions of several chains can't deadlock. */
export function lockAvailableHeads(scopes: readonly Scope[]): Query {
  const tenantIds = scopes.map(({ tenantId }) => tenantId);
  const environments = scopes.map(({ environment }) => environment);
  return sql.query`select h.tenant_id, h.environment, h.seq, h.hash, h.last_at from audit_heads h
    join unnest(${tenantIds}::uuid[], ${environments}::text[]) as wanted (tenant_id, environment)
      on h.tenant_id = wanted.tenant_id and h.environment = wanted.environment
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

export function updateHeads(heads: readonly SignedHead[]): Mutation {
  const next = heads.map((head) => ({ ...head, at: new Date(head.at).toISOString() }));
  return sql.mutation`update audit_heads h
    set seq = n.seq, hash = n.hash, last_at = n.at, key_id = n."keyId", signature = n.signature
    from json_to_recordset(${JSON.stringify(next)}::json) as n ("tenantId" uuid, environment text, seq bigint,
      hash text, at timestamptz, "keyId" text, signature text)
    where h.tenant_id = n."tenantId" and h.environment = n.environment`;
}

export interface AuditRow extends AuditEvent {
  readonly tenantId: string;
  readonly canonical: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The same text for any number of rows, so that it is prepared once. */
export function insertEvents(rows: readonly AuditRow[]): Mutation {
  return sql.mutation`insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type,
      entity_id, status, summary, created_at, metadata, canonical, prev_hash, hash)
    select e."tenantId", e.environment, e.seq, e.id, e."actorType", e."actorId", e.action, e."entityType",
      e."entityId", e.status, e.summary, e."createdAt", e.metadata, e.canonical, e."prevHash", e.hash
    from json_to_recordset(${JSON.stringify(rows)}::json) as e ("tenantId" uuid, environment text, seq bigint, id uuid,
      "actorType" text, "actorId" text, action text, "entityType" text, "entityId" text, status text, summary text,
      "createdAt" timestamptz, metadata jsonb, canonical text, "prevHash" text, hash text)`;
}
