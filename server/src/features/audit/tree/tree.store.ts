import type { Database } from '../../../db/db.js';
import { type Query, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, within } from '../../../ledger/write.js';
import type { Environment } from '../../../model/environment.js';

export type TreeWrite = UnauditedWrite<'audit trees'>;

export interface TreeRow {
  size: number;
  root: string;
  hash: string;
  edge: string;
  signed_at: Date;
  key_id: string;
  signature: string;
}

const TREE = sql`size, root, hash, edge, signed_at, key_id, signature`;

export async function findTree(read: Read): Promise<TreeRow | undefined> {
  const [row] = await read.query<TreeRow>(
    sql.query`select ${TREE} from audit_trees where ${within(read.scope)}`,
  );
  return row;
}

/** A chain's head, and its tree; null before the first. */
export interface StateRow extends Omit<TreeRow, 'size'> {
  head_seq: number;
  head_hash: string;
  last_at: Date;
  size: number | null;
}

const stateOf = ({ tenantId, environment }: Scope): Query =>
  sql.query`select h.seq as head_seq, h.hash as head_hash, h.last_at, t.size, t.root, t.hash, t.edge, t.signed_at,
      t.key_id, t.signature
    from audit_heads h left join audit_trees t
      on t.tenant_id = ${tenantId} and t.tenant_id = h.tenant_id and t.environment = h.environment
    where h.tenant_id = ${tenantId} and h.environment = ${environment}`;

/** In one round trip. Undefined where a chain has no head. */
export async function findStates(
  db: Database,
  scopes: readonly Scope[],
): Promise<readonly (StateRow | undefined)[]> {
  const found = await db.read('latest', scopes.map(stateOf));
  return found.map(([row]) => row as StateRow | undefined);
}

/** The rows of a chain after `from`, up to `to`. */
export interface Span extends Scope {
  readonly from: number;
  readonly to: number;
}

/** The hashes of rows, in order and next to each other, and those of the rows before them. */
export interface RowHashes {
  readonly hashes: string;
  readonly previous: string;
}

const rowsOf = ({ from, to, ...scope }: Span): Query =>
  sql.query`select coalesce(string_agg(hash, '' order by seq), '') as hashes,
      coalesce(string_agg(prev_hash, '' order by seq), '') as previous
    from audit_events where ${within(scope)} and seq > ${from} and seq <= ${to}`;

export async function readRows(read: Read, from: number, to: number): Promise<RowHashes> {
  const [row] = await read.query<RowHashes>(rowsOf({ ...read.scope, from, to }));
  return row as RowHashes;
}

/** In one round trip. */
export async function findRows(db: Database, spans: readonly Span[]): Promise<readonly RowHashes[]> {
  const found = await db.read('latest', spans.map(rowsOf));
  return found.map(([row]) => row as unknown as RowHashes);
}

/** Chains whose tree does not cover all rows, or is signed with another key, in order, after that one. */
export async function listBehind(
  db: Database,
  keyId: string,
  after: Scope | undefined,
  limit: number,
): Promise<Scope[]> {
  const rest = after
    ? sql`and (h.tenant_id, h.environment) > (${after.tenantId}::uuid, ${after.environment}::text)`
    : sql``;
  const rows = await db.query<{ tenant_id: string; environment: Environment }>(
    sql.query`select h.tenant_id, h.environment
      from audit_heads h left join audit_trees t on t.tenant_id = h.tenant_id and t.environment = h.environment
      where (h.seq > coalesce(t.size, 0) or t.key_id <> ${keyId}) ${rest} order by h.tenant_id, h.environment limit ${limit}`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment }));
}

/** Nodes of a tile, from the position `start` on. */
export interface TileNodes {
  readonly level: number;
  readonly number: number;
  readonly start: number;
  /** In hex, next to each other. */
  readonly hashes: string;
}

/** Adds nodes to a tile, without those that it already has: the same rows always make the same nodes. */
export async function addNodes(
  w: TreeWrite,
  { tenantId, environment }: Scope,
  { level, number, start, hashes }: TileNodes,
): Promise<void> {
  const first = start * 64;
  await w.mutate(sql.mutation`insert into audit_tree_tiles as t (tenant_id, environment, level, number, hashes)
    values (${tenantId}, ${environment}, ${level}, ${number}, ${hashes})
    on conflict (tenant_id, environment, level, number) do update
      set hashes = t.hashes || substr(excluded.hashes, length(t.hashes) - ${first}::integer + 1)
      where length(t.hashes) >= ${first}::integer
        and length(t.hashes) < ${first}::integer + length(excluded.hashes)`);
}

export interface TileRow {
  level: number;
  number: number;
  hashes: string;
}

export function findTiles(
  read: Read,
  tiles: readonly Pick<TileNodes, 'level' | 'number'>[],
): Promise<TileRow[]> {
  if (tiles.length === 0) return Promise.resolve([]);
  const levels = tiles.map(({ level }) => level);
  const numbers = tiles.map(({ number }) => number);
  // `offset 0` has the index find each tile. Without it, PostgreSQL may read all tiles of the chain.
  return read.query<TileRow>(sql.query`select tile.level, tile.number, tile.hashes
    from unnest(${levels}::smallint[], ${numbers}::bigint[]) as wanted (level, number),
      lateral (select level, number, hashes from audit_tree_tiles
        where ${within(read.scope)} and level = wanted.level and number = wanted.number offset 0) as tile`);
}

/** Replaces the tree of `size` rows, or inserts the first. False if another node was faster. */
export async function replaceTree(
  w: TreeWrite,
  { tenantId, environment }: Scope,
  size: number,
  next: TreeRow,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`insert into audit_trees as t (tenant_id, environment, ${TREE})
    values (${tenantId}, ${environment}, ${next.size}, ${next.root}, ${next.hash}, ${next.edge}, ${next.signed_at},
      ${next.key_id}, ${next.signature})
    on conflict (tenant_id, environment) do update set size = excluded.size, root = excluded.root, hash = excluded.hash,
      edge = excluded.edge, signed_at = excluded.signed_at, key_id = excluded.key_id, signature = excluded.signature
    where t.size = ${size}
    returning 1 as done`);
  return rows.length > 0;
}
