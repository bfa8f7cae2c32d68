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

/** An Idempotency-Key and the request it was sent with [http/idempotency]. */
export interface Idempotency {
  readonly key: string;
  /** `POST /v1/devices` */
  readonly route: string;
  /** SHA-256 of the body. */
  readonly bodyHash: string;
}

/** The value of the header, exactly as sent. Throws 400 if it is not valid. */
export function idempotencyKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    invalid('headers.idempotency-key', 'must be 1 to 255 printable characters');
  }
  return key;
}

const KEPT_MS = 24 * 60 * 60_000;

/** The first request with this key succeeded, so its record is returned again. The write has no effect. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly recordId: string;

  constructor(recordId: string) {
    super('A request with this key has already succeeded');
    this.recordId = recordId;
  }
}

/** The name of the key within this process. */
export const idempotencyName = ({ tenantId, environment }: Scope, { route, key }: Idempotency): string =>
  `${tenantId}|${environment}|${route}|${key}`;

/**
 * Reserves the key for this transaction, unless a request with it is in flight on another node. Runs before waiting for
 * the chain's head, because after the wait the other request would have ended. The reservation ends with the transaction,
 * so a failure or a crash releases the key.
 */
export const claimIdempotency = (scope: Scope, use: Idempotency): Query =>
  sql.query`select pg_try_advisory_xact_lock(hashtextextended(${idempotencyName(scope, use)}, 0)) as free`;

/** The record of the first request with this key. */
export const findIdempotency = (scope: Scope, use: Idempotency, now: number): Query =>
  sql.query`select body_hash, record_id from idempotency_keys where tenant_id = ${scope.tenantId}
    and environment = ${scope.environment} and route = ${use.route} and key = ${use.key}
    and expires_at > ${new Date(now)}`;

/** Returns only for the first request with this key. */
export function checkIdempotency(use: Idempotency, [stored]: Row[]): void {
  if (stored === undefined) return;
  if (stored.body_hash !== use.bodyHash) fail('idempotency_key_reused');
  throw new ReplayError(stored.record_id as string);
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
