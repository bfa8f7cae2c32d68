import type { BatchCall } from '@svc/chain/client';
import { mapConcurrently } from '../../base/concurrency/concurrently.js';
import type { Database } from '../../db/db.js';
import { type Sql, sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';

const INSERTS_AT_ONCE = 4;

/** Inserts the leaf, if the tenant's policy requires it at the time of this transaction. */
export async function insertIdentityLeaf(
  w: Write,
  leaf: { id: string; identityId: string; first: string; second: string; salt: string; hash: string },
  now: Date,
): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into anchor_leaves (tenant_id, environment, id, kind, identity_id, first_word, second_word,
      salt, hash, created_at)
    select ${tenantId}, ${environment}, ${leaf.id}, 1, ${leaf.identityId}, ${leaf.first}, ${leaf.second}, ${leaf.salt},
      ${leaf.hash}, ${now}
    from tenants where id = ${tenantId} and security_policy -> 'providers' ->> 'did' = 'onchain'`);
}

/** The identity's newest leaf and its transaction: the mined one, or else the one that was signed last. */
export async function findIdentityAnchor(
  read: Read,
  identityId: string,
): Promise<{ tx_hash: string | null } | undefined> {
  const [row] = await read.query<{ tx_hash: string | null }>(sql.query`select coalesce(b.mined_hash, (
      select t.tx_hash from anchor_transactions t where t.hub = l.hub and t.batch_id = l.batch_id
      order by t.created_at desc, t.nonce desc limit 1)) as tx_hash
    from (select hub, batch_id from anchor_leaves where ${within(read.scope)} and identity_id = ${identityId}
      order by created_at desc, id desc limit 1) l
    left join anchor_batches b on b.hub = l.hub and b.batch_id = l.batch_id`);
  return row;
}

/** Takes or renews the lease of a hub's worker. */
export async function takeLease(
  w: UnauditedWrite<'anchoring'>,
  lease: { hub: string; holder: string; now: Date; until: Date },
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`insert into anchor_workers as w (hub, holder, expires_at)
    values (${lease.hub}, ${lease.holder}, ${lease.until})
    on conflict (hub) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where w.expires_at <= ${lease.now} or w.holder = excluded.holder
    returning hub`);
  return rows.length > 0;
}

export async function releaseLease(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  holder: string,
  now: Date,
): Promise<void> {
  await w.mutate(
    sql.mutation`update anchor_workers set expires_at = ${now} where hub = ${hub} and holder = ${holder}`,
  );
}

export interface BatchRow {
  batch_id: number;
  root: string;
  leaves: number;
  identities: number;
  included_at: Date | null;
}

const BATCH = sql`batch_id, root, leaves, identities, included_at`;

export const toCall = (row: BatchRow): BatchCall => ({
  batchId: row.batch_id,
  root: row.root,
  leaves: row.leaves,
  identities: row.identities,
});

export async function newestBatch(db: Database, hub: string): Promise<number> {
  const [row] = await db.query<{ newest: number }>(
    sql.query`select coalesce(max(batch_id), 0) as newest from anchor_batches where hub = ${hub}`,
  );
  return row?.newest ?? 0;
}

export async function findBatch(db: Database, hub: string, batchId: number): Promise<BatchRow | undefined> {
  const [row] = await db.query<BatchRow>(
    sql.query`select ${BATCH} from anchor_batches where hub = ${hub} and batch_id = ${batchId}`,
  );
  return row;
}

/** Batches up to that one that were in no block yet, and that batch itself. */
export function listUnsettled(db: Database, hub: string, upTo: number, count: number): Promise<BatchRow[]> {
  return db.query<BatchRow>(sql.query`select ${BATCH} from anchor_batches
    where hub = ${hub} and batch_id <= ${upTo} and (included_at is null or batch_id = ${upTo})
    order by batch_id limit ${count}`);
}

export interface MinedTransaction {
  hash: string;
  block: number;
}

export async function noteIncluded(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  batchId: number,
  mined: MinedTransaction | undefined,
  now: Date,
): Promise<void> {
  await w.mutate(sql.mutation`update anchor_batches
    set included_at = ${now}, mined_hash = ${mined?.hash ?? null}, mined_block = ${mined?.block ?? null}
    where hub = ${hub} and batch_id = ${batchId} and included_at is null`);
}

/** Marks batches as confirmed by final blocks, and resets those whose block was removed. */
export async function noteFinality(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  { latest, finalized }: { latest: number; finalized: number },
  now: Date,
): Promise<number> {
  await w.mutate(sql.mutation`update anchor_batches set confirmed_at = ${now}
    where hub = ${hub} and batch_id <= ${finalized} and included_at is not null and confirmed_at is null`);
  const lost = await w.mutate(sql.mutation`update anchor_batches
    set included_at = null, confirmed_at = null, mined_hash = null, mined_block = null
    where hub = ${hub} and batch_id > ${latest} and included_at is not null returning batch_id`);
  return lost.length;
}

export interface TransactionRow {
  tx_hash: string;
  nonce: number;
  signed: string;
  max_fee: string;
  priority_fee: string;
  created_at: Date;
  /** Null until a node has accepted it. */
  taken_at: Date | null;
}

/** Newest first. */
export function listTransactions(db: Database, hub: string, batchId: number): Promise<TransactionRow[]> {
  return db.query<TransactionRow>(sql.query`select tx_hash, nonce, signed, max_fee::text as max_fee,
      priority_fee::text as priority_fee, created_at, taken_at
    from anchor_transactions where hub = ${hub} and batch_id = ${batchId} order by created_at desc, max_fee desc`);
}

export async function saveTransaction(
  w: UnauditedWrite<'anchoring'>,
  tx: Omit<TransactionRow, 'created_at' | 'taken_at'> & { hub: string; batchId: number; now: Date },
): Promise<void> {
  await w.mutate(sql.mutation`insert into anchor_transactions (hub, batch_id, tx_hash, nonce, signed, max_fee, priority_fee,
      created_at)
    values (${tx.hub}, ${tx.batchId}, ${tx.tx_hash}, ${tx.nonce}, ${tx.signed}, ${tx.max_fee}::numeric,
      ${tx.priority_fee}::numeric, ${tx.now})
    on conflict do nothing`);
}

export async function noteTaken(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  txHash: string,
  now: Date,
): Promise<void> {
  await w.mutate(
    sql.mutation`update anchor_transactions set taken_at = ${now} where hub = ${hub} and tx_hash = ${txHash}`,
  );
}

export interface WaitingLeaf {
  tenant_id: string;
  environment: string;
  id: string;
  kind: 1 | 2;
  hash: string;
}

export function listWaiting(db: Database, count: number): Promise<WaitingLeaf[]> {
  return db.query<WaitingLeaf>(sql.query`select tenant_id, environment, id, kind, hash
    from anchor_leaves where batch_id is null order by created_at, id limit ${count}`);
}

/**
 * Inserts the batch and the positions of its leaves, in one transaction. The primary key rejects another batch with the same
 * number. Inserts nothing if one of the leaves is no longer waiting, because the worker of another hub has taken it.
 */
export async function insertBatch(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  call: BatchCall,
  leaves: readonly Pick<WaitingLeaf, 'tenant_id' | 'environment' | 'id'>[],
  now: Date,
): Promise<void> {
  const batch = sql.mutation`insert into anchor_batches (hub, batch_id, root, leaves, identities, created_at)
    values (${hub}, ${call.batchId}, ${call.root}, ${call.leaves}, ${call.identities}, ${now})`;
  const tx = await w.begin();
  try {
    const { rows, failure } = await tx.send([batch, ...placeLeaves(hub, call.batchId, leaves)]);
    if (failure !== undefined) throw failure;
    if (rows.flat().length === call.leaves) await tx.commit([]);
    else await tx.rollback();
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}

interface Place {
  readonly environment: string;
  readonly id: string;
  readonly position: number;
}

/** Returns a row for each leaf that was placed. In order of tenants and ids, so that two workers cannot deadlock. */
function placeLeaves(
  hub: string,
  batchId: number,
  leaves: readonly Pick<WaitingLeaf, 'tenant_id' | 'environment' | 'id'>[],
): Sql[] {
  const byTenant = new Map<string, Place[]>();
  for (const [position, { tenant_id, environment, id }] of leaves.entries()) {
    const places = byTenant.get(tenant_id) ?? [];
    places.push({ environment, id, position });
    byTenant.set(tenant_id, places);
  }
  return [...byTenant.keys()].sort().map((tenantId) => {
    const places = JSON.stringify(byTenant.get(tenantId));
    const place = sql`json_to_recordset(${places}::json) as p (environment text, id uuid, position integer)`;
    return sql.mutation`with held as (
        select environment, id from anchor_leaves where tenant_id = ${tenantId} and batch_id is null
          and (environment, id) in (select p.environment, p.id from ${place}) order by id for update)
      update anchor_leaves l set hub = ${hub}, batch_id = ${batchId}, position = p.position
      from held join ${place} using (environment, id)
      where l.tenant_id = ${tenantId} and l.environment = p.environment and l.id = p.id and l.batch_id is null
      returning 1 as placed`;
  });
}

/** Returns true once per interval, when heads must be gathered. */
export async function claimHeads(
  w: UnauditedWrite<'anchoring'>,
  hub: string,
  now: Date,
  since: Date,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update anchor_workers set heads_at = ${now}
    where hub = ${hub} and (heads_at is null or heads_at <= ${since}) returning hub`);
  return rows.length > 0;
}

