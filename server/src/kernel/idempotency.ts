import type { Scope } from './audit-store.js';
import type { Transaction } from './db/db.js';
import { type Sql, sql } from './db/sql.js';
import { fail, invalid } from './errors.js';

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

/**
 * Takes the key for this transaction. The advisory lock makes a second request with the same key see the first one
 * running, on any node; it ends with the transaction, so a failure or a crash frees the key.
 */
export async function reserveIdempotency(
  tx: Transaction,
  scope: Scope,
  use: Idempotency,
  now: number,
): Promise<void> {
  const name = `${scope.tenantId}|${scope.environment}|${use.route}|${use.key}`;
  const [lock, kept] = await tx.send([
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`,
    sql`select body_hash, record_id from idempotency_keys where tenant_id = ${scope.tenantId}
      and environment = ${scope.environment} and route = ${use.route} and key = ${use.key}
      and expires_at > ${new Date(now)}`,
  ]);
  if (!lock?.[0]?.free) fail('idempotency_key_in_use');
  const record = kept?.[0];
  if (record === undefined) return;
  if (record.body_hash !== use.bodyHash) fail('idempotency_key_reused');
  throw new ReplayError(record.record_id as string);
}

export function recordIdempotency(scope: Scope, use: Idempotency, recordId: string | null, now: number): Sql {
  return sql`insert into idempotency_keys (tenant_id, environment, route, key, body_hash, record_id, expires_at)
    values (${scope.tenantId}, ${scope.environment}, ${use.route}, ${use.key}, ${use.bodyHash}, ${recordId},
      ${new Date(now + KEPT_MS)})
    on conflict (tenant_id, environment, route, key) do update
    set body_hash = excluded.body_hash, record_id = excluded.record_id, expires_at = excluded.expires_at`;
}
