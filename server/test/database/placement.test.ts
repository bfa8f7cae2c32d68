import { describe, expect, it } from 'vitest';
import { isSpread, placeTable } from '../../src/db/citus/placement.js';
import { planSpread } from '../../src/db/citus/plan.js';
import { EXPECTED_VALUES, setExpectedValues } from '../../src/db/citus/planner-settings.js';
import { sql } from '../../src/db/sql.js';
import { type Placement, TABLES, tablesPlaced } from '../../src/db/tables.js';
import { databaseKind, freshDatabase, sharedDatabase } from '../support/database.js';

const distributed = tablesPlaced('tenant');
const reference = tablesPlaced('everywhere');

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
  it('places every table, and only existing ones', async () => {
    const { db } = await sharedDatabase();
    const tables = await db.query<{ name: string }>(
      sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    expect(Object.keys(TABLES).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it.runIf(databaseKind === 'citus')(
    'is where Citus says it is, with its foreign keys and triggers',
    async () => {
      const { db } = await sharedDatabase();
      expect(await isSpread(db)).toBe(true);
      const tables = await db.query<{
        name: string;
        placement: Placement;
      }>(sql`select logicalrelid::text as name,
      case when partmethod = 'h' then 'tenant' when repmodel = 't' then 'everywhere' end as placement from pg_dist_partition`);
      expect(Object.fromEntries(tables.map(({ name, placement }) => [name, placement]))).toEqual(
        Object.fromEntries(Object.entries(TABLES).map(([name, { placement }]) => [name, placement])),
      );
      const [groups] = await db.query<{ n: number }>(
        sql`select count(distinct colocationid) as n from pg_dist_partition where partmethod = 'h'`,
      );
      expect(groups?.n).toBe(1);
    },
  );

  it.runIf(databaseKind !== 'citus')('has the planner settings that the parts of tables get', async () => {
    const { db } = await sharedDatabase();
    const rows = await db.query<{ table: string; column: string; expected: number }>(sql`select
        attrelid::regclass::text as table, attname as column, substring(option from 'n_distinct=(.*)')::integer as expected
      from pg_attribute, unnest(attoptions) as option where option like 'n_distinct=%'`);
    const settings: Record<string, Record<string, number>> = {};
    for (const { table, column, expected } of rows)
      settings[table] = { ...settings[table], [column]: expected };
    expect(settings).toEqual(EXPECTED_VALUES);
  });

  it.runIf(databaseKind === 'citus')('has them on every part, also on one that was moved', async () => {
    const { db } = await freshDatabase();
    try {
      expect(await setExpectedValues(db)).toEqual(Object.keys(EXPECTED_VALUES));
      expect(await setExpectedValues(db)).toEqual([]);
      await db.query(sql`select citus_move_shard_placement(shardid, nodeid,
          (select nodeid from pg_dist_node where groupid <> 0 and nodeid <> placed.nodeid limit 1), 'block_writes')
        from (select shardid, nodeid from pg_dist_placement p join pg_dist_shard s using (shardid) join pg_dist_node n using (groupid)
          where s.logicalrelid = 'devices'::regclass order by shardid limit 1) as placed`);
      expect(await setExpectedValues(db)).toEqual(Object.keys(EXPECTED_VALUES));
    } finally {
      await db.close();
    }
  });

  it.runIf(databaseKind !== 'citus')(
    'is planned with every foreign key and trigger that it removes made again',
    async () => {
      const { db } = await sharedDatabase();
      const plan = await planSpread(db);
      for (const [table, { placement }] of Object.entries(TABLES))
        expect(plan).toContain(placeTable(table, placement));
      const count = (pattern: RegExp) => plan.filter((statement) => pattern.test(statement)).length;
      expect(count(/ drop constraint /)).toBeGreaterThan(0);
      expect(count(/ add constraint /)).toBe(count(/ drop constraint /));
      expect(count(/^CREATE TRIGGER /)).toBe(count(/^drop trigger /));
    },
  );

  it('starts the key of every distributed table with the tenant; no other unique key is without it', async () => {
    const keys = await uniqueKeys();
    for (const table of distributed) {
      const primary = keys.find(({ name }) => name === `${table}_pkey`);
      expect(primary?.columns[0], table).toBe('tenant_id');
    }
    const without = keys.filter(
      ({ table, columns }) => distributed.includes(table) && !columns.includes('tenant_id'),
    );
    expect(without).toEqual([]);
  });

  it('of the tables with a tenant, replicates only those read before the tenant is known', async () => {
    const { db } = await sharedDatabase();
    const rows = await db.query<{ name: string }>(sql`select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
    const withTenant = rows.map(({ name }) => name);
    const replicated = [
      'api_keys',
      'members',
      'one_time_codes',
      'passkeys',
      'password_resets',
      'webauthn_challenges',
    ];
    expect(withTenant.filter((name) => !distributed.includes(name)).sort()).toEqual(replicated);
    const keys = await uniqueKeys();
    for (const table of replicated)
      expect(
        keys.some((key) => key.table === table && !key.columns.includes('tenant_id')),
        table,
      ).toBe(true);
  });

  it('has foreign keys only to reference tables, or between distributed tables with the tenant', async () => {
    const { db } = await sharedDatabase();
    const references = await db.query<{ from: string; to: string; text: string }>(sql`select
        k.conrelid::regclass::text as from, k.confrelid::regclass::text as to, pg_get_constraintdef(k.oid) as text
      from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and k.conrelid::regclass::text = any(${Object.keys(TABLES)})
        and k.confrelid::regclass::text = any(${Object.keys(TABLES)})`);
    expect(references.length).toBeGreaterThan(0);
    for (const { from, to, text } of references) {
      if (reference.includes(to)) continue;
      expect([distributed.includes(from), distributed.includes(to)], text).toEqual([true, true]);
      expect(text).toMatch(/FOREIGN KEY \(tenant_id, .*REFERENCES \w+\(tenant_id, /);
    }
  });
});
