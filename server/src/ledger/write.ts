import type { SealedKind } from '@svc/zk/records/kinds';
import type { Database, Row } from '../db/db.js';
import { type Mutation, type Query, type Sql, sql } from '../db/sql.js';
import type { AuditAction } from '../model/audit-actions.js';
import type { AuditMetadata, AuditStatus } from './audit-chain.js';
import type { Scope } from './audit-store.js';
import type { Idempotency } from './idempotency.js';
import type { NewSeal } from './record-seal.js';

/** The actor of an audit event. */
export interface Actor {
  readonly type: 'api_key' | 'member' | 'device' | 'phone' | 'inspector' | 'system';
  readonly id: string | null;
  /** The desk at which a member acts, for the metadata of each entry. */
  readonly deviceId?: string;
}

export interface AuditEntry {
  readonly entityType: string;
  readonly entityId: string | null;
  /** Default: `success`. */
  readonly status?: AuditStatus;
  readonly metadata?: AuditMetadata;
  /** Default: the action of the write. Set when one write does several things. */
  readonly action?: AuditAction;
}

/** Reads within one tenant and environment. */
export interface Read {
  readonly scope: Scope;
  query<R extends object = Row>(statement: Query): Promise<R[]>;
}

declare const writable: unique symbol;

/** Changes rows. Only `write` creates one, so an unscoped or unaudited write does not compile. */
export interface Write extends Read {
  mutate<R extends object = Row>(statement: Mutation): Promise<R[]>;
  /** Adds an audit entry. Pass a function if it depends on the result of a statement. */
  audit(entry: AuditEntry | (() => AuditEntry)): void;
  /** For a record that this write makes or changes: `place` puts its seal into an audit entry (`place-seals.ts`). */
  seal(kind: SealedKind): NewSeal;
  readonly [writable]: true;
}

declare const tenantLock: unique symbol;

/**
 * A write that may lock its tenant's row, which writes in the tenant's other environment also lock. Such a write never shares a
 * transaction with another chain. See docs/adr/0014-lock-order.md.
 */
export interface TenantWrite extends Write {
  readonly [tenantLock]: true;
}

export interface WriteRequest {
  readonly scope: Scope;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly idempotency?: Idempotency | undefined;
  /** The work locks the tenant's row. */
  readonly locks?: 'tenant' | undefined;
  /** The client has hung up. A write that has not begun by then is dropped. */
  readonly isAbandoned?: (() => boolean) | undefined;
  /** The caller's credential. It is checked again in this transaction, so a credential that was revoked writes nothing. */
  readonly credential?: { revalidate(now: number): Query; reject(): never } | undefined;
}

/**
 * The only way to open a writable transaction. The rows, their audit events, the idempotency record and the chain's new
 * signed head commit together or not at all. A write without an audit entry does not commit. Implemented by `writer.ts`.
 */
export interface Writer {
  <T>(request: WriteRequest & { readonly locks: 'tenant' }, work: (w: TenantWrite) => Promise<T>): Promise<T>;
  <T>(request: WriteRequest, work: (w: Write) => Promise<T>): Promise<T>;
}

export function reader(db: Database, scope: Scope): Read {
  return { scope, query: (statement) => (db.near?.(scope.tenantId) ?? db).query(statement) };
}

/** The condition that every statement on a tenant's rows includes. */
export function within({ tenantId, environment }: Scope, alias?: 't'): Sql {
  return alias
    ? sql`t.tenant_id = ${tenantId} and t.environment = ${environment}`
    : sql`tenant_id = ${tenantId} and environment = ${environment}`;
}
