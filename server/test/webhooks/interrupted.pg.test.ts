// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { sharedDatabase } from '../support/database.js';
import { manualClock, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  LOOPBACK,
  pauseAll,
  startHook,
} from '../support/webhooks.js';

const clock = manualClock();
const opened: RawDatabase[] = [];
let nodes: Service[];
let queries = 0;
let loseResponse = false;
beforeAll(async () => {
  const url = (await sharedDatabase()).url as string;
  nodes = await Promise.all(
    [0, 1].map((n) => {
      const db = openPostgres({ url, connections: 6 });
      opened.push(db);
      if (n === 1) {
        const query = db.query.bind(db);
        db.query = ((...args: Parameters<typeof query>) => {
          queries += 1;
          const sent = query(...args);
          if (!loseResponse || !JSON.stringify(args[0]).includes('with served as')) return sent;
          loseResponse = false;
          return sent.then(() => Promise.reject(new Error('the connection was lost')));
        }) as typeof db.query;
      }
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

it('a change on another node does not make this one query the database without a pause', async () => {
  const [a, b] = nodes as [Service, Service];
  const account = await a.signUp({ plan: 'enterprise' });
  const key = await eventKey(a, account);
  const hook = await startHook();
  const { id } = await createHook(a, key, { url: hook.url, events: ['device.*'] });
  await deliver(b, 3_000);
  let end = () => {};
  hook.answer = () => (response) => {
    end = () => response.writeHead(204).end();
  };
  await createDevice(a, key);
  clock.advance(3_000);
  await b.app.deps.webhooks.search();
  await expect.poll(() => hook.received.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await a.call('PATCH', `/v1/webhooks/${id}`, { as: key, body: { description: 'changed' } });
  queries = 0;
  hook.answer = () => 204;
  end();
  // Less than the second after which a node without Redis finds the change.
  await new Promise((resolve) => setTimeout(resolve, 700));
  const made = queries;
  await pauseAll(a);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await hook.stop();
  expect(made).toBeLessThan(50);
});

it('a commit whose response is lost does not stop the webhook until its lease ends', async () => {
  const [a, b] = nodes as [Service, Service];
  const account = await a.signUp({ plan: 'enterprise' });
  const key = await eventKey(a, account);
  const hook = await startHook();
  await createHook(a, key, { url: hook.url, events: ['device.*'] });
  await deliver(b, 3_000);
  await deliver(b, 3_000);
  await createDevice(a, key);
  loseResponse = true;
  clock.advance(3_000);
  await b.app.deps.webhooks.search();
  await expect.poll(() => hook.received.length).toBe(1);
  await createDevice(a, key);
  for (let n = 0; n < 10; n += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  const inTenSeconds = hook.received.length;
  await pauseAll(a);
  await hook.stop();
  expect(inTenSeconds).toBe(2);
});