/** Audit chains in the live environment whose tenants want their heads anchored, and which have grown since their last anchored or queued head on this hub. */
export function listGrownHeads(
  db: Database,
  hub: string,
): Promise<{ tenant_id: string; environment: string; seq: number; hash: string }[]> {
  return db.query(sql.query`select h.tenant_id, h.environment, h.seq, h.hash
    from audit_heads h join tenants t on t.id = h.tenant_id
    where h.environment = 'live' and h.seq > 0 and t.security_policy -> 'providers' ->> 'auditAnchor' = 'onchain'
      and t.status not in ('closing', 'closed') and not exists (select 1 from anchor_leaves l where l.tenant_id = h.tenant_id
        and l.environment = h.environment and l.kind = 2 and l.seq >= h.seq and (l.hub = ${hub} or l.hub is null))`);
}

export interface HeadLeaf {
  tenant_id: string;
  environment: string;
  id: string;
  seq: number;
  first_word: string;
  second_word: string;
  salt: string;
  hash: string;
}

/** Not all are inserted if one fails. The next run inserts the others. */
export async function insertHeadLeaves(
  w: UnauditedWrite<'anchoring'>,
  leaves: readonly HeadLeaf[],
  now: Date,
): Promise<void> {
  await mapConcurrently(leaves, INSERTS_AT_ONCE, (leaf) =>
    w.mutate(sql.mutation`insert into anchor_leaves (tenant_id, environment, id, kind, seq, first_word, second_word, salt,
        hash, created_at)
      values (${leaf.tenant_id}, ${leaf.environment}, ${leaf.id}, 2, ${leaf.seq}, ${leaf.first_word},
        ${leaf.second_word}, ${leaf.salt}, ${leaf.hash}, ${now})`),
  );
}

