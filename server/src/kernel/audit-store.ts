import type { Environment } from '../model/environment.js';
import { type AuditEvent, type ChainHead, genesisHash, type HeadSignature } from './audit-chain.js';
import { join, type Sql, sql } from './db/sql.js';

export interface Scope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** Locks a chain's head until the transaction ends. Whoever holds it alone may append. */
export function lockHead({ tenantId, environment }: Scope): Sql {
  return sql`select seq, hash, last_at from audit_heads
    where tenant_id = ${tenantId} and environment = ${environment} for update`;
}

export const readHead = (row: Record<string, unknown>): ChainHead => ({
  seq: Number(row.seq),
  hash: row.hash as string,
  at: (row.last_at as Date).getTime(),
});

/** The head of a chain without events, written with its tenant. */
export function insertHead(
  { tenantId, environment }: Scope,
  head: ChainHead,
  { keyId, signature }: HeadSignature,
): Sql {
  return sql`insert into audit_heads (tenant_id, environment, seq, hash, last_at, key_id, signature)
    values (${tenantId}, ${environment}, ${head.seq}, ${head.hash}, ${new Date(head.at)}, ${keyId}, ${signature})`;
}

export const emptyHead = ({ tenantId, environment }: Scope, at: number): ChainHead => ({
  seq: 0,
  hash: genesisHash(tenantId, environment),
  at,
});

export function updateHead(
  { tenantId, environment }: Scope,
  head: ChainHead,
  { keyId, signature }: HeadSignature,
): Sql {
  return sql`update audit_heads
    set seq = ${head.seq}, hash = ${head.hash}, last_at = ${new Date(head.at)}, key_id = ${keyId}, signature = ${signature}
    where tenant_id = ${tenantId} and environment = ${environment}`;
}

export interface AuditRow extends AuditEvent {
  readonly canonical: string;
  readonly prevHash: string;
  readonly hash: string;
}

export function insertEvents({ tenantId, environment }: Scope, rows: readonly AuditRow[]): Sql {
  const values = rows.map(
    (
      row,
    ) => sql`(${tenantId}, ${environment}, ${row.seq}, ${row.id}, ${row.actorType}, ${row.actorId}, ${row.action},
      ${row.entityType}, ${row.entityId}, ${row.status}, ${row.summary}, ${new Date(row.createdAt)},
      ${JSON.stringify(row.metadata)}::jsonb, ${row.canonical}, ${row.prevHash}, ${row.hash})`,
  );
  return sql`insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type,
    entity_id, status, summary, created_at, metadata, canonical, prev_hash, hash) values ${join(values, ', ')}`;
}
