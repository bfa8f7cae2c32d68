import { fail, invalid } from '../base/errors.js';
import type { Row } from '../db/db.js';
import { ageOf, type Expiry } from '../db/expiry.js';
import { type Mutation, type Query, sql } from '../db/sql.js';
import type { Scope } from './audit-store.js';

export const IDEMPOTENCY_EXPIRY: Expiry = {
  table: sql`idempotency_keys`,
  column: sql`expires_at`,
  before: ageOf(0),
};

/** An Idempotency-Key with what it was sent with (DECISIONS §1, Idempotency). */
export interface Idempotency {
  readonly key: string;
  /** `POST /v1/devices` */
  readonly route: string;
  /** SHA-256 of the body's bytes. */
  readonly bodyHash: string;
}

/** The header's value as it was sent; 400 for what is no key. */
export function idempotencyKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    invalid('headers.idempotency-key', 'must be 1 to 255 printable characters');
  }
  return key;
}

const KEPT_MS = 24 * 60 * 60_000;

/** The first request with this key succeeded: its record is to be shown again. Leaves the write without a trace. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly recordId: string;

  constructor(recordId: string) {
    super('This request was answered before');
    this.recordId = recordId;
  }
}

/** What the key is called where its requests meet. */
export const idempotencyName = ({ tenantId, environment }: Scope, { route, key }: Idempotency): string =>
  `${tenantId}|${environment}|${route}|${key}`;

/**
 * Takes the key for this transaction, unless a request with it is running on another node. Asked before the chain's head
 * is waited for, because by then that one has ended. It ends with the transaction, so a failure or a crash frees the key.
 */
export const claimIdempotency = (scope: Scope, use: Idempotency): Query =>
  sql.query`select pg_try_advisory_xact_lock(hashtextextended(${idempotencyName(scope, use)}, 0)) as free`;

/** What the first request with this key left. */
export const findIdempotency = (scope: Scope, use: Idempotency, now: number): Query =>
  sql.query`select body_hash, record_id from idempotency_keys where tenant_id = ${scope.tenantId}
    and environment = ${scope.environment} and route = ${use.route} and key = ${use.key}
    and expires_at > ${new Date(now)}`;

/** Passes for the first request alone. */
export function judgeIdempotency(use: Idempotency, [kept]: Row[]): void {
  if (kept === undefined) return;
  if (kept.body_hash !== use.bodyHash) fail('idempotency_key_reused');
  throw new ReplayError(kept.record_id as string);
}

export function recordIdempotency(
  scope: Scope,
  use: Idempotency,
  recordId: string | null,
  now: number,
): Mutation {
  return sql.mutation`insert into idempotency_keys (tenant_id, environment, route, key, body_hash, record_id, expires_at)
    values (${scope.tenantId}, ${scope.environment}, ${use.route}, ${use.key}, ${use.bodyHash}, ${recordId},
      ${new Date(now + KEPT_MS)})
    on conflict (tenant_id, environment, route, key) do update
    set body_hash = excluded.body_hash, record_id = excluded.record_id, expires_at = excluded.expires_at`;
}
