import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { pausableCommits, WAITING } from '../support/faults/held-commit.js';
import { type Service, startService } from '../support/service.js';

let a: Service;
let b: Service;
let holding: ReturnType<typeof pausableCommits>;

beforeAll(async () => {
  const { db } = await sharedDatabase();
  holding = pausableCommits(db);
  a = await startService({ db: holding.db });
  b = await startService({ db });
});
afterAll(async () => {
  await b.close();
  await a.close();
});

it('only one tenth API key is created when two nodes create one concurrently, one in each environment', async () => {
  const { tenantId, token } = await a.signUp();
  const create = (node: Service, environment: string) =>
    node.call('POST', '/api/console/keys', { as: token, body: { name: 'Key', environment } });
  for (let made = 1; made < 9; made += 1) expect((await create(a, 'live')).status).toBe(201);

  const { reached, release } = holding.hold();
  const first = create(a, 'live');
  await reached;
  let isFinished = false;
  const second = create(b, 'test').finally(() => {
    isFinished = true;
  });
  // It either waits for the first one or has already finished.
  await vi.waitUntil(async () => isFinished || (await b.db.query(WAITING)).length > 0);
  release();
  const replies = await Promise.all([first, second]);
  expect(replies.map(({ status, body }) => `${status} ${body.error ?? ''}`)).toEqual([
    '201 ',
    '409 api_key_limit_reached',
  ]);
  const [active] = await b.db.query<{ n: number }>(
    sql`select count(*) as n from api_keys where tenant_id = ${tenantId} and revoked_at is null`,
  );
  expect(active?.n).toBe(10);
});

it('of two rotations of a key on two nodes exactly one succeeds', async () => {
  const { tenantId, keyId, token } = await a.signUp();
  const rotate = (node: Service) =>
    node.call('POST', `/api/console/keys/${keyId}/rotate`, { as: token, body: { graceSeconds: 3600 } });
  const { reached, release } = holding.hold();
  const first = rotate(a);
  await reached;
  let isFinished = false;
  const second = rotate(b).finally(() => {
    isFinished = true;
  });
  await vi.waitUntil(async () => isFinished || (await b.db.query(WAITING)).length > 0);
  release();
  const replies = await Promise.all([first, second]);
  expect(replies.map(({ status, body }) => `${status} ${body.error ?? ''}`)).toEqual([
    '201 ',
    '409 api_key_not_active',
  ]);
  const rows = await b.db.query<{ id: string; replaced_by: string | null }>(
    sql`select id, replaced_by from api_keys where tenant_id = ${tenantId} order by id`,
  );
  expect(rows).toEqual([
    { id: keyId, replaced_by: replies[0]?.body.apiKey.id },
    { id: replies[0]?.body.apiKey.id, replaced_by: null },
  ]);
});
