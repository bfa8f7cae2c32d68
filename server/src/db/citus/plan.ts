import type { Database } from '../db.js';
import { sql } from '../sql.js';
import { TABLES, tablesPlaced } from '../tables.js';
import { PLACING, placeTable } from './placement.js';

/** Something that must not be there while tables are placed: how it is removed, and how it is made again. */
interface Obstacle {
  readonly removal: string;
  readonly creation: string;
}

/**
 * Foreign keys between two tables that are placed by tenant: neither can be placed before the other. Checks that older rows
 * need not meet: Citus would check these rows. And triggers: they would count the rows again that are copied to their machines.
 */
async function listObstacles(db: Database): Promise<Obstacle[]> {
  const tables = tablesPlaced('tenant');
  const keys = await db.query<Obstacle>(sql.query`select
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as creation
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      and conrelid::regclass::text = any(${tables}) and confrelid::regclass::text = any(${tables}) order by 1`);
  const checks = await db.query<Obstacle>(sql.query`select
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as creation
    from pg_constraint where contype = 'c' and not convalidated and connamespace = 'public'::regnamespace order by 1`);
  const triggers = await db.query<Obstacle>(sql.query`select
      format('drop trigger %I on %s', tgname, tgrelid::regclass) as removal, pg_get_triggerdef(oid) as creation
    from pg_trigger where not tgisinternal and tgrelid::regclass::text = any(${tables}) order by 1`);
  return [...keys, ...checks, ...triggers];
}

/** The statements that spread a database over the machines of its Citus cluster, to be run in one transaction. */
export async function planSpread(db: Database): Promise<string[]> {
  const obstacles = await listObstacles(db);
  return [
    ...PLACING,
    ...obstacles.map(({ removal }) => removal),
    ...Object.entries(TABLES).map(([table, { placement }]) => placeTable(table, placement)),
    // The rows have been copied to their machines. This removes the originals, which nothing reads any more.
    ...Object.keys(TABLES).map((table) => `select truncate_local_data_after_distributing_table('${table}')`),
    ...obstacles.map(({ creation }) => creation),
  ];
}
