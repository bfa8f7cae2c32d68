// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: two nodes
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { manualClock, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  LOOPBACK,
  pauseAll,
  readHook,
  startHook,
} from '../support/webhooks.js';

const clock = manualClock();
const opened: RawDatabase[] = [];
let nodes: Service[];
beforeAll(async () => {
  const url = (await sharedDatabase()).url as string;
  nodes = await Promise.all(
    [0, 1].map(() => {
      const db = openPostgres({ url, connections: 6 });
      opened.push(db);
      return startService({ db, clock, env: LOOPBACK });
    }),
  );
  // Those that other files have left in the database.
  await pauseAll(nodes[0] as Service);
});
afterAll(async () => {
  for (const node of nodes) {
    await node.app.deps.webhooks.close();
    await node.close();
    await node.app.deps.meter.close();
  }
  for (const db of opened) await db.close();
});

async function begin(body: object) {
  const [a] = nodes as [Service];
  const account = await a.signUp({ plan: 'enterprise' });
  const key = await eventKey(a, account);
  const hook = await startHook();
  const { id } = await createHook(a, key, { url: hook.url, events: ['device.*'], ...body });
  return { key, hook, id };
}
const deliverOnAll = (ms?: number) => Promise.all(nodes.map((node) => deliver(node, ms)));

/** Leases the webhook as a node that then dies. A late notification may keep it with one of these for longer, so this waits until it is free. */
async function leaseAndDie(id: string): Promise<void> {
  const [a] = nodes as [Service];
  const lease = async () => {
    await deliverOnAll(3_000);
    const until = new Date(clock.now() + 20_000);
    const leased = await a.db.query(
      sql.mutation`update webhooks set lease_id = ${crypto.randomUUID()}, lease_until = ${until}
        where id = ${id} and lease_id is null returning id`,
    );
    return leased.length;
  };
  await expect.poll(lease).toBe(1);
}

describe('two nodes', () => {
  it('never send to one receiver at the same time, and send every event of both once', async () => {
    const { key, hook, id } = await begin({ ordered: true });
    let open = 0;
    let most = 0;
    hook.answer = () => (response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    };
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 8 }, (_, at) => createDevice(nodes[at % 2] as Service, key)));
      await deliverOnAll(1_000);
      await deliverOnAll();
    }
    await deliverOnAll(3_000);
    const seqs = hook.seqs();
    expect(seqs).toEqual(Array.from({ length: 48 }, (_, at) => (seqs[0] as number) + at));
    expect(most).toBe(1);
    expect(await readHook(nodes[1] as Service, key, id)).toMatchObject({ lag: 0 });
    await hook.stop();
    await pauseAll(nodes[0] as Service);
  });

  it('wait for the lease of a node that died, and then continue after its cursor', async () => {
    const { key, hook, id } = await begin({});
    const [a, b] = nodes as [Service, Service];
    await leaseAndDie(id);
    await createDevice(a, key);
    await deliverOnAll(9_000);
    expect(hook.received).toEqual([]);
    await deliverOnAll(1_000);
    await deliver(b, 300);
    expect(hook.types()).toEqual(['device.created']);
    await hook.stop();
    await pauseAll(a);
  });

  it('record no progress of a webhook that another node has claimed in the meantime', async () => {
    const { key, hook, id } = await begin({});
    const [a] = nodes as [Service, Service];
    await deliverOnAll(3_000);
    await deliverOnAll(3_000);
    const { cursor } = await readHook(a, key, id);
    let end = () => {};
    hook.answer = () => (response) => {
      end = () => response.writeHead(204).end();
    };
    await createDevice(a, key);
    clock.advance(60);
    await a.app.deps.webhooks.search();
    await expect.poll(() => hook.received.length).toBe(1);
    const until = new Date(clock.now() + 20_000);
    await a.db.query(
      sql.mutation`update webhooks set lease_id = ${crypto.randomUUID()}, lease_until = ${until} where id = ${id}`,
    );
    hook.answer = () => 204;
    end();
    await a.app.deps.webhooks.idle();
    await deliverOnAll(9_000);
    expect([hook.received.length, (await readHook(a, key, id)).cursor]).toEqual([1, cursor]);
    await deliverOnAll(6_000);
    await deliverOnAll(300);
    expect(hook.received).toHaveLength(2);
    expect(hook.received[1]?.headers['webhook-id']).toBe(hook.received[0]?.headers['webhook-id']);
    await hook.stop();
    await pauseAll(a);
  });

  it('never serve a webhook while a request of another node may be in flight', async () => {
    const { key, hook } = await begin({});
    const [a, b] = nodes as [Service, Service];
    await deliverOnAll(3_000);
    await deliverOnAll(3_000);
    hook.answer = () => () => {};
    await createDevice(a, key);
    clock.advance(60);
    await a.app.deps.webhooks.search();
    await expect.poll(() => hook.received.length).toBe(1);
    clock.advance(14_900);
    await b.app.deps.webhooks.search();
    await b.app.deps.webhooks.idle();
    expect(hook.received).toHaveLength(1);
    // The request ends after 15 seconds, and the next attempt follows.
    hook.answer = () => 204;
    clock.advance(200);
    await a.app.deps.webhooks.idle();
    await deliverOnAll(6_100);
    await deliverOnAll(300);
    expect(hook.received).toHaveLength(2);
    await hook.stop();
    await pauseAll(a);
  });

  it('give up what they serve when they close, so that the other continues', async () => {
    const { key, hook } = await begin({});
    const [a, b] = nodes as [Service, Service];
    await createDevice(a, key);
    await deliver(a);
    expect(hook.received).toHaveLength(1);
    await a.app.deps.webhooks.close();
    await createDevice(b, key);
    await deliver(b, 300);
    await deliver(b, 300);
    expect(hook.received).toHaveLength(2);
    await hook.stop();
    await pauseAll(b);
  });
});
