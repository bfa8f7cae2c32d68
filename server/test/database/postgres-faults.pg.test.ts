// @module-tag if-touched @core docs/operating.md: cuts and freezes connections, and waits for timeouts
// @module-tag not-on-citus: cuts and freezes the connection to a plain PostgreSQL, and locks whole tables of it
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { freshFingerprint } from '../support/ceremony.js';
import { freshDatabase } from '../support/database.js';
import { openPgProxy, type PgProxy } from '../support/faults/pg-proxy.js';
import { proveFor, registerPerson } from '../support/phone.js';
import {
  type Account,
  ADMIN_KEY,
  freshAddress,
  type Reply,
  type Service,
  startService,
} from '../support/service.js';

const CONNECTIONS = 3;
/** Long enough for a statement on a busy machine, and short enough for a test to wait for. */
const SHORT_MS = 4_500;

let proxy: PgProxy;
let db: RawDatabase;
let service: Service;
let account: Account;
/** Direct sessions: `outside` causes conflicts, `watching` reads pg_stat_activity, which a transaction would freeze. */
let outside: pg.Client;
let watching: pg.Client;
let name: string;

beforeAll(async () => {
  const fresh = await freshDatabase();
  await fresh.db.close();
  const url = fresh.url as string;
  name = new URL(url).pathname.slice(1);
  proxy = await openPgProxy(url);
  await open();
  [outside, watching] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([outside.connect(), watching.connect()]);
});
afterAll(async () => {
  await close();
  await Promise.all([outside.end(), watching.end()]);
  proxy.close();
});

async function open(timeoutMs?: number): Promise<void> {
  db = openPostgres({ url: proxy.url, connections: CONNECTIONS, ...(timeoutMs && { timeoutMs }) });
  service = await startService({ db });
}

async function close(): Promise<void> {
  await service.close();
  await db.close();
}

beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});
afterEach(async () => {
  await outside.query('rollback');
});

const create = ({ key } = account) =>
  service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } });
const list = async (kind: string): Promise<{ id: string }[]> =>
  (await service.call('GET', `/v1/${kind}?limit=100`, { as: account.key })).body[kind];
const chain = async (): Promise<{ status: string; checked: number }> =>
  (
    await service.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    })
  ).body;
const health = () => service.call('GET', '/api/health');

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
}

/** All connections are idle, and the whole pool can be used. */
async function expectNothingLeaked(): Promise<void> {
  const states = async () =>
    (
      await watching.query<{ state: string }>(
        `select state from pg_stat_activity where datname = $1 and application_name = 'svc'`,
        [name],
      )
    ).rows.map(({ state }) => state);
  await vi.waitFor(async () => expect((await states()).filter((state) => state !== 'idle')).toEqual([]));
  const replies = await Promise.all(Array.from({ length: 4 * CONNECTIONS }, () => create()));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect((await states()).length).toBeLessThanOrEqual(CONNECTIONS);
  expect((await health()).body).toMatchObject({ status: 'ok', database: true });
}

/** Waits until some backend of the service waits for a lock. */
const untilBlocked = (count = 1) =>
  vi.waitFor(async () => {
    const { rows } = await watching.query(
      `select 1 from pg_stat_activity where datname = $1 and application_name = 'svc' and wait_event_type = 'Lock'`,
      [name],
    );
    // A slow transaction delays the others by at most 100 ms, which pass by hand here.
    service.clock.advance(100);
    expect(rows.length).toBeGreaterThanOrEqual(count);
  });

const lockHead = ({ tenantId } = account) =>
  outside.query(`select 1 from audit_heads where tenant_id = $1 and environment = 'live' for update`, [
    tenantId,
  ]);

