import { planSpread } from '../db/citus/plan.js';
import { setExpectedValues } from '../db/citus/planner-settings.js';
import type { Database, RawDatabase } from '../db/db.js';
import { MIGRATION_LOCK } from '../db/migrate.js';
import { APPLICATION } from '../db/pg.js';
import { sql } from '../db/sql.js';
import { type Placement, TABLES, tablesPlaced } from '../db/tables.js';

/** Why a database cannot be spread, and what to do about it. */
export class NotSpreadableError extends Error {
  override readonly name = 'NotSpreadableError';
}

interface Cluster {
  /** `host:port` of each worker. */
  readonly workers: readonly string[];
  /** How many parts a table has that is placed by tenant; 0 before the tables are placed. */
  readonly shards: number;
  /** What the placement of each table would have to be and is not. */
  readonly unplaced: readonly string[];
}

/** @throws NotSpreadableError if this is not the coordinator of a cluster with workers */
async function readCluster(db: Database): Promise<Cluster> {
  if (db.kind === 'embedded')
    throw new NotSpreadableError('The embedded database is on one machine. Set DATABASE_URL.');
  const [catalog] = await db.query<{ there: boolean }>(
    sql.query`select to_regclass('pg_catalog.pg_dist_node') is not null as there`,
  );
  if (!catalog?.there)
    throw new NotSpreadableError(
      'This database has no Citus. Run `create extension citus` in it on every machine, then add the workers (docs/capacity.md).',
    );
  const [coordinator] = await db.query<{ here: boolean }>(
    sql.query`select groupid = 0 as here from pg_dist_local_group`,
  );
  if (!coordinator?.here)
    throw new NotSpreadableError(
      'DATABASE_URL is a worker of the cluster. Use the coordinator for this command.',
    );
  const workers = await db.query<{ address: string }>(sql.query`select nodename || ':' || nodeport as address
    from pg_dist_node where noderole = 'primary' and groupid <> 0 and isactive order by nodeid`);
  if (workers.length === 0)
    throw new NotSpreadableError(
      'The cluster has no workers. Run `select citus_set_coordinator_host(…)` and `select citus_add_node(…)` for each (docs/capacity.md).',
    );
  const tables = await db.query<{ name: string; placement: string; shards: number }>(sql.query`select
      p.logicalrelid::text as name, count(s.shardid) as shards,
      case when p.partmethod = 'h' then 'tenant' when p.repmodel = 't' then 'everywhere' else 'coordinator' end as placement
    from pg_dist_partition p left join pg_dist_shard s using (logicalrelid) group by p.logicalrelid, p.partmethod, p.repmodel`);
  const placed = new Map(tables.map((table) => [table.name, table]));
  return {
    workers: workers.map(({ address }) => address),
    shards: placed.get('audit_heads')?.shards ?? 0,
    unplaced: Object.entries(TABLES)
      .filter(([table, { placement }]) => placed.get(table)?.placement !== placement)
      .map(([table]) => table),
  };
}

export interface SpreadReport {
  readonly workers: readonly string[];
  readonly shards: number;
  readonly tables: { readonly tenant: number; readonly everywhere: number };
}

const report = ({ workers, shards }: Cluster): SpreadReport => {
  const count = (placement: Placement) => tablesPlaced(placement).length;
  return { workers, shards, tables: { tenant: count('tenant'), everywhere: count('everywhere') } };
};

/** The statements that spread this database; none if it is spread already. */
export async function planScale(
  db: Database,
): Promise<SpreadReport & { readonly statements: readonly string[] }> {
  const cluster = await readCluster(db);
  const statements = cluster.unplaced.length === 0 ? [] : ['begin', ...(await planSpread(db)), 'commit'];
  return { ...report(cluster), statements };
}

/**
 * Spreads the database, in one transaction. Nodes that start during it wait. Does nothing if it is spread already.
 * @throws NotSpreadableError also if nodes are connected, because they would go on as if it were on one machine
 */
export async function applyScale(db: RawDatabase): Promise<SpreadReport & { readonly applied: boolean }> {
  const before = await readCluster(db);
  if (before.unplaced.length === 0) return { ...report(before), applied: false };
  if (before.shards > 0)
    throw new NotSpreadableError(
      `The cluster is spread, but not these tables: ${before.unplaced.join(', ')}. Run \`svc migrate\`.`,
    );
  const nodes = await db.query(sql.query`select 1 from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION} limit 1`);
  if (nodes.length > 0)
    throw new NotSpreadableError(
      'Nodes are connected to this database. Stop all of them, apply, and start them again.',
    );
  await db.script([`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, ...(await planSpread(db))].join(';\n'));
  await setExpectedValues(db);
  const after = await readCluster(db);
  if (after.unplaced.length > 0) throw new Error(`Not placed: ${after.unplaced.join(', ')}`);
  return { ...report(after), applied: true };
}
