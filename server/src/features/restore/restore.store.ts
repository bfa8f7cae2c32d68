import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { ErasureLine } from '../../http/deps.js';
import { headOf } from '../../ledger/read-events.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, within } from '../../ledger/write.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';

export interface RestoreRow {
  epoch: number;
  finished_at: Date;
}

/** The newest first. */
export const listRestores = (db: Database, count: number): Promise<RestoreRow[]> =>
  db.query<RestoreRow>(sql.query`select epoch, finished_at from restores order by epoch desc limit ${count}`);

/** Does nothing if another node has inserted the epoch. */
export async function insertRestore(w: UnauditedWrite<'restores'>, epoch: number, at: Date): Promise<void> {
  await w.mutate(sql.mutation`insert into restores (epoch, finished_at) values (${epoch}, ${at})
    on conflict (epoch) do nothing`);
}

/** Whether anybody has signed up. The account of the legacy callers has nothing that a restore could bring back. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const rows = await db.query(sql.query`select 1 from tenants where id <> ${LEGACY_ACCOUNT.id} limit 1`);
  return rows.length > 0;
}

/** The servers that have this database open. */
export async function countNodes(db: Database, application: string): Promise<number> {
  const [row] = await db.query<{ nodes: number }>(sql.query`select count(*) as nodes from pg_stat_activity
    where datname = current_database() and application_name = ${application}`);
  return row?.nodes ?? 0;
}

/** Those of the lines whose person is in the database and is not erased. */
export async function findUnerased(db: Database, lines: readonly ErasureLine[]): Promise<ErasureLine[]> {
  const rows = await db.query<{ id: string }>(sql.query`select u.id
    from unnest(${lines.map((line) => line.tenantId)}::uuid[], ${lines.map((line) => line.environment)}::text[],
      ${lines.map((line) => line.userId)}::uuid[]) as line (tenant_id, environment, user_id)
    join tenant_users u on u.tenant_id = line.tenant_id and u.environment = line.environment and u.id = line.user_id
    where u.erased_at is null`);
  const unerased = new Set(rows.map(({ id }) => id));
  return lines.filter(({ userId }) => unerased.has(userId));
}

/** A page of the accounts, in the order of their ids. */
export async function listAccounts(
  db: Database,
  after: string | undefined,
  count: number,
): Promise<string[]> {
  const rest = after === undefined ? sql`true` : sql`id > ${after}::uuid`;
  const rows = await db.query<{ id: string }>(
    sql.query`select id from tenants where ${rest} order by id limit ${count}`,
  );
  return rows.map(({ id }) => id);
}

/** A position in a chain. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

/** Undefined if there is no such chain. */
export async function findHead(read: Read): Promise<Link | undefined> {
  const [row] = await read.query<{ seq: number; hash: string }>(
    sql.query`select seq, hash from audit_heads where ${within(read.scope)}`,
  );
  return row;
}

/** The head before a restore, by its event among the last ones of the chain. Undefined if there is none. */
export async function findRestored(read: Read, epoch: number, events: number): Promise<Link | undefined> {
  const [row] = await read.query<{
    seq: number;
    hash: string;
  }>(sql.query`select (metadata ->> 'seq')::bigint as seq,
      metadata ->> 'hash' as hash from audit_events
    where ${within(read.scope)} and action = 'chain.restored' and (metadata ->> 'epoch')::bigint = ${epoch}
      and seq > ${headOf(read.scope)} - ${events} and seq <= ${headOf(read.scope)}
    order by seq limit 1`);
  return row;
}
