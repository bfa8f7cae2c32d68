// @module-tag ci: nodes that migrate at the same time
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, migrationsFolder } from '../../test/support/database.js';
import type { RawDatabase } from './db.js';
import { type Migration, migrate, readMigrations } from './migrate.js';
import { openPostgres } from './pg.js';
import { SPLIT_MIGRATIONS } from './split-migrations.js';
import { sql } from './sql.js';

const migration = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

describe('nodes that start together', () => {
  let db: RawDatabase;
  let url: string | undefined;
  let nodes: RawDatabase[];

  beforeAll(async () => {
    const made = await emptyDatabase();
    db = made.db;
    url = made.url;
    nodes = Array.from({ length: 4 }, () => openPostgres({ url: made.url as string, connections: 2 }));
  });
  afterAll(() => Promise.all([db, ...nodes].map((node) => node.close())));

  it('migrate an empty database once, while the others wait', async () => {
    const slow = migration('9998_slow', 'select pg_sleep(0.05); create table slow (id integer)');
    const all = [...(await readMigrations(migrationsFolder)), slow];
    const done = await Promise.all(nodes.map((node) => migrate(node, all)));
    expect(done.flat().sort()).toEqual(all.map(({ name }) => name).sort());
    const rows = await db.query(sql`select name from schema_migrations`);
    expect(rows).toHaveLength(all.length + SPLIT_MIGRATIONS.length);
  });

  it('wait for a migration that takes longer than the statement timeout of requests', async () => {
    const impatient = Array.from({ length: 2 }, () =>
      openPostgres({ url: url as string, connections: 1, timeoutMs: 900 }),
    );
    const long = migration('9999_long', 'select pg_sleep(2); create table long (id integer)');
    const pause = () => expect.unreachable('a node that waits for another is not retried');
    const done = await Promise.all(impatient.map((node) => migrate(node, [long], { pause })));
    expect(done.flat()).toEqual([long.name]);
    await Promise.all(impatient.map((node) => node.close()));
  });

  it('give way to a transaction that uses the table, and change it afterwards', async () => {
    await db.script('create table busy (id integer)');
    const reader = await db.begin();
    await reader.send([sql`select 1 from busy`]);
    const pauses: number[] = [];
    const change = migration('9999_busy', 'alter table busy add column name text');
    const applied = await migrate(db, [change], {
      async pause(ms) {
        pauses.push(ms);
        // Nothing waits behind the migration now.
        await db.query(sql`insert into busy values (1)`);
        await reader.rollback();
      },
    });
    expect(applied).toEqual([change.name]);
    expect(pauses).toEqual([100]);
  });
});
