import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, casesOf, fill, measure } from '../../../bench/filter-plans.mjs';
import type { RawDatabase } from '../../src/db/db.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { listAttendance } from '../../src/features/attendance/attendance.store.js';
import { listDevices } from '../../src/features/devices/devices.store.js';
import { listUsers } from '../../src/features/users/users.store.js';
import { listVerifications } from '../../src/features/verifications/verifications.store.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';

const ROWS = 4_000;
/** A page and the row after it, plus EXPLAIN’s rounding for each of up to 21 ranges. */
const MAX_ROWS_READ = 51 + 21;
const stores = {
  users: listUsers,
  devices: listDevices,
  verifications: listVerifications,
  attendance: listAttendance,
};
let db: RawDatabase;
let client: pg.Client;

beforeAll(async () => {
  const empty = await emptyDatabase('postgres');
  db = empty.db;
  await migrate(db, await readMigrations(migrationsFolder));
  client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  await fill(client, ROWS);
});
afterAll(async () => {
  await client.end();
  await db.close();
});

describe.each(Object.keys(stores))('listing %s', (list) => {
  const cases = casesOf(ROWS, { mixed: false }).filter((query) => query.list === list);
  const nameOf = ({ filter, before }: Case) => `${JSON.stringify(filter)} before ${before}`;

  it('reads one index and only matching rows, for every combination of filters', async () => {
    expect(cases.length).toBeGreaterThanOrEqual(2 * 2 * 2 ** 3);
    for (const query of cases) {
      for (const { mode, scans, rows } of await measure(client, stores, query)) {
        expect(scans, `${nameOf(query)}, ${mode}`).toEqual([query.index]);
        expect(rows, `${nameOf(query)}, ${mode}`).toBeLessThanOrEqual(MAX_ROWS_READ);
      }
    }
  });
});
