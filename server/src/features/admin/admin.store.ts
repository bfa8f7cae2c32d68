import type { Database } from '../../db/db.js';
import { raw, sql } from '../../db/sql.js';

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
  pages: number;
}

export function listColumns(db: Database): Promise<ColumnRow[]> {
  return db.query<ColumnRow>(sql.query`select format('%I.%I', n.nspname, c.relname) as "table", a.attname as "column",
      quote_ident(a.attname) as quoted, format_type(a.atttypid, null) as type, c.relkind = 'r' as stored,
      case when c.relkind = 'r' then pg_relation_size(c.oid) / current_setting('block_size')::bigint else 0 end as pages
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
      and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
    order by 1, a.attnum`);
}

/** Large objects are stored outside of tables. */
export async function countLargeObjects(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql.query`select count(*) as n from pg_largeobject_metadata`);
  return row?.n ?? 0;
}

const PAGES_SAMPLED = 64;

/** The rows of a table's last pages, which are usually the newest. The cost does not depend on the size of the table. */
const lastPages = ({ pages }: ColumnRow) => raw(`ctid >= '(${Math.max(0, pages - PAGES_SAMPLED)},0)'::tid`);

/** Names of object fields at any depth of a JSON column, in its last pages. The names are quoted by the catalog. */
export async function sampleFieldNames(db: Database, column: ColumnRow): Promise<string[]> {
  const quoted = raw(column.quoted);
  const rows = await db.query<{ name: string }>(
    sql.query`select distinct jsonb_path_query(${quoted}::jsonb, '$.** ? (@.type() == "object").keyvalue().key') #>> '{}' as name
    from ${raw(column.table)} where ${lastPages(column)} and ${quoted} is not null limit 10000`,
  );
  return rows.map(({ name }) => name);
}

/** Counts rows in the last pages with a value of another form. */
export async function countOtherForms(db: Database, column: ColumnRow, pattern: string): Promise<number> {
  const quoted = raw(column.quoted);
  const [row] = await db.query<{ n: number }>(sql.query`select count(*) as n from ${raw(column.table)}
    where ${lastPages(column)} and ${quoted} is not null and ${quoted}::text !~ ${pattern}`);
  return row?.n ?? 0;
}

/** The changes that triggers on a table reject: only BEFORE triggers that fire and raise an error. */
export async function listRefusals(
  db: Database,
  table: string,
): Promise<{ update: boolean; delete: boolean; truncate: boolean }> {
  // Bits of pg_trigger.tgtype: 1 each row, 2 before, 8 delete, 16 update, 32 truncate.
  const [row] = await db.query<{ update: boolean; delete: boolean; truncate: boolean }>(sql.query`select
      coalesce(bool_or(g.tgtype & 19 = 19), false) as "update",
      coalesce(bool_or(g.tgtype & 11 = 11), false) as "delete",
      coalesce(bool_or(g.tgtype & 34 = 34), false) as "truncate"
    from pg_trigger g join pg_proc p on p.oid = g.tgfoid
    where g.tgrelid = to_regclass(${table}) and not g.tgisinternal and g.tgenabled in ('O', 'A')
      and g.tgqual is null and g.tgattr::text = '' and p.prosrc ilike '%raise exception%'`);
  return row ?? { update: false, delete: false, truncate: false };
}

export async function countLeadsBefore(db: Database, before: Date): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql.query`select count(*) as n from leads where created_at < ${before}`,
  );
  return row?.n ?? 0;
}
