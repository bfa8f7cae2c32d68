import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, migrationsFolder } from '../../../test/support/database.js';
import type { Database } from './db.js';
import { type Migration, migrate, readMigrations } from './migrate.js';
import { openPostgres } from './pg.js';
import { sql } from './sql.js';

describe('nodes that start together', () => {
  let db: Database;
  let nodes: Database[];

  beforeAll(async () => {
    const made = await emptyDatabase();
    db = made.db;
    nodes = Array.from({ length: 4 }, () => openPostgres({ url: made.url as string, connections: 2 }));
  });
  afterAll(() => Promise.all([db, ...nodes].map((node) => node.close())));

  it('migrate an empty database once: one does it, the others wait', async () => {
    const text = 'select pg_sleep(0.05); create table slow (id integer)';
    const slow: Migration = {
      name: '9999_slow',
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    };
    const all = [...(await readMigrations(migrationsFolder)), slow];
    const done = await Promise.all(nodes.map((node) => migrate(node, all)));
    expect(done.flat().sort()).toEqual(all.map(({ name }) => name).sort());
    const rows = await db.query(sql`select name from schema_migrations`);
    expect(rows).toHaveLength(all.length);
  });
});