/**
 * What is left of the leaves of an account that is deleted: the hashes of those in a batch, which proofs of other accounts need. Heads
 * stay whole, because the audit chain stays. Returns whether there may be more.
 */
export async function forgetLeaves(
  w: UnauditedWrite<'closed accounts'>,
  tenantId: string,
  limit: number,
): Promise<boolean> {
  const some = (condition: Sql) => sql`ctid = any (array(select ctid from anchor_leaves
    where tenant_id = ${tenantId} and ${condition} limit ${limit} for update skip locked))`;
  const deleted = await w.mutate(sql.mutation`delete from anchor_leaves
    where tenant_id = ${tenantId} and ${some(sql`batch_id is null`)} returning 1 as done`);
  const forgotten = await w.mutate(sql.mutation`update anchor_leaves
    set identity_id = null, first_word = null, second_word = null, salt = null
    where tenant_id = ${tenantId} and ${some(sql`batch_id is not null and identity_id is not null`)} returning 1 as done`);
  return deleted.length + forgotten.length > 0;
}

export async function hasLeaves(db: Database, tenantId: string): Promise<boolean> {
  const rows = await db.query(sql.query`select 1 as found from anchor_leaves
    where tenant_id = ${tenantId} and (batch_id is null or identity_id is not null) limit 1`);
  return rows.length > 0;
}

