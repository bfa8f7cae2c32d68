import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';

const page = readFileSync(new URL('../../../docs/capacity.md', import.meta.url), 'utf8');
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name as string).sort();
const distributed = all(/create_distributed_table\('(\w+)', 'tenant_id'\)/g);
const reference = all(/create_reference_table\('(\w+)'\)/g);
const local = all(/^-- stays on the coordinator: (\w+)$/gm);
const dropped = all(/drop constraint (\w+);/g);

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: string[];
}

async function uniqueKeys(): Promise<Key[]> {
  const { db } = await sharedDatabase();
  return db.query<Key & object>(sql`select t.relname as table, c.relname as name,
      (select json_agg(a.attname order by k.at) from unnest(i.indkey) with ordinality k(number, at)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
    where i.indisunique and t.relnamespace = 'public'::regnamespace`);
}

describe('the schema on a distributed PostgreSQL', () => {
  it('places every table, and only existing ones, in docs/capacity.md', async () => {
    const { db } = await sharedDatabase();
    const tables = await db.query<{ name: string }>(
      sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    expect([...distributed, ...reference, ...local].sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('starts the key of every distributed table with the tenant; constraints without it are listed as dropped', async () => {
    const keys = await uniqueKeys();
    for (const table of distributed) {
      const primary = keys.find(({ name }) => name === `${table}_pkey`);
      expect(primary?.columns[0], table).toBe('tenant_id');
    }
    const without = keys.filter(
      ({ table, columns }) => distributed.includes(table) && !columns.includes('tenant_id'),
    );
    expect(without.map(({ name }) => name).sort()).toEqual(dropped);
  });

  it('of the tables with a tenant, replicates only those read before the tenant is known', async () => {
    const { db } = await sharedDatabase();
    const rows = await db.query<{ name: string }>(sql`select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
    const withTenant = rows.map(({ name }) => name);
    expect(withTenant.filter((name) => !distributed.includes(name)).sort()).toEqual([
      'api_keys',
      'one_time_codes',
    ]);
    const keys = await uniqueKeys();
    for (const table of ['api_keys', 'one_time_codes'])
      expect(
        keys.some((key) => key.table === table && !key.columns.includes('tenant_id')),
        table,
      ).toBe(true);
  });

  it('has foreign keys only to reference tables, or between distributed tables with the tenant', async () => {
    const { db } = await sharedDatabase();
    const references = await db.query<{ from: string; to: string; text: string }>(sql`select
        k.conrelid::regclass::text as from, k.confrelid::regclass::text as to, pg_get_constraintdef(k.oid) as text
      from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`);
    expect(references.length).toBeGreaterThan(0);
    for (const { from, to, text } of references) {
      if (reference.includes(to)) continue;
      expect([distributed.includes(from), distributed.includes(to)], text).toEqual([true, true]);
      expect(text).toMatch(/FOREIGN KEY \(tenant_id, .*REFERENCES \w+\(tenant_id, /);
    }
  });
});
