import type { Database } from './db.js';
import { PLACEMENTS, placeTable } from './placement.js';
import { sql } from './sql.js';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Foreign keys between two tables that are placed by tenant. */
async function listTenantKeys(db: Database): Promise<ForeignKey[]> {
  const tables = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table] === 'tenant');
  return db.query<ForeignKey>(sql.query`select conrelid::regclass::text as "table", quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      and conrelid::regclass::text = any(${tables}) and confrelid::regclass::text = any(${tables}) order by 1, 2`);
}

/**
 * The statements that spread a database over the machines of its Citus cluster, to be run in one transaction. Citus refuses
 * to place two tables with a foreign key between them one after the other, so these keys are dropped and added again.
 */
export async function planSpread(db: Database): Promise<string[]> {
  const keys = await listTenantKeys(db);
  return [
    "set local citus.multi_shard_modify_mode to 'sequential'",
    // Ours only count within their tenant or reject changes, which is safe on each machine.
    'set local citus.enable_unsafe_triggers to on',
    ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...Object.entries(PLACEMENTS).map(([table, placement]) => placeTable(table, placement)),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}
