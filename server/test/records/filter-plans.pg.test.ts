// @module-tag ci: reads the plans of every combination of filters
// @module-tag not-on-citus: reads the plans of a plain PostgreSQL
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, casesOf, fill, measure } from '../../../bench/databases/filter-plans.mjs';
import type { RawDatabase } from '../../src/db/db.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { countAttendance, selectAttendance } from '../../src/features/attendance/attendance.store.js';
import { countDevices, selectDevices } from '../../src/features/devices/devices.store.js';
import { countUsers, selectUsers } from '../../src/features/users/users.store.js';
import {
  countVerifications,
  selectVerifications,
} from '../../src/features/verifications/verifications.store.js';
import { seqAt } from '../../src/ledger/read-events.js';
import type { Read } from '../../src/ledger/write.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';

const ROWS = 4_000;
/** A page and the row after it, plus EXPLAIN’s rounding for each of up to 21 ranges. */
const MAX_ROWS_READ = 51 + 21;
const stores = {
  users: selectUsers,
  devices: selectDevices,
  verifications: selectVerifications,
  attendance: selectAttendance,
};
const counts = {
  users: countUsers,
  devices: countDevices,
  verifications: countVerifications,
  attendance: countAttendance,
};
/** Of the people with an e-mail address, all are read. Only this test has many with one address. */
const isEmailInTime = ({ email, from, to }: Case['filter']) =>
  email !== undefined && (from !== undefined || to !== undefined);
/** The indexes alone: the planner may collect the rows of an index before it reads them. */
const withoutHeap = (scans: readonly string[]) => scans.filter((name) => !name.startsWith('Bitmap'));
let db: RawDatabase;
let client: pg.Client;

beforeAll(async () => {
  const empty = await emptyDatabase('postgres');
  db = empty.db;
  await migrate(db, await readMigrations(migrationsFolder));
  client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  await fill(client, ROWS);
  await client.query(`update verifications set reference_id = 'shift-' || right(id::text, 2)`);
  await client.query('analyze');
});
afterAll(async () => {
  await client.end();
  await db.close();
});

describe.each(Object.keys(stores))('listing %s', (list) => {
  const cases = casesOf(ROWS, { mixed: false }).filter((query) => query.list === list);
  const nameOf = ({ filter, before }: Case) => `${JSON.stringify(filter)} before ${before}`;

  it('reads one index and only matching rows, for every combination of filters', async () => {
    expect(cases.length).toBeGreaterThanOrEqual(2 * 2 * 2 * 2 ** 3);
    for (const query of cases) {
      for (const { mode, scans, rows } of await measure(client, stores, query)) {
        expect(scans, `${nameOf(query)}, ${mode}`).toEqual([query.index]);
        if (!isEmailInTime(query.filter))
          expect(rows, `${nameOf(query)}, ${mode}`).toBeLessThanOrEqual(MAX_ROWS_READ);
      }
    }
  });

  it('counts in an index and reads only matching rows, for every combination of filters', async () => {
    // Without a filter, the number of all records is known.
    const filtered = cases.filter(
      ({ filter, before }) =>
        Object.keys(filter).length > 1 && before === undefined && !isEmailInTime(filter),
    );
    // A table of this size is read as a whole, as that costs less than counting in an index.
    await client.query('set enable_seqscan = off');
    for (const query of filtered) {
      for (const { mode, scans, discarded } of await measure(client, counts, query)) {
        expect(scans, `${nameOf(query)}, ${mode}`).not.toContain('Seq Scan');
        expect(discarded, `${nameOf(query)}, ${mode}`).toBe(0);
      }
    }
    await client.query('reset enable_seqscan');
  });
});

describe('searching', () => {
  const PEOPLE = ['external_id', 'last_name', 'name', 'email'].map((name) => `tenant_users_${name}`);
  const DEVICES = ['devices_external_id', 'devices_name'];
  const ID = '00000000-0000-7000-8000-000000000001';

  it.each([
    // What nearly all rows have, what one has, what none has, and text with several spellings.
    ...['somebody', 'user-12', 'nobody', 'Élodie'].map((q) => ['users', { q }, PEOPLE] as const),
    ['users', { q: ID }, [...PEOPLE, 'tenant_users_pkey']],
    ['users', { q: 'somebody', status: 'inactive', from: '2026-01-01T00:00:00Z', sort: 'oldest' }, PEOPLE],
    ...['gate', 'device-12', 'none'].map((q) => ['devices', { q }, DEVICES] as const),
    ['devices', { q: ID }, [...DEVICES, 'devices_pkey']],
    ['devices', { q: 'gate', status: 'retired', to: '2026-01-01T00:00:00Z' }, DEVICES],
    ...['shift', 'shift-12', 'none'].map(
      (q) => ['verifications', { q }, ['verifications_reference']] as const,
    ),
    ['verifications', { q: 'shift', method: 'saml', userId: ID }, ['verifications_reference']],
    ['verifications', { q: ID }, ['verifications_reference', 'verifications_pkey']],
    ['attendance', { q: ID, type: 'check_in' }, ['attendance_pkey']],
    ['verifications', { reason: 'expired' }, ['verifications_reason']],
    ['verifications', { reason: 'expired', from: '2026-01-01T00:00:00Z' }, ['verifications_reason']],
  ] as const)('%s for %j reads the indexes of what it compares', async (list, filter, indexes) => {
    for (const of of [stores, counts])
      for (const { mode, scans } of await measure(client, of, { list, filter, before: undefined, index: '' }))
        expect(
          withoutHeap([...new Set(scans)]).sort(),
          `${mode}, ${of === counts ? 'count' : 'page'}`,
        ).toEqual([...indexes].sort());
  });
});

describe('the time range of the audit list', () => {
  beforeAll(async () => {
    const tenant = '00000000-0000-7000-8000-000000000001';
    const hash = (n: string) => `lpad(to_hex(${n}), 64, '0')`;
    await client.query(`
      insert into audit_events (tenant_id, environment, seq, id, actor_type, action, entity_type, status, summary, created_at,
          metadata, canonical, prev_hash, hash)
        select '${tenant}', 'live', n, gen_random_uuid(), 'system', 'device.updated', 'device', 'success', '',
          timestamptz '2026-01-01' + n / 2 * interval '1 second', '{}', '', ${hash('n')}, ${hash('n + 1')}
        from generate_series(1, ${ROWS}) as n;
      insert into audit_heads (tenant_id, environment, seq, hash, last_at, key_id, signature)
        values ('${tenant}', 'live', ${ROWS}, ${hash('1')}, now(), '', '');
      analyze`);
  });

  it('is found in a few steps, which read one event each', async () => {
    const find = (read: Read, filter: { time: string }) => seqAt(read, new Date(filter.time));
    for (const time of ['2025-01-01T00:00:00Z', '2026-01-01T00:10:00Z', '2027-01-01T00:00:00Z']) {
      const of = { list: 'audit', filter: { time }, before: undefined, index: '' };
      for (const { mode, scans, rows } of await measure(client, { audit: find }, of)) {
        // The only head is read without its index.
        expect(scans, `${time}, ${mode}`).toEqual(['Seq Scan', 'audit_events_pkey']);
        expect(rows, `${time}, ${mode}`).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(ROWS + 1)));
      }
    }
  });
});
