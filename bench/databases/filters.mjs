// What PostgreSQL reads for a page of each list, with every combination of filters, as the history grows from ten thousand rows to
// BENCH_ROWS (a million by default), and what the indexes cost a write. Needs a build. Creates its own databases and drops them.
import pg from 'pg';
import { migrate, readMigrations } from '../../server/dist/db/migrate.js';
import { openPostgres } from '../../server/dist/db/pg.js';
import { selectAttendance } from '../../server/dist/features/attendance/attendance.store.js';
import { selectDevices } from '../../server/dist/features/devices/devices.store.js';
import { selectUsers } from '../../server/dist/features/users/users.store.js';
import { selectVerifications } from '../../server/dist/features/verifications/verifications.store.js';
import { median, size, withPostgres } from '../harness.mjs';
import { withDatabase } from '../servers.mjs';
import { casesOf, fill, insertVerifications, measure } from './filter-plans.mjs';

const ROWS = size('ROWS', 1_000_000);
const FEW_ROWS = 10_000;
const INSERTED = 20_000;
const stores = {
  users: selectUsers,
  devices: selectDevices,
  verifications: selectVerifications,
  attendance: selectAttendance,
};

/** Runs the work in a new migrated database. */
const withMigrated = (postgres, rows, work) =>
  withDatabase(postgres, `filters_${rows}`, async (databaseUrl) => {
    const db = openPostgres({ url: databaseUrl, connections: 1 });
    await migrate(db, await readMigrations(new URL('../../server/migrations/', import.meta.url)));
    await db.close();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  });

/** For each list, the most that any combination of filters reads, and how long it takes. */
async function measureAll(client, rows) {
  const measured = Object.fromEntries(Object.keys(stores).map((list) => [list, []]));
  for (const of of casesOf(rows, { mixed: true })) {
    // The first run reads pages from disk.
    await measure(client, stores, of);
    for (const plan of await measure(client, stores, of)) {
      if (plan.scans.join() !== of.index)
        throw new Error(`${JSON.stringify(of)} reads ${plan.scans.join()} (${plan.mode})`);
      measured[of.list].push(plan);
    }
  }
  return measured;
}

/** Microseconds per row, in one statement, so that only the table and its indexes count. */
async function timeWrites(client, after = ROWS) {
  const started = performance.now();
  await insertVerifications(client, after + 1, after + INSERTED);
  return ((performance.now() - started) * 1_000) / INSERTED;
}

const largest = (plans, of) => Math.max(...plans.map(of));

await withPostgres(async (postgres) => {
  const results = [];
  let writes;
  for (const rows of [FEW_ROWS, ROWS]) {
    results.push(
      await withMigrated(postgres, rows, async (client) => {
        await fill(client, rows);
        await client.query('vacuum');
        const measured = await measureAll(client, rows);
        if (rows === ROWS) {
          const indexed = await timeWrites(client);
          const { rows: added } = await client.query(
            `select indexname as name from pg_indexes where tablename = 'verifications' and indexname not like '%_pkey'`,
          );
          for (const { name } of added) await client.query(`drop index ${name}`);
          writes = { indexed, bare: await timeWrites(client, ROWS + INSERTED) };
        }
        return { rows, measured };
      }),
    );
  }
  console.log(
    'A page of 50, every combination of filters, two pages and two plans each; nearly all rows are alike',
  );
  console.table(
    results.flatMap(({ rows, measured }) =>
      Object.entries(measured).map(([list, plans]) => ({
        list,
        'rows in it': rows,
        plans: plans.length,
        'most rows read': largest(plans, (plan) => plan.rows),
        'most buffers': largest(plans, (plan) => plan.buffers),
        'median ms': median(plans.map((plan) => plan.ms)).toFixed(2),
        'longest ms': largest(plans, (plan) => plan.ms).toFixed(1),
      })),
    ),
  );
  console.log(
    `Inserting a verification into ${ROWS}: ${writes.indexed.toFixed(1)} µs, ${writes.bare.toFixed(1)} without the indexes`,
  );
});
process.exit(0);
