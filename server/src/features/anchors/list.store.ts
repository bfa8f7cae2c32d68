import { join, type Sql, sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

export interface AnchoredRow {
  id: string;
  kind: 1 | 2;
  seq: number | null;
  identity_id: string | null;
  user_id: string | null;
  user_name: string | null;
  hub: string | null;
  batch_id: number | null;
  tx_hash: string | null;
  mined_block: number | null;
  created_at: Date;
  included_at: Date | null;
  confirmed_at: Date | null;
}

/** Newest first: ids are in the order of their creation. */
export function listAnchored(
  read: Read,
  kind: 1 | 2 | undefined,
  count: number,
  after: string | undefined,
): Promise<AnchoredRow[]> {
  const { tenantId, environment } = read.scope;
  const conditions: Sql[] = [within(read.scope, 't')];
  if (kind !== undefined) conditions.push(sql`t.kind = ${kind}`);
  if (after !== undefined) conditions.push(sql`t.id < ${after}`);
  return read.query<AnchoredRow>(sql.query`select l.id, l.kind, l.seq, l.identity_id, i.user_id, u.full_name as user_name,
      l.hub, l.batch_id, b.mined_block, l.created_at, b.included_at, b.confirmed_at,
      coalesce(b.mined_hash, (select x.tx_hash from anchor_transactions x where x.hub = l.hub and x.batch_id = l.batch_id
        order by x.created_at desc limit 1)) as tx_hash
    from (select * from anchor_leaves t where ${join(conditions, ' and ')} order by t.id desc limit ${count}) l
    left join anchor_batches b on b.hub = l.hub and b.batch_id = l.batch_id
    left join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = l.identity_id
    left join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = i.user_id
    order by l.id desc`);
}

export async function countWaiting(read: Read): Promise<{ count: number; since: Date | null }> {
  const [row] = await read.query<{ count: number; since: Date | null }>(sql.query`select count(*) as count,
      min(created_at) as since from anchor_leaves where ${within(read.scope)} and batch_id is null`);
  return row ?? { count: 0, since: null };
}