/** The numbers of waiting, pending and final leaves. */
export async function countOutbox(db: Database, hub: string) {
  const [row] = await db.query<{
    waiting: number;
    sent: number;
    included: number;
    confirmed: number;
    identities: number;
    oldest_at: Date | null;
  }>(sql.query`select
      (select count(*) from anchor_leaves where batch_id is null) as waiting,
      coalesce(sum(leaves) filter (where included_at is null), 0)::bigint as sent,
      coalesce(sum(leaves) filter (where included_at is not null and confirmed_at is null), 0)::bigint as included,
      coalesce(sum(leaves) filter (where confirmed_at is not null), 0)::bigint as confirmed,
      coalesce(sum(identities) filter (where included_at is not null), 0)::bigint as identities,
      least((select min(created_at) from anchor_leaves where batch_id is null),
        min(created_at) filter (where included_at is null)) as oldest_at
    from anchor_batches where hub = ${hub}`);
  return row;
}

export type RootRow = Pick<BatchRow, 'batch_id' | 'root' | 'leaves'>;

/** In their order, starting with that number. */
export function listRoots(db: Database, hub: string, from: number, count: number): Promise<RootRow[]> {
  return db.query<RootRow>(sql.query`select batch_id, root, leaves from anchor_batches
    where hub = ${hub} and batch_id >= ${from} order by batch_id limit ${count}`);
}

/** Every contract that has batches, on this and on other blockchains. */
export async function listHubs(db: Database): Promise<string[]> {
  const rows = await db.query<{ hub: string }>(
    sql.query`select distinct hub from anchor_batches order by hub`,
  );
  return rows.map(({ hub }) => hub);
}

/** Words and salt are null after the person was erased. */
export interface KeptLeaf extends WaitingLeaf {
  seq: number | null;
  first_word: string | null;
  second_word: string | null;
  salt: string | null;
  batch_id: number;
}

/** By batch, and within a batch in tree order. */
export function listLeaves(db: Database, hub: string, from: number, to: number): Promise<KeptLeaf[]> {
  return db.query<KeptLeaf>(sql.query`select tenant_id, environment, id, kind, seq, first_word, second_word, salt, hash, batch_id
    from anchor_leaves where hub = ${hub} and batch_id between ${from} and ${to} order by batch_id, position`);
}

/** The leaves of a batch, in tree order. */
export async function listHashes(db: Database, hub: string, batchId: number): Promise<string[]> {
  const [row] = await db.query<{
    hashes: string | null;
  }>(sql.query`select string_agg(hash, ' ' order by position) as hashes
    from anchor_leaves where hub = ${hub} and batch_id = ${batchId}`);
  return row?.hashes?.split(' ') ?? [];
}

/**
 * An identity that does not match one of its leaves, if there is one: deleted, with another DID, or with a commitment that is neither
 * the one in force nor an earlier one of its history.
 */
export async function findAlteredIdentity(db: Database): Promise<string | undefined> {
  const earlier = sql`exists (select 1 from identity_commitments c
    join identity_commitments n on n.tenant_id = c.tenant_id and n.environment = c.environment
      and n.identity_id = c.identity_id and n.version = c.version + 1
    where c.tenant_id = l.tenant_id and c.environment = l.environment and c.identity_id = l.identity_id
      and c.commitment = l.second_word)`;
  const [row] = await db.query<{ identity_id: string }>(sql.query`select l.identity_id from anchor_leaves l
    left join identities i on i.tenant_id = l.tenant_id and i.environment = l.environment and i.id = l.identity_id
    where l.kind = 1 and l.salt is not null and (i.id is null or (i.commitment <> l.second_word and not ${earlier})
      or l.first_word <> '00' || encode(substring(sha256(convert_to(i.did, 'UTF8')) from 1 for 31), 'hex'))
    order by l.batch_id, l.position limit 1`);
  return row?.identity_id;
}

