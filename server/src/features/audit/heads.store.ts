import type { Database } from '../../db/db.js';
import { type Query, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { HeadRow } from '../../ledger/signed-head.js';

/** Before the first chain in the order of `listHeads`. */
const START = { tenantId: '00000000-0000-0000-0000-000000000000', environment: '' };

/** The heads of the chains of all tenants, after that chain. */
export function listHeads(db: Database, after: Scope | undefined, limit: number): Promise<HeadRow[]> {
  const { tenantId, environment } = after ?? START;
  return db.query<HeadRow>(sql.query`select tenant_id, environment, seq, hash, last_at, key_id, signature
    from audit_heads where (tenant_id, environment) > (${tenantId}, ${environment})
    order by tenant_id, environment limit ${limit}`);
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

/** A place in a chain. */
export interface Place extends Scope {
  readonly seq: number;
}

/** How long a chain is, and the hash of its row at a place. */
export interface RowAt {
  readonly length: number;
  /** Null if there is no such row. */
  readonly hash: string | null;
}

/** In one round trip. Undefined where a chain has no head. */
export async function findRowsAt(
  db: Database,
  places: readonly Place[],
): Promise<readonly (RowAt | undefined)[]> {
  const found = await db.read(
    'latest',
    places.map(
      ({ tenantId, environment, seq }) => sql.query`select h.seq as length, (select hash from audit_events
          where tenant_id = ${tenantId} and environment = ${environment} and seq = ${seq}) as hash
        from audit_heads h where h.tenant_id = ${tenantId} and h.environment = ${environment}`,
    ),
  );
  return found.map(([row]) => row as RowAt | undefined);
}
