// @module-tag if-touched @core server/src/features/health/ scripts/: starts several processes
// @module-tag needs-redis-server
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { SPLIT_MIGRATIONS } from '../../src/db/split-migrations.js';
import { sql } from '../../src/db/sql.js';
import { emptyDatabase } from '../support/database.js';
import { endRedisServers, startRedisServer } from '../support/faults/redis.js';
import { endProcesses, type Installation, install, startProcess } from '../support/process.js';

let installed: Installation;
let env: { DATABASE_URL: string; SVC_SECRET: string };
beforeAll(async () => {
  installed = install();
  const { db, url } = await emptyDatabase();
  await db.close();
  env = { DATABASE_URL: url as string, SVC_SECRET: 'the secret of two nodes, long enough for them' };
});
afterAll(() => {
  endProcesses();
  endRedisServers();
  installed.remove();
});

const files = () =>
  readdirSync(join(installed.folder, 'server', 'migrations')).filter((file) => file.endsWith('.sql'));
const applied = async () => {
  const db = openPostgres({ url: env.DATABASE_URL, connections: 1 });
  const rows = await db.query<{ name: string }>(sql`select name from schema_migrations order by name`);
  await db.close();
  const whole = new Set(SPLIT_MIGRATIONS.map(({ name }) => name));
  return rows.filter(({ name }) => !whole.has(name)).map(({ name }) => `${name}.sql`);
};

it('two nodes that start simultaneously on an empty database both serve, and each migration is applied once', async () => {
  const nodes = await Promise.all([startProcess(installed, env), startProcess(installed, env)]);
  await Promise.all(nodes.map(({ serving }) => serving));
  expect(await applied()).toEqual(files().sort());
  for (const node of nodes) node.kill('SIGTERM');
  for (const { code } of await Promise.all(nodes.map(({ ended }) => ended))) expect(code).toBe(0);
});

it('a built node with REDIS_URL serves, and logs no error of Redis', async () => {
  const redis = await startRedisServer();
  const node = await startProcess(installed, { ...env, REDIS_URL: redis.url });
  await node.serving;
  node.kill('SIGTERM');
  const { code, output } = await node.ended;
  expect(code).toBe(0);
  expect(output).not.toMatch(/"level":"(warn|error)".*redis/i);
});

it('a node with a migration that changed after it was applied does not start, and names the migration', async () => {
  const [first = ''] = files().sort();
  appendFileSync(join(installed.folder, 'server', 'migrations', first), '-- changed\n');
  const { code, output } = await (await startProcess(installed, env)).ended;
  expect(code).toBe(1);
  expect(output).toContain(`Migration ${first.replace('.sql', '')} was changed after it was applied`);
  expect(output).not.toContain('Serving on');
});
