import { createHash } from 'node:crypto';
import { verifyInclusion } from '@svc/zk/approvals/merkle';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import type { Scope } from '../../src/ledger/audit-store.js';

/** So many are added in a second, also on a slow machine. */
const ROWS_AT_ONCE = 8_000;

/** Adds rows to a chain that are linked as real ones, and moves its head to the last. They say nothing. */
export async function addRows(
  db: Pick<RawDatabase, 'query'>,
  scope: Scope,
  count: number,
  at: number,
): Promise<void> {
  for (let left = count; left > 0; left -= ROWS_AT_ONCE)
    await addSome(db, scope, Math.min(left, ROWS_AT_ONCE), at);
}

async function addSome(
  db: Pick<RawDatabase, 'query'>,
  { tenantId, environment }: Scope,
  count: number,
  at: number,
): Promise<void> {
  const time = new Date(at);
  await db.query(sql`insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type,
      entity_id, status, summary, created_at, metadata, canonical, prev_hash, hash)
    select h.tenant_id, h.environment, h.seq + n, gen_random_uuid(), 'system', null, 'user.updated', 'user', null, 'success',
      'A user was changed', ${time}, '{}', '{}',
      case when n = 1 then h.hash else encode(sha256((h.hash || (n - 1))::bytea), 'hex') end,
      encode(sha256((h.hash || n)::bytea), 'hex')
    from audit_heads h, generate_series(1, ${count}::bigint) as n
    where h.tenant_id = ${tenantId} and h.environment = ${environment}`);
  await db.query(sql`update audit_heads h set seq = e.seq, hash = e.hash, last_at = ${time}
    from (select seq, hash from audit_events where tenant_id = ${tenantId} and environment = ${environment}
      order by seq desc limit 1) e
    where h.tenant_id = ${tenantId} and h.environment = ${environment}`);
}

/** The hashes of a chain's rows, in order. */
export async function rowHashes(
  db: Pick<RawDatabase, 'query'>,
  { tenantId, environment }: Scope,
): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(sql`select hash from audit_events
    where tenant_id = ${tenantId} and environment = ${environment} order by seq`);
  return rows.map(({ hash }) => hash);
}

export const hexBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const leafOfRow = (rowHash: string): Uint8Array => sha256(Uint8Array.of(0), hexBytes(rowHash));

/** The root as RFC 9162, 2.1.1 defines it, from the hashes of the rows. */
export function rootOfRows(hashes: readonly string[]): Uint8Array {
  if (hashes.length === 1) return leafOfRow(hashes[0] as string);
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return sha256(Uint8Array.of(1), rootOfRows(hashes.slice(0, split)), rootOfRows(hashes.slice(split)));
}

/** Whether the row with that hash is in a tree, by the verifier of `zk`. */
export const isIncluded = (
  rowHash: string,
  {
    seq,
    size,
    inclusion,
  }: { readonly seq: number; readonly size: number; readonly inclusion: readonly string[] },
  root: Uint8Array,
): boolean =>
  verifyInclusion({ index: seq - 1, size, leaf: leafOfRow(rowHash), proof: inclusion.map(hexBytes), root });

/** Changes a row as somebody can who controls the database server. */
export async function changeRow(
  db: Pick<RawDatabase, 'begin'>,
  { tenantId, environment }: Scope,
  seq: number,
): Promise<void> {
  const tx = await db.begin();
  const { failure } = await tx.send([
    sql`set local session_replication_role = replica`,
    sql`update audit_events set hash = encode(sha256(hash::bytea), 'hex')
      where tenant_id = ${tenantId} and environment = ${environment} and seq = ${seq}`,
  ]);
  if (failure) throw failure;
  await tx.commit([]);
}