export interface HeadRow {
  tenant_id: string;
  environment: Environment;
  seq: number;
  hash: string;
  /** The audit row at that position, if there is one. */
  row_id: string | null;
  row_hash: string | null;
}

/** The last head of each audit chain in a batch, with the row that it must match. */
export function listAnchoredHeads(db: Database): Promise<HeadRow[]> {
  return db.query<HeadRow>(sql.query`select distinct on (l.tenant_id, l.environment) l.tenant_id, l.environment, l.seq,
      l.second_word as hash, e.id as row_id, e.hash as row_hash
    from anchor_leaves l
    left join audit_events e on e.tenant_id = l.tenant_id and e.environment = l.environment and e.seq = l.seq
    where l.hub is not null and l.kind = 2
    order by l.tenant_id, l.environment, l.seq desc`);
}

export interface BatchedLeaf {
  kind: 1 | 2;
  first_word: string;
  second_word: string;
  salt: string;
  hash: string;
  created_at: Date;
  hub: string;
  batch_id: number;
  position: number;
  root: string;
  included_at: Date | null;
  confirmed_at: Date | null;
  tx_hash: string | null;
}

const BATCHED = sql`select l.kind, l.first_word, l.second_word, l.salt, l.hash, l.created_at, l.hub, l.batch_id, l.position,
    b.root, b.included_at, b.confirmed_at, coalesce(b.mined_hash, (select x.tx_hash from anchor_transactions x
      where x.hub = l.hub and x.batch_id = l.batch_id order by x.created_at desc limit 1)) as tx_hash
  from anchor_leaves l join anchor_batches b on b.hub = l.hub and b.batch_id = l.batch_id`;

const ofScope = ({ scope }: Read) =>
  sql`l.tenant_id = ${scope.tenantId} and l.environment = ${scope.environment}`;

/** The leaf of the commitment that the identity has now. */
export async function findIdentityLeaf(read: Read, did: string): Promise<BatchedLeaf | undefined> {
  const [row] = await read.query<BatchedLeaf>(sql.query`${BATCHED}
    where ${ofScope(read)} and (l.identity_id, l.second_word) = (
      select id, commitment from identities where ${within(read.scope)} and did = ${did})
    order by l.created_at desc, l.id desc limit 1`);
  return row;
}

/** One leaf by its id, if it is in a batch and its person was not deleted. */
export async function findLeaf(read: Read, id: string): Promise<BatchedLeaf | undefined> {
  const [row] = await read.query<BatchedLeaf>(
    sql.query`${BATCHED} where ${ofScope(read)} and l.id = ${id} and l.salt is not null`,
  );
  return row;
}

/** The first head from that position on; without a position the newest. */
export async function findHeadLeaf(read: Read, from: number | undefined): Promise<BatchedLeaf | undefined> {
  const which = from === undefined ? sql`order by l.seq desc` : sql`and l.seq >= ${from} order by l.seq`;
  const [row] = await read.query<BatchedLeaf>(sql.query`${BATCHED}
    where ${ofScope(read)} and l.kind = 2 ${which} limit 1`);
  return row;
}

/** The newest head up to that position that is in a block. */
export async function findIncludedHeadLeaf(read: Read, upTo: number): Promise<BatchedLeaf | undefined> {
  const [row] = await read.query<BatchedLeaf>(sql.query`${BATCHED}
    where ${ofScope(read)} and l.kind = 2 and l.seq <= ${upTo} and b.included_at is not null
    order by l.seq desc limit 1`);
  return row;
}

/** Removes what the leaves of these identities were computed from, and whose they are. The hashes stay, because batches contain them. */
export async function eraseWords(w: Write, identityIds: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`update anchor_leaves set identity_id = null, first_word = null, second_word = null, salt = null
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[])`);
}
