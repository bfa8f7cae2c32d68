import type { Database } from '../db.js';
import { sql } from '../sql.js';
import type { Placement } from '../tables.js';

/** What Citus needs to know in a transaction that places tables or changes placed ones. */
export const PLACING = [
  // A change of a table that others refer to is rejected after a change over parallel connections.
  "set local citus.multi_shard_modify_mode to 'sequential'",
  // Our triggers only count within their tenant or reject changes, which is safe on each machine.
  'set local citus.enable_unsafe_triggers to on',
];

/** The statement of Citus that places a table. The name comes from `TABLES` or from a migration, never from input. */
export const placeTable = (table: string, placement: Placement): string =>
  placement === 'tenant'
    ? `select create_distributed_table('${table}', 'tenant_id')`
    : `select create_reference_table('${table}')`;

/** The migrated database, which knows whether its tables are spread. */
export const withPlacement = async <D extends Database>(db: D): Promise<D> => ({
  ...db,
  isSpread: await isSpread(db),
});

/** Whether Citus spreads the tables of this database over several machines. */
export async function isSpread(db: Database): Promise<boolean> {
  // Only a database with Citus has the catalog, so look for it first.
  const [catalog] = await db.query<{ there: boolean }>(
    sql.query`select to_regclass('pg_catalog.pg_dist_partition') is not null as there`,
  );
  if (!catalog?.there) return false;
  const rows = await db.query(
    sql.query`select 1 from pg_dist_partition where logicalrelid = to_regclass('public.audit_heads')`,
  );
  return rows.length > 0;
}
