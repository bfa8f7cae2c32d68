import { DELETED_TABLES } from '../../src/db/account-rows.js';
import type { RawDatabase } from '../../src/db/db.js';

/** Stands in every column that can hold a text. */
export const CANARY = 'canary';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

const run = <R extends object>(db: RawDatabase, text: string, values: unknown[] = []) =>
  db.query<R>({ text, values });

async function columnsOf(db: RawDatabase): Promise<Column[]> {
  return run<Column>(
    db,
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
        and a.attidentity = '' order by 1, a.attnum`,
  );
}

/** The tables that have rows of accounts, as the database has them. */
export async function tablesOfAccounts(db: RawDatabase): Promise<string[]> {
  const columns = await columnsOf(db);
  return columns.filter(({ column }) => column === 'tenant_id').map(({ table }) => table);
}

/** Lets columns have values of any form. Only for a database of its own. */
export async function dropChecks(db: RawDatabase): Promise<void> {
  const checks = await run<{ table: string; name: string }>(
    db,
    `select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of checks) await db.script(`alter table ${table} drop constraint ${name}`);
}

const id = '00000000-0000-4000-8000-00000000cafe';

function canaryOf({ table, column, type }: Column, tenantId: string, environment: string): unknown {
  const text = `${CANARY} ${table}.${column} ${environment}`;
  if (column === 'tenant_id') return tenantId;
  if (column === 'environment') return environment;
  if (type === 'uuid') return id;
  if (type === 'uuid[]') return [id];
  if (type === 'text') return table === 'usage_months' && column === 'month' ? `${text} ${tenantId}` : text;
  if (type === 'text[]') return [text];
  if (type.startsWith('json')) return JSON.stringify({ [text]: text });
  if (type === 'boolean') return true;
  if (type.startsWith('timestamp')) return new Date('2026-01-02T03:04:05Z');
  return 1;
}

/** A row in every table that has rows of accounts, with a canary in every text. */
export async function insertCanaries(db: RawDatabase, tenantId: string): Promise<void> {
  const columns = await columnsOf(db);
  const tables = ['anchor_leaves', ...[...DELETED_TABLES].reverse()];
  for (const table of tables) {
    const own = columns.filter((each) => each.table === table);
    const names = own.map(({ column }) => column);
    const environments = names.includes('environment') ? ['live', 'test'] : ['live'];
    for (const environment of environments) {
      const values = own.map((column) => canaryOf(column, tenantId, environment));
      const places = names.map((_, at) => `$${at + 1}`);
      await run(
        db,
        `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) on conflict do nothing`,
        values,
      );
    }
  }
}

/** Every row of the database that has this text anywhere, with its table. */
export async function findText(db: RawDatabase, text: string): Promise<string[]> {
  const tables = new Set((await columnsOf(db)).map(({ table }) => table));
  const found: string[] = [];
  for (const table of tables) {
    const rows = await run<{ row: string }>(
      db,
      `select t::text as row from ${table} t where t::text ilike $1`,
      [`%${text}%`],
    );
    found.push(...rows.map(({ row }) => `${table}: ${row}`));
  }
  return found;
}
