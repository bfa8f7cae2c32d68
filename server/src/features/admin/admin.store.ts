import { PART, queryMachines, queryParts } from '../../db/citus/all-machines.js';
import type { Database } from '../../db/db.js';
import { type Query, raw, type Sql, sql } from '../../db/sql.js';

/** A column from the catalog, in any schema. */
export interface ColumnRow {
  /** Schema and table, quoted if necessary. */
  table: string;
  column: string;
  /** The column's name, quoted if necessary. */
  quoted: string;
  type: string;
  /** A table that stores rows, not a view. */
  stored: boolean;
  /** Its rows are in parts on the machines of the database. */
  spread: boolean;
}

/** On a database that is spread, without the parts of tables: their columns are those of the table. */
const columnsIn = (
  spread: boolean,
): Query => sql.query`select format('%I.%I', n.nspname, c.relname) as "table",
      a.attname as "column", quote_ident(a.attname) as quoted, format_type(a.atttypid, null) as type,
      c.relkind = 'r' as stored,
      ${spread ? sql`exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)` : sql`false`} as spread
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
      and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and ${spread ? sql`not relation_is_a_known_shard(c.oid)` : sql`true`}
    order by 1, a.attnum`;

export const listColumns = (db: Database): Promise<ColumnRow[]> =>
  db.query<ColumnRow>(columnsIn(db.isSpread));

/** The columns of all machines. A column that several have is listed once. */
export async function listColumnsOfMachines(db: Database): Promise<ColumnRow[]> {
  const columns = await queryMachines<ColumnRow>(db, columnsIn(true));
  return [...new Map(columns.map((column) => [JSON.stringify(column), column])).values()];
}

export async function listMigrations(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql.query`select name from schema_migrations`);
  return rows.map(({ name }) => name);
}

/** Large objects are stored outside of tables. */
export async function countLargeObjects(db: Database): Promise<number> {
  const query = sql.query`select count(*) as n from pg_largeobject_metadata`;
  const counts = db.isSpread
    ? await queryMachines<{ n: number }>(db, query)
    : await db.query<{ n: number }>(query);
  return sumOf(counts);
}

const sumOf = (counts: readonly { n: number }[]) => counts.reduce((sum, { n }) => sum + n, 0);

const PAGES_SAMPLED = 64;

/** The rows of a table's last pages, which are usually the newest. The cost does not depend on the size of the table. */
const lastPages = (table: string): Sql =>
  sql`ctid >= (select ('(' || greatest(0, pg_relation_size(${table}::text::regclass) / current_setting('block_size')::bigint
      - ${PAGES_SAMPLED}) || ',0)')::tid)`;

/** Runs a query on the column's table, or on each of its parts. */
const querySample = <R extends object>(
  db: Database,
  { table, spread }: ColumnRow,
  queryOf: (table: string) => Query,
): Promise<R[]> => (spread ? queryParts<R>(db, table, queryOf(PART)) : db.query<R>(queryOf(table)));

/** Names of object fields at any depth of a JSON column, in its last pages. The names are quoted by the catalog. */
export async function sampleFieldNames(db: Database, column: ColumnRow): Promise<string[]> {
  const quoted = raw(column.quoted);
  const rows = await querySample<{ name: string }>(
    db,
    column,
    (table) =>
      sql.query`select distinct jsonb_path_query(${quoted}::jsonb, '$.** ? (@.type() == "object").keyvalue().key') #>> '{}' as name
    from ${raw(table)} where ${lastPages(table)} and ${quoted} is not null limit 10000`,
  );
  return [...new Set(rows.map(({ name }) => name))];
}

/** Counts rows in the last pages with a value of another form. */
export async function countOtherForms(db: Database, column: ColumnRow, pattern: string): Promise<number> {
  const quoted = raw(column.quoted);
  return sumOf(
    await querySample<{ n: number }>(
      db,
      column,
      (table) => sql.query`select count(*) as n from ${raw(table)}
    where ${lastPages(table)} and ${quoted} is not null and ${quoted}::text !~ ${pattern}`,
    ),
  );
}

export interface Rejections {
  update: boolean;
  delete: boolean;
  truncate: boolean;
}

// Bits of pg_trigger.tgtype: 1 each row, 2 before, 8 delete, 16 update, 32 truncate.
const rejectionsOf = (table: string): Query => sql.query`select
      coalesce(bool_or(g.tgtype & 19 = 19), false) as "update",
      coalesce(bool_or(g.tgtype & 11 = 11), false) as "delete",
      coalesce(bool_or(g.tgtype & 34 = 34), false) as "truncate"
    from pg_trigger g join pg_proc p on p.oid = g.tgfoid
    where g.tgrelid = to_regclass(${table}) and not g.tgisinternal and g.tgenabled in ('O', 'A')
      and g.tgqual is null and g.tgattr::text = '' and p.prosrc ilike '%raise exception%'`;

/** The changes that triggers on a table reject: only BEFORE triggers that fire and raise an error. */
export async function listRefusals(db: Database, table: string): Promise<Rejections> {
  if (!db.isSpread) return (await db.query<Rejections>(rejectionsOf(table)))[0] as Rejections;
  const tables = await queryMachines<Rejections>(db, rejectionsOf(table));
  // TRUNCATE names the table, so its trigger is only there. Updates and deletes are run on the parts.
  const parts = await queryParts<Rejections>(db, table, rejectionsOf(PART));
  return {
    update: [...tables, ...parts].every((refused) => refused.update),
    delete: [...tables, ...parts].every((refused) => refused.delete),
    truncate: tables.every(({ truncate }) => truncate),
  };
}

export async function countLeadsBefore(db: Database, before: Date): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql.query`select count(*) as n from leads where created_at < ${before}`,
  );
  return row?.n ?? 0;
}
