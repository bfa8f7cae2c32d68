import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createLog } from '../../src/base/telemetry/log.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { schemaText } from '../../src/db/schema-text.js';
import { sql } from '../../src/db/sql.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';
import { startLoad } from './load.js';

const schema = readFileSync(new URL('04aabf1/schema.sql', import.meta.url), 'utf8');

/** Upgrades a database of 04aabf1 while nodes of that version use it. Returns how often a migration was retried. */
export async function upgradeUnderLoad(seed: number): Promise<number> {
  const { db, url } = await emptyDatabase();
  await db.script(schema);
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const load = await startLoad(url as string, seed);
  try {
    await load.more(100);
    await migrate(db, await readMigrations(migrationsFolder), { log });
    await load.more(100);
  } finally {
    await load.stop();
  }
  expect(load.errors).toEqual([]);
  expect(lines.filter((line) => line.includes('40P01'))).toEqual([]);
  for (const table of [sql`devices`, sql`tenant_users`, sql`verifications`, sql`attendance`]) {
    const [row] = await db.query<{
      rows: number;
      counted: number;
    }>(sql`select (select count(*) from ${table}) as rows,
      (select coalesce(sum(records), 0)::bigint from record_counts where kind = ${table.text})
        + (select coalesce(sum(change), 0)::bigint from record_count_changes where kind = ${table.text}) as counted`);
    expect(row?.counted, table.text).toBe(row?.rows);
  }
  const contract = readFileSync(new URL('../../../contract/schema.sql', import.meta.url), 'utf8');
  expect(contract.endsWith(await schemaText(db))).toBe(true);
  await db.close();
  return lines.length;
}
