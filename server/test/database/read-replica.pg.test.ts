// @module-tag if-touched @core docs/operating.md: starts a PostgreSQL server with a standby
// @module-tag not-on-citus: have a PostgreSQL server or databases of their own
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { startWithStandby, type WithStandby } from '../support/faults/standby.js';
import {
  type Account,
  ADMIN_KEY,
  type ManualClock,
  manualClock,
  type Service,
  startService,
} from '../support/service.js';

let at: WithStandby;
let clock: ManualClock;
let nodes: [Service, Service];
let account: Account;
const opened: { close(): Promise<void> }[] = [];

/** By default the timeout is long, so that a busy machine is not taken for a fault. */
async function startNode(standbyUrl: string, timeoutMs = 10_000): Promise<Service> {
  const db = openPostgres({ url: at.primary.url });
  const standby = openPostgres({ url: standbyUrl, timeoutMs });
  const service = await startService({ db, standby, clock, env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  opened.push(service, { close: () => service.app.deps.meter.close() }, standby, db);
  return service;
}

beforeAll(async () => {
  at = await startWithStandby();
});
afterAll(() => at.close());

beforeEach(async () => {
  clock = manualClock();
  await at.caughtUp();
  nodes = [await startNode(at.proxy.url), await startNode(at.proxy.url)];
  account = await nodes[0].signUp({ plan: 'enterprise' });
});
afterEach(async () => {
  at.proxy.thaw();
  at.proxy.restore();
  await at.resume();
  for (const item of opened.splice(0)) await item.close();
});

const replicaOf = (node: Service) => node.app.deps.replica as NonNullable<typeof node.app.deps.replica>;
const readsOf = (node: Service) => ({ ...node.app.deps.history.reads });

/** Ids of different nodes are in the order of their creation if they are of different milliseconds. */
async function createLater(node = nodes[0]): Promise<string> {
  clock.advance(1);
  return create(node);
}

async function create(node = nodes[0]): Promise<string> {
  const { status, body } = await node.call('POST', '/v1/devices', {
    as: account.key,
    body: { name: 'Door' },
  });
  expect(status).toBe(201);
  return body.device.id;
}

async function list(
  node: Service,
  query = 'limit=100',
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const { status, body } = await node.call('GET', `/v1/devices?${query}`, { as: account.key });
  expect(status).toBe(200);
  return { ids: body.devices.map(({ id }: { id: string }) => id), nextCursor: body.nextCursor };
}

/** Lets the nodes measure the replica until the condition holds. */
async function measureUntil(condition: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    clock.advance(2_000);
    expect(condition()).toBe(true);
  });
}

