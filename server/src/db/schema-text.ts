import type { Database } from './db.js';
import { sql } from './sql.js';

interface Line {
  readonly object: string;
  readonly text: string;
}

/**
 * The live schema as text for reviews: tables with their columns, constraints, indexes and triggers, and functions. The
 * order is the same on every PostgreSQL.
 */
export async function schemaText(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(sql.query`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`);
  const columns =
    await db.query<Line>(sql.query`select c.relname as object, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  // From PostgreSQL 18 on, not-null constraints are also rows here. The columns already show them.
  const constraints = await db.query<Line>(sql.query`select c.relname as object,
      'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype <> 'n' order by 1, 2`);
  const indexes =
    await db.query<Line>(sql.query`select t.relname as object, pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by 1, 2`);
  const triggers = await db.query<Line>(sql.query`select c.relname as object, pg_get_triggerdef(g.oid) as text
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'public'::regnamespace and not g.tgisinternal order by 1, 2`);
  const functions = await db.query<{
    text: string;
  }>(sql.query`select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace order by p.proname`);

  const of = (lines: readonly Line[], name: string) =>
    lines.filter(({ object }) => object === name).map(({ text }) => text);
  const blocks = tables.map(({ name }) => {
    const body = [...of(columns, name), ...of(constraints, name)].map((line) => `  ${line}`).join(',\n');
    const rest = [...of(indexes, name), ...of(triggers, name)].map((line) => `${line};\n`).join('');
    return `create table ${name} (\n${body}\n);\n${rest}`;
  });
  return [...blocks, ...functions.map(({ text }) => `${text.trim()};\n`)].join('\n');
}