describe('a connection cut during COMMIT', () => {
  const identity = () => ({ did: `did:svc:${randomUUID().replaceAll('-', '')}`, commitment: '1'.repeat(64) });
  const BODIES: [path: string, kind: string | undefined, body: (userId: string) => object][] = [
    ['/v1/devices', 'devices', () => ({ name: 'Door' })],
    ['/v1/users', 'users', () => ({ fullName: 'Grace' })],
    ['/v1/verifications', 'verifications', () => ({ method: 'manual', result: 'pass' })],
    ['/v1/attendance', 'attendance', (userId) => ({ userId, type: 'check_in' })],
    ['/v1/identity/register', undefined, identity],
  ];

  it.each(
    BODIES.flatMap(([path, kind, body]) =>
      (['before', 'after'] as const).map((when) => [path, when, kind, body] as const),
    ),
  )(
    'of POST %s, %s the database committed, returns 503; a retry with the same Idempotency-Key leaves one record',
    async (path, when, kind, bodyOf) => {
      const user = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      const body = bodyOf(user.body.user.id);
      const count = async () => (kind === undefined ? undefined : (await list(kind)).length);
      const [before, seq] = [await count(), (await chain()).checked];
      const send = () =>
        service.call('POST', path, { as: account.key, body, headers: { 'idempotency-key': 'again' } });
      const happened = proxy.cutAtCommit(when);
      expectUnavailable(await send());
      expect(happened()).toBe(true);
      const stands = when === 'after' ? 1 : 0;
      expect((await chain()).checked).toBe(seq + stands);
      if (before !== undefined) expect(await count()).toBe(before + stands);

      const again = await send();
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([
        201,
        stands ? 'true' : undefined,
      ]);
      expect(await chain()).toMatchObject({ status: 'pass', checked: seq + 1 });
      if (before !== undefined) expect(await count()).toBe(before + 1);
      expect((await send()).body).toEqual(again.body);
      await expectNothingLeaked();
    },
  );

  it.each(['before', 'after'] as const)(
    '%s the database committed, spends a code and a nonce together with their write or not at all',
    async (when) => {
      const created = await service.call('POST', '/api/console/devices', {
        as: account.token,
        body: { name: 'K' },
      });
      const body = { enrollment_code: created.body.enrollment.code, fingerprint: freshFingerprint() };
      const enroll = () => service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
      const person = await registerPerson(service, account.key);
      const proof = await proveFor(service, person, { tenantId: account.tenantId });
      const verify = () => service.call('POST', '/v1/identity/verify', { as: account.key, body: proof });
      for (const [send, spent, done] of [
        [enroll, 404, 201],
        [verify, 401, 200],
      ] as const) {
        proxy.cutAtCommit(when);
        expectUnavailable(await send());
        expect((await send()).status).toBe(when === 'after' ? spent : done);
        expect((await send()).status).toBe(spent);
      }
      expect((await chain()).status).toBe('pass');
    },
  );

  it('at any byte of a response returns 503 or a durable 201, and never leaves half a write', async () => {
    let acknowledged = 0;
    for (let bytes = 1; bytes < 1_500; bytes += 90) {
      const happened = proxy.cutAfterBytes(bytes);
      const reply = await create();
      happened();
      if (reply.status === 201) acknowledged += 1;
      else expectUnavailable(reply);
    }
    const devices = await list('devices');
    expect(devices.length).toBeGreaterThanOrEqual(acknowledged);
    expect(await chain()).toMatchObject({ status: 'pass', checked: 2 + devices.length });
    await expectNothingLeaked();
  });
});

describe('a transaction aborted by PostgreSQL', () => {
  it('because of a deadlock returns 503 and writes nothing; a retry works', async () => {
    const { id } = (await create()).body.device;
    const { checked } = await chain();
    const patch = () =>
      service.call('PATCH', `/v1/devices/${id}`, { as: account.key, body: { name: 'Changed' } });
    // Only the service's session checks for deadlocks, so PostgreSQL aborts its transaction.
    await outside.query(`begin; set local deadlock_timeout = '60s'`);
    await outside.query(`update devices set name = 'crossing' where id = $1`, [id]);
    const patching = patch();
    await untilBlocked();
    const crossing = lockHead();
    expectUnavailable(await patching);
    await crossing;
    await outside.query('rollback');
    expect(service.logged.join()).toContain('deadlock detected');
    expect((await chain()).checked).toBe(checked);
    expect((await patch()).body.device.name).toBe('Changed');
    await expectNothingLeaked();
  });

  it('because of a serialization failure returns 503 and writes nothing', async () => {
    await outside.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
    proxy.drop();
    try {
      await vi.waitFor(async () => expect((await health()).status).toBe(200));
      await outside.query('begin');
      await lockHead();
      await outside.query(`update audit_heads set seq = seq where tenant_id = $1`, [account.tenantId]);
      const creating = create();
      await untilBlocked();
      await outside.query('commit');
      expectUnavailable(await creating);
      expect(service.logged.join()).toContain('could not serialize access');
      expect(await list('devices')).toEqual([]);
      expect((await create()).status).toBe(201);
      expect(await chain()).toMatchObject({ status: 'pass', checked: 3 });
    } finally {
      await outside.query(`alter database ${name} reset default_transaction_isolation`);
      proxy.drop();
    }
    await vi.waitFor(async () => expect((await health()).status).toBe(200));
    await expectNothingLeaked();
  });

  it('because its statement was cancelled returns 503 and writes nothing', async () => {
    await outside.query('begin');
    await lockHead();
    const creating = create();
    await untilBlocked();
    await outside.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'svc' and wait_event_type = 'Lock'`,
      [name],
    );
    expectUnavailable(await creating);
    await outside.query('rollback');
    expect(await list('devices')).toEqual([]);
    await expectNothingLeaked();
  });

  it('because its session was terminated returns 503, and new sessions are opened', async () => {
    await outside.query('begin');
    await lockHead();
    const creating = [create(), create()];
    await untilBlocked();
    await outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'svc'`,
      [name],
    );
    for (const reply of await Promise.all(creating)) expectUnavailable(reply);
    await outside.query('rollback');
    expect(await list('devices')).toEqual([]);
    await expectNothingLeaked();
  });
});