/** Of the chain with entries: the primary server answers for an empty one, because no entry shows what the replica has. */
const integrity = async (node: Service) => {
  const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}&environment=live`;
  return (await node.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } })).body;
};

async function runOn(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('with a read replica', () => {
  it('a list on any node has every record that was created before it, 200 times', async () => {
    const [a, b] = nodes;
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, turn) => {
          const [writer, reader] = turn % 2 === 0 ? [a, b] : [b, a];
          const id = await create(writer);
          // Nine others may be created during it.
          expect((await list(reader, 'limit=10')).ids).toContain(id);
        }),
      );
      clock.advance(1);
    }
    await at.caughtUp();
    const before = readsOf(a);
    await list(a);
    expect(readsOf(a)).toEqual({ ...before, replica: before.replica + 1 });
    expect(before.unavailable).toBe(0);
  });

  it('lists and the overview have the same result from either server', async () => {
    const [node] = nodes;
    for (let count = 0; count < 3; count++) await create();
    const get = async (path: string) => {
      const as = path.startsWith('/v1') ? account.key : account.token;
      const { status, text } = await node.call('GET', path, { as });
      expect(status).toBe(200);
      return text;
    };
    const read = async () => {
      const texts: string[] = [];
      const nouns = ['devices', 'users', 'verifications', 'attendance', 'audit', 'registrations'];
      for (const name of [...nouns, 'proof-pairing/sessions']) texts.push(await get(`/v1/${name}`));
      texts.push(await get('/api/console/overview'));
      return texts;
    };
    const lists = 5 + 2;
    const inOverview = 10;
    await at.caughtUp();
    const fromReplica = await read();
    const replica = lists + inOverview;
    expect(readsOf(node)).toEqual({ replica, behind: 0, unavailable: 0 });
    replicaOf(node).fail(new Error('for this test'));
    expect(await read()).toEqual(fromReplica);
    expect(readsOf(node)).toEqual({ replica, behind: 0, unavailable: replica });
  });

  it('an export and the integrity check have the same result from either server', async () => {
    const [node] = nodes;
    await create();
    const get = async () => {
      const { text } = await node.call('GET', '/v1/audit/export', { as: account.key });
      return text.trimEnd().split('\n').slice(0, -1);
    };
    const readFrom = <T>(source: 'replica' | 'unavailable', read: () => Promise<T>) =>
      // The log of the last calls reaches the replica within a second, because counting them does not wait for the disk.
      vi.waitFor(async () => {
        const before = readsOf(node);
        const result = await read();
        const after = readsOf(node);
        expect(after[source]).toBeGreaterThan(before[source]);
        expect({ ...after, [source]: before[source] }).toEqual(before);
        return result;
      });
    const exported = await readFrom('replica', get);
    const checked = await readFrom('replica', () => integrity(node));
    expect(checked).toMatchObject({ status: 'pass' });
    replicaOf(node).fail(new Error('for this test'));
    expect(await readFrom('unavailable', () => integrity(node))).toEqual(checked);
    // The later export also has the event of the first.
    expect((await readFrom('unavailable', get)).slice(0, exported.length)).toEqual(exported);
  });

  it('single records, and what a call needs besides its list, come from the primary', async () => {
    const id = await create();
    await at.pause();
    await at.resume();
    const before = readsOf(nodes[0]);
    for (const path of [`/v1/devices/${id}`, '/v1/circuit/info'])
      await nodes[0].call('GET', path, { as: account.key });
    await nodes[0].call('GET', '/api/console/usage', { as: account.token });
    await nodes[0].call('GET', '/api/console/keys', { as: account.token });
    expect(readsOf(nodes[0])).toEqual(before);
  });

  it('pages neither repeat nor miss a record while the replay pauses and resumes', async () => {
    const expected: string[] = [];
    for (let count = 0; count < 30; count++) expected.unshift(await createLater());
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      await (page % 2 === 0 ? at.pause() : at.resume());
      // Newer than the first page, so on no later one.
      await createLater(nodes[page % 2]);
      const query: string = cursor === '' ? 'limit=3' : `limit=3&cursor=${cursor}`;
      const { ids, nextCursor } = await list(nodes[(page + 1) % 2] as Service, query);
      seen.push(...ids);
      cursor = nextCursor;
    }
    expect(seen.slice(1)).toEqual(expected);
  });

  it('a paused replica is no longer asked, health is degraded, and it is used again when it has caught up', async () => {
    const [node] = nodes;
    await at.pause();
    const id = await create();
    expect((await list(node)).ids).toEqual([id]);
    expect(readsOf(node)).toMatchObject({ replica: 0, behind: 1 });
    await measureUntil(() => replicaOf(node).status === 'degraded');
    const { behind } = readsOf(node);
    expect((await list(node)).ids).toEqual([id]);
    expect(readsOf(node)).toMatchObject({ replica: 0, behind });
    expect(replicaOf(node).lagMs).toBeGreaterThan(5_000);
    const { status, body } = await node.call('GET', '/api/health');
    expect([status, body.status, body.subsystems.replica]).toEqual([200, 'degraded', { status: 'degraded' }]);
    await at.resume();
    await at.caughtUp();
    await measureUntil(() => replicaOf(node).status === 'ok');
    expect((await list(node)).ids).toEqual([id]);
    expect(readsOf(node).replica).toBe(1);
    expect((await node.call('GET', '/api/health')).body).toMatchObject({ status: 'ok' });
  });

  it('a replica that hangs delays only the lists that already wait for it', async () => {
    const node = await startNode(at.proxy.url, 600);
    const id = await create();
    await at.caughtUp();
    await list(node);
    at.proxy.freeze();
    const lists = await Promise.all(Array.from({ length: 20 }, () => list(node)));
    expect(lists.every(({ ids }) => ids.includes(id))).toBe(true);
    expect(replicaOf(node).status).toBe('down');
    // It is not asked again, so this list takes no longer than without a replica.
    expect((await list(node)).ids).toEqual([id]);
    expect(readsOf(node).unavailable).toBe(21);
    expect((await node.call('GET', '/api/health')).body.subsystems.replica).toEqual({ status: 'down' });
    at.proxy.thaw();
    await measureUntil(() => replicaOf(node).status === 'ok');
  });

  it('a replica may be gone at the start or later, and is used when it is there', async () => {
    at.proxy.cut();
    const node = await startNode(at.proxy.url);
    expect(replicaOf(node).status).toBe('down');
    const id = await create(node);
    expect((await list(node)).ids).toEqual([id]);
    at.proxy.restore();
    await at.caughtUp();
    await measureUntil(() => replicaOf(node).status === 'ok');
    await list(node);
    expect(readsOf(node)).toEqual({ replica: 1, behind: 0, unavailable: 1 });
    at.proxy.cut();
    expect((await list(node)).ids).toEqual([id]);
    expect(replicaOf(node).status).toBe('down');
  });

  it('integrity finds a change that the replica has not replayed yet', async () => {
    const [node] = nodes;
    await create();
    await at.caughtUp();
    expect((await integrity(node)).status).toBe('pass');
    await at.pause();
    await runOn(
      at.primary.url,
      'set session_replication_role = replica',
      `update audit_events set summary = 'forged' where tenant_id = '${account.tenantId}' and seq = 1`,
    );
    expect((await integrity(node)).status).toBe('fail');
    await at.resume();
    await at.caughtUp();
    expect((await integrity(node)).status).toBe('fail');
  });

  it('a server that is no standby is never asked', async () => {
    const node = await startNode(at.primary.url);
    expect(replicaOf(node).status).toBe('down');
    expect(node.logged.filter((line) => line.includes('is not a standby server'))).toHaveLength(1);
    const id = await create(node);
    expect((await list(node)).ids).toEqual([id]);
    const other = await startNode(process.env.TEST_DATABASE_URL as string);
    expect(other.logged.filter((line) => line.includes('is another database'))).toHaveLength(1);
  });

  it('a promoted replica is not asked, even before that is noticed', async () => {
    const [node] = nodes;
    const id = await create();
    await at.caughtUp();
    await list(node);
    const before = readsOf(node);
    await runOn(at.standby.url, 'select pg_promote()', `update devices set name = 'forged'`);
    const { body } = await node.call('GET', '/v1/devices', { as: account.key });
    expect(body.devices).toMatchObject([{ id, name: 'Door' }]);
    expect(readsOf(node)).toEqual({ ...before, behind: before.behind + 1 });
    await measureUntil(() => replicaOf(node).status === 'down');
  });
});
