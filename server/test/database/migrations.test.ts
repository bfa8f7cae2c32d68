// @module-tag embedded-ci
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/base/telemetry/log.js';
import type { RawDatabase } from '../../src/db/db.js';
import { type Migration, MigrationMismatchError, migrate, readMigrations } from '../../src/db/migrate.js';
import { sql } from '../../src/db/sql.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';

let db: RawDatabase;
let at = 0;
/** Prefix of the names in the current test, so that all tests can share one database. */
let prefix = '';

beforeAll(async () => {
  ({ db } = await emptyDatabase());
});
afterAll(() => db.close());
beforeEach(() => {
  at += 1;
  prefix = `t${at}`;
});

const migration = (number: number, text: string): Migration => {
  const own = text.replaceAll('@', prefix);
  return {
    name: `${prefix}_000${number}`,
    text: own,
    checksum: createHash('sha256').update(own).digest('hex'),
  };
};
const exists = async (table: string) =>
  (await db.query(sql`select 1 from pg_class where relname = ${`${prefix}_${table}`}`)).length > 0;
const records = async () =>
  (
    await db.query<{ name: string }>(
      sql`select name from schema_migrations where name like ${`${prefix}%`} order by 1`,
    )
  ).map(({ name }) => name);

describe('migrate', () => {
  it('applies missing migrations in order, once', async () => {
    const first = migration(1, 'create table @_a (id integer)');
    const second = migration(
      2,
      "create table @_b (id integer); insert into @_b values (1); create function @_f() returns integer language sql as 'select 1'",
    );
    expect(await migrate(db, [first])).toEqual([first.name]);
    expect(await migrate(db, [first, second])).toEqual([second.name]);
    expect(await migrate(db, [first, second])).toEqual([]);
    expect(await exists('b')).toBe(true);
  });

  it('rejects a file that was changed after it was applied, and applies none of the later ones', async () => {
    await migrate(db, [migration(1, 'create table @_a (id integer)')]);
    const changed = migration(1, 'create table @_a (id bigint)');
    const next = migration(2, 'create table @_b (id integer)');
    await expect(migrate(db, [changed, next])).rejects.toThrow(MigrationMismatchError);
    await expect(migrate(db, [changed, next])).rejects.toThrow(`${prefix}_0001`);
    expect(await exists('b')).toBe(false);
  });

  it('rolls back a migration that fails, and keeps the earlier ones', async () => {
    const good = migration(1, 'create table @_a (id integer)');
    const bad = migration(
      2,
      'create table @_b (id integer); insert into @_b values (1); select * from @_nothing;',
    );
    await expect(migrate(db, [good, bad])).rejects.toMatchObject({ code: '42P01' });
    expect(await exists('a')).toBe(true);
    expect(await exists('b')).toBe(false);
    expect(await records()).toEqual([good.name]);
    const mended = migration(2, 'create table @_b (id integer)');
    expect(await migrate(db, [good, mended])).toEqual([mended.name]);
  });

  it.each([
    ['a deadlock', '40P01'],
    ['a lock that it did not get in time', '55P03'],
  ])('retries a migration after %s, with a line in the log', async (_, code) => {
    const text = `do $$ begin
      if to_regclass('@_ready') is null then raise exception using errcode = '${code}'; end if; end $$;
      create table @_a (id integer)`;
    const lines: string[] = [];
    const pauses: number[] = [];
    const applied = await migrate(db, [migration(1, text)], {
      log: createLog('warn', { write: (line) => void lines.push(line) }),
      async pause(ms) {
        pauses.push(ms);
        if (pauses.length === 3) await db.script(`create table ${prefix}_ready (id integer)`);
      },
    });
    expect(applied).toEqual([`${prefix}_0001`]);
    expect(pauses).toEqual([100, 200, 400]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      pauses.map((pauseMs) => ({
        level: 'warn',
        migration: `${prefix}_0001`,
        pauseMs,
        err: { cause: { code } },
      })),
    );
  });

  it('gives up after two minutes of pauses, and names the migration that got no lock', async () => {
    const never = migration(1, "do $$ begin raise exception using errcode = '55P03'; end $$");
    const pauses: number[] = [];
    const failed = migrate(db, [never], { pause: async (ms) => pauses.push(ms) });
    await expect(failed).rejects.toThrow(`${prefix}_0001 could not lock its table`);
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(120_000);
    expect(pauses.length).toBeLessThan(40);
    expect(await records()).toEqual([]);
  });

  it('ignores migrations applied by a newer node', async () => {
    const first = migration(1, 'create table @_a (id integer)');
    const newer = migration(2, 'alter table @_a add column later text');
    await migrate(db, [first, newer]);
    expect(await migrate(db, [first])).toEqual([]);
    expect(await records()).toEqual([first.name, newer.name]);
  });

  it('applies each migration once when several nodes migrate concurrently', async () => {
    const all = [
      migration(1, 'create table @_a (id integer)'),
      migration(2, 'create table @_b (id integer)'),
    ];
    const done = await Promise.all(Array.from({ length: 5 }, () => migrate(db, all)));
    expect(done.flat().sort()).toEqual(all.map(({ name }) => name));
  });
});

describe('the migrations of this service', () => {
  it('are read in order of their names, with their checksums', async () => {
    const read = await readMigrations(migrationsFolder);
    expect(read.length).toBeGreaterThan(0);
    expect(read.map(({ name }) => name)).toEqual(read.map(({ name }) => name).toSorted());
    for (const { name, text, checksum } of read) {
      expect(name).toMatch(/^\d{4}[a-z]?_[a-z0-9_]+$/);
      expect(checksum).toBe(createHash('sha256').update(text).digest('hex'));
      expect(text).not.toMatch(/^\s*(begin|commit|rollback)\s*;/im);
    }
    expect(new Set(read.map(({ name }) => name.split('_')[0])).size).toBe(read.length);
  });

  it('apply to an empty database, and a second run does nothing', async () => {
    const read = await readMigrations(migrationsFolder);
    expect(await migrate(db, read)).toEqual(read.map(({ name }) => name));
    expect(await migrate(db, read)).toEqual([]);
  });

  it('count existing records', { tags: ['ci'] }, async () => {
    const { db: old } = await emptyDatabase();
    const read = await readMigrations(migrationsFolder);
    await migrate(
      old,
      read.filter(({ name }) => name < '0012'),
    );
    await old.script(`
      insert into tenants (id, email, company_name, password_hash, plan, created_at)
        values ('00000000-0000-7000-8000-000000000001', 'a@example.com', 'A', '', 'free', now());
      insert into devices (tenant_id, environment, id, name, device_type, status, enrollment_state, created_at, updated_at)
        select '00000000-0000-7000-8000-000000000001', 'test', gen_random_uuid(), 'Door', 'kiosk', 'active', 'enrolled',
          now(), now() from generate_series(1, 3);
      insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
        select '00000000-0000-7000-8000-000000000001', 'live', gen_random_uuid(), 'manual',
          case n when 1 then 'fail' else 'pass' end, '2026-05-12T00:30:00Z'::timestamptz - (n = 1)::int * interval '1 hour', now()
        from generate_series(1, 5) as n`);
    await migrate(old, read);
    expect(await old.query(sql`select environment, kind, records from record_counts order by kind`)).toEqual([
      { environment: 'test', kind: 'devices', records: 3 },
      { environment: 'live', kind: 'verifications', records: 5 },
      { environment: 'live', kind: 'verifications 2026-05-11 fail', records: 1 },
      { environment: 'live', kind: 'verifications 2026-05-12 pass', records: 4 },
    ]);
    await old.close();
  });
});