describe('a read-only database', () => {
  it('serves reads and returns 503 for writes until it is writable again', async () => {
    await outside.query(`alter database ${name} set default_transaction_read_only = on`);
    proxy.drop();
    try {
      await vi.waitFor(async () =>
        expect((await service.call('GET', '/v1/devices', { as: account.key })).status).toBe(200),
      );
      expectUnavailable(await create());
      const signup = {
        email: 'late@example.com',
        password: 'correct horse 7 battery staple',
        companyName: 'Late',
      };
      expectUnavailable(
        await service.call('POST', '/api/console/signup', { body: signup, address: freshAddress() }),
      );
    } finally {
      await outside.query(`alter database ${name} reset default_transaction_read_only`);
      proxy.drop();
    }
    await vi.waitFor(async () => expect((await create()).status).toBe(201));
    await expectNothingLeaked();
  });
});

describe('a service with a short statement timeout', () => {
  beforeAll(async () => {
    await close();
    await open(SHORT_MS);
  });

  it('returns 503 when all its connections stay blocked, counts nothing, and recovers when they are released', async () => {
    const others = [];
    while (others.length < CONNECTIONS) others.push(await service.signUp({ plan: 'enterprise' }));
    await outside.query('begin');
    for (const other of others) await lockHead(other);
    const waiting = others.map((other) => create(other));
    await untilBlocked(CONNECTIONS);
    const rejected = await Promise.all([
      service.call('GET', '/v1/devices', { as: account.key }),
      service.call('GET', '/api/console/account', { as: account.token }),
      create(),
    ]);
    rejected.forEach(expectUnavailable);
    for (const reply of await Promise.all(waiting)) expectUnavailable(reply);
    await outside.query('rollback');
    expect(await list('devices')).toEqual([]);
    expect((await chain()).checked).toBe(2);
    for (const other of others) expect((await create(other)).status).toBe(201);
    await expectNothingLeaked();
  });

  it('returns 503 in bounded time when the database hangs, health reports it earlier, and it recovers by itself', async () => {
    expect((await create()).status).toBe(201);
    proxy.freeze();
    const pending = [create(), service.call('GET', '/v1/devices', { as: account.key })];
    let isOver = false;
    const first = Promise.race(pending).then(() => {
      isOver = true;
    });
    const { pendingTimers } = service.clock;
    const checks = [health(), service.call('GET', '/api/health/ready')];
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBe(pendingTimers + 2));
    service.clock.advance(2_000);
    for (const reply of await Promise.all(checks)) {
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
    }
    expect((await checks[0])?.body).toMatchObject({ status: 'degraded', database: false });
    expect(isOver).toBe(false);
    for (const reply of await Promise.all(pending)) expectUnavailable(reply);
    await first;
    expect((await service.call('GET', '/api/health/live')).status).toBe(200);
    proxy.thaw();
    await vi.waitFor(async () => expect((await health()).status).toBe(200));
    expect((await list('devices')).length).toBeGreaterThanOrEqual(1);
    expect((await chain()).status).toBe('pass');
    await expectNothingLeaked();
  });

  it('waits for a slow database', async () => {
    proxy.delay(100);
    expect((await create()).status).toBe(201);
    proxy.delay(0);
    await expectNothingLeaked();
  });
});
