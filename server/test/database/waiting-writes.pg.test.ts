// @module-tag if-touched @core docs/operating.md: waits for locks and deadlines
import { once } from 'node:events';
import { request } from 'node:http';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

/** A lock may be waited for twice as long. */
const TIMEOUT_MS = 1_500;

let db: RawDatabase;
let service: Service;
let account: Account;
/** `outside` holds locks. `watching` reads pg_stat_activity, which a transaction would freeze. */
let outside: pg.Client;
let watching: pg.Client;
let begun = 0;

beforeAll(async () => {
  const fresh = await freshDatabase();
  await fresh.db.close();
  const url = fresh.url as string;
  const opened = openPostgres({ url, timeoutMs: TIMEOUT_MS });
  db = {
    ...opened,
    begin() {
      begun += 1;
      return opened.begin();
    },
  };
  service = await startService({ db, env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  [outside, watching] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([outside.connect(), watching.connect()]);
});
afterAll(async () => {
  await service.close();
  await Promise.all([outside.end(), watching.end()]);
  await db.close();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  begun = 0;
});
afterEach(() => outside.query('rollback'));

const create = (name: string, { key } = account) =>
  service.call('POST', '/v1/devices', { as: key, body: { name } });
const namesOf = async ({ tenantId } = account): Promise<string[]> =>
  (
    await outside.query<{ name: string }>(`select name from devices where tenant_id = '${tenantId}'`)
  ).rows.map(({ name }) => name);
const holdHead = async ({ tenantId } = account) => {
  await outside.query('begin');
  await outside.query(`select 1 from audit_heads where tenant_id = '${tenantId}' for update`);
};
const untilBlocked = () =>
  vi.waitFor(async () => {
    const { rows } = await watching.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).not.toEqual([]);
  });

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
}

describe('writes that wait behind a held chain', () => {
  it('all fail after one lock timeout, not after one for each batch', async () => {
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const request = { scope, actor: { type: 'system', id: null }, action: 'device.created' } as const;
    await holdHead();
    begun = 0;
    const waiting = Array.from({ length: 300 }, () => service.app.deps.write(request, async () => {}));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(300);
    expect(begun).toBe(1);
  });

  it('return 503 and hold no slot of the node, so other accounts write on', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    await holdHead();
    // More than the node works on at a time.
    const waiting = Array.from({ length: 100 }, (_, at) => create(`Door ${at}`));
    await untilBlocked();
    const otherOne = create('Other door', other);
    service.clock.advance(500);
    expect((await otherOne).status).toBe(201);
    (await Promise.all(waiting)).forEach(expectUnavailable);
    await outside.query('rollback');
    expect(await namesOf()).toEqual([]);
    expect((await create('Later')).status).toBe(201);
  });

  it('return 503 ten seconds after their arrival, and are not made later', async () => {
    await holdHead();
    const first = create('First');
    await untilBlocked();
    const before = service.clock.pendingTimers;
    const queued = create('Queued');
    // The write waits, with timers of its own.
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBeGreaterThan(before));
    service.clock.advance(10_000);
    expectUnavailable(await queued);
    await outside.query('rollback');
    expect((await first).status).toBe(201);
    expect((await create('Next')).status).toBe(201);
    expect((await namesOf()).sort()).toEqual(['First', 'Next']);
  });

  it('are not begun for a client that hung up', async () => {
    await service.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.app.http.server.address() as { port: number };
    await holdHead();
    const first = create('First');
    await untilBlocked();
    const leaving = request({
      port,
      host: '127.0.0.1',
      path: '/v1/devices',
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    });
    leaving.on('error', () => {});
    const arrived = once(service.app.http.server, 'request');
    leaving.end(JSON.stringify({ name: 'Left behind' }));
    const [, response] = await arrived;
    const before = service.clock.pendingTimers;
    // The write waits, with a timer of its own.
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBeGreaterThan(before));
    const closed = once(response, 'close');
    leaving.destroy();
    await closed;
    await outside.query('rollback');
    expect((await first).status).toBe(201);
    expect((await create('Next')).status).toBe(201);
    expect((await namesOf()).sort()).toEqual(['First', 'Next']);
  });
});

describe('a read', () => {
  it('returns 503 when its statement takes too long', async () => {
    await outside.query('begin');
    await outside.query('lock table devices in access exclusive mode');
    expectUnavailable(await service.call('GET', '/v1/devices', { as: account.key }));
    await outside.query('rollback');
    expect((await service.call('GET', '/v1/devices', { as: account.key })).status).toBe(200);
  });
});
