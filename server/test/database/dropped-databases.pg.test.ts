// @module-tag if-touched @core docs/operating.md: drops databases that are in use
// @module-tag not-on-citus: have a PostgreSQL server or databases of their own
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropDatabases } from '../../../scripts/testing/test-databases.mjs';

describe('the test databases of a run', () => {
  const [ours, others] = [randomBytes(4).toString('hex'), randomBytes(4).toString('hex')].map(
    (run) => `svc_test_${run}_`,
  ) as [string, string];
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
    await admin.connect();
  });
  afterAll(async () => {
    for (const prefix of [ours, others]) await dropDatabases(admin, prefix, { force: true });
    await admin.end();
  });

  const names = async () => {
    const { rows } = await admin.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1) or starts_with(datname, $2)',
      [ours, others],
    );
    return rows.map(({ datname }) => datname).sort();
  };

  it('are dropped even with an open connection if forced, and those of another run are kept', async () => {
    for (const name of [`${ours}1`, `${ours}2`, `${others}1`]) await admin.query(`create database ${name}`);
    const url = new URL(String(process.env.TEST_DATABASE_URL));
    url.pathname = `/${ours}1`;
    const left = new pg.Client({ connectionString: url.href });
    left.on('error', () => {});
    await left.connect();
    await dropDatabases(admin, ours, { force: false });
    expect(await names()).toEqual([`${ours}1`, `${others}1`].sort());
    await dropDatabases(admin, ours, { force: true });
    expect(await names()).toEqual([`${others}1`]);
    await left.end();
  });
});
