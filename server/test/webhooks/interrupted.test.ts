// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Account, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  type Hook,
  LOOPBACK,
  pauseAll,
  readHook,
  startHook,
} from '../support/webhooks.js';

let service: Service;
let account: Account;
let key: string;
let hook: Hook;
beforeAll(async () => {
  service = await startService({ env: LOOPBACK, resolveHost: async () => ['10.1.2.3'] });
  // Those that other files have left in the database.
  await pauseAll(service);
});
afterAll(async () => {
  await service.app.deps.webhooks.close();
  await service.close();
});
afterEach(async () => {
  await hook.stop();
  await pauseAll(service);
});
async function begin(answer: Hook['answer'], body: object = {}) {
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
  hook = await startHook(answer);
  return createHook(service, key, { url: hook.url, events: ['device.*'], ...body });
}
const create = async (count: number) => {
  for (let n = 0; n < count; n += 1) await createDevice(service, key);
};
const patch = (id: string, body: object) => service.call('PATCH', `/v1/webhooks/${id}`, { as: key, body });
const minuteNow = () => Math.floor(service.clock.now() / 60_000);
const setThrottle = (id: string, types: object, minute = minuteNow()) =>
  service.db.query(sql.mutation`update webhooks set throttle = ${JSON.stringify({ minute, types })}::jsonb,
    retry_at = ${new Date(service.clock.now())} where id = ${id}`);
const flooded = (fromSeq: number) => ({ count: 70, summary: { fromSeq, toSeq: fromSeq + 9, count: 10 } });

it('ordered: an event that was accepted after a pause is not sent again after later ones', async () => {
  const { id } = await begin(() => 500, { ordered: true });
  await create(3);
  await deliver(service);
  expect(hook.received).toHaveLength(1);
  await patch(id, { status: 'paused' });
  await deliver(service, 3_000);
  hook.answer = () => 200;
  await patch(id, { status: 'active' });
  await deliver(service);
  const [first = 0] = hook.seqs();
  expect(hook.seqs()).toEqual([first, first, first + 1, first + 2]);
  await deliver(service, 3_000);
  await deliver(service, 3_000);
  await create(1);
  await deliver(service);
  await deliver(service, 3_000);
  const rows = await service.db.query(sql.query`select seq from webhook_retries where webhook_id = ${id}`);
  expect({ seqs: hook.seqs().slice(1), rows }).toEqual({
    seqs: [first, first + 1, first + 2, hook.seqs().at(-1)],
    rows: [],
  });
  expect(hook.seqs()).toHaveLength(5);
});

it('a second summary of a minute is not lost when the first one was sent', async () => {
  const held: { end(): void }[] = [];
  const { id } = await begin(() => 200, { events: ['*'], outcome: 'failure' });
  await deliver(service, 3_000);
  await deliver(service, 3_000);
  await patch(id, { status: 'paused' });
  await deliver(service, 3_000);
  await setThrottle(id, { 'identity.verify': flooded(10), 'pairing.submit': flooded(30) }, minuteNow() - 2);
  hook.answer = ({ body }) =>
    body.data.type === 'pairing.submit'
      ? 200
      : (response) => void held.push({ end: () => response.writeHead(500).end() });
  await patch(id, { status: 'active' });
  service.clock.advance(60);
  await service.app.deps.webhooks.search();
  await expect.poll(() => [hook.received.length, held.length]).toEqual([2, 1]);
  // The tenant changes something that has nothing to do with it, so the failure is not recorded.
  await patch(id, { description: 'changed' });
  for (const { end } of held) end();
  hook.answer = () => 200;
  await deliver(service, 100);
  await deliver(service, 10_000);
  await deliver(service, 400_000);
  expect(
    hook.received.map(({ body }) => body.data.type).filter((type) => type === 'identity.verify').length,
  ).toBe(2);
});

it.each([
  ['its description', () => ({ description: 'changed' })],
  ['its URL', () => ({ url: `${hook.url}/other` })],
  ['it to ordered', () => ({ ordered: true })],
  ['it to paused', () => ({ status: 'paused' })],
])('an event that is accepted after the tenant changed %s is not sent again', async (_, change) => {
  const held: (() => void)[] = [];
  const { id } = await begin(() => (response) => void held.push(() => response.writeHead(204).end()));
  await create(1);
  service.clock.advance(60);
  await service.app.deps.webhooks.search();
  await expect.poll(() => held.length).toBe(1);
  await patch(id, change());
  hook.answer = () => 200;
  for (const end of held) end();
  await deliver(service, 100);
  await patch(id, { status: 'active' });
  await deliver(service, 3_000);
  await create(1);
  // While the service writes, an event wakes the webhook a little later, so one look may come too early.
  await expect.poll(() => deliver(service).then(() => hook.seqs())).toHaveLength(2);
  const [first = 0] = hook.seqs();
  expect(hook.received[1]?.body.data.previousSeq).toBe(first);
});

it('an event that is accepted after the tenant selected other events is sent again, because its cursor stands', async () => {
  const held: (() => void)[] = [];
  const { id } = await begin(() => (response) => void held.push(() => response.writeHead(204).end()));
  await create(1);
  service.clock.advance(60);
  await service.app.deps.webhooks.search();
  await expect.poll(() => held.length).toBe(1);
  await patch(id, { events: ['*'] });
  hook.answer = () => 200;
  for (const end of held) end();
  await deliver(service, 100);
  await deliver(service, 3_000);
  const [first] = hook.seqs();
  expect(hook.seqs().filter((seq) => seq === first)).toHaveLength(2);
  expect(hook.received.filter(({ body }) => body.data.seq === first)[1]?.body.data.previousSeq).toBeNull();
});

it('the answer 410 of an old URL does not disable a webhook whose URL was changed', async () => {
  const held: (() => void)[] = [];
  const { id } = await begin(() => (response) => void held.push(() => response.writeHead(410).end()));
  const other = await startHook();
  await create(1);
  service.clock.advance(60);
  await service.app.deps.webhooks.search();
  await expect.poll(() => held.length).toBe(1);
  // Another node handled the tenant's PATCH, and this one has not heard of it yet (a second without Redis).
  await service.db.query(
    sql.mutation`update webhooks set url = ${other.url}, version = version + 1 where id = ${id}`,
  );
  for (const end of held) end();
  await deliver(service, 100);
  await deliver(service, 3_000);
  expect(await readHook(service, key, id)).toMatchObject({ status: 'active' });
  expect(other.received).toHaveLength(1);
  await other.stop();
});

it.each([
  { description: 'control' },
  { ordered: true },
  { throttled: false },
  { events: ['device.*', 'identity.*'] },
])('%j does not swallow what a summary would have told', async (change) => {
  const { id } = await begin(() => 200, { events: ['*'], outcome: 'any' });
  await deliver(service, 3_000);
  await setThrottle(id, { 'identity.verify': flooded(10) });
  await patch(id, change);
  await create(1);
  await deliver(service);
  await deliver(service, 70_000);
  await deliver(service, 3_000);
  expect(hook.types()).toContain('events.throttled');
});

it('ordered: Retry-After of a day does not disable the webhook at the first failure', async () => {
  const { id } = await begin(
    () => (response) => {
      service.clock.advance(5);
      response.writeHead(503, { 'retry-after': '86400' }).end();
    },
    { ordered: true },
  );
  await create(1);
  await deliver(service);
  expect(await readHook(service, key, id)).toMatchObject({ status: 'active' });
});

it.each([990, 1000])('ordered with %i retries that it reads again goes on', async (count) => {
  const { id } = await begin(() => 200, { ordered: false });
  await deliver(service, 3_000);
  await create(1);
  await patch(id, { status: 'paused' });
  // Until then, the node has not given it back.
  await deliver(service, 3_000);
  const now = service.clock.now();
  await service.db.query(sql.mutation`insert into webhook_retries (tenant_id, environment, webhook_id, event_id, seq,
      is_replay, attempts, first_at, next_at)
    select tenant_id, environment, id, gen_random_uuid(), cursor_seq + n + 1, false, 1, ${new Date(now)}, ${new Date(now)}
    from webhooks, generate_series(1, ${count}::int) n where id = ${id}`);
  const received = new Promise<void>((resolve) => {
    hook.answer = () => {
      resolve();
      return 200;
    };
  });
  await patch(id, { status: 'active', ordered: true });
  await Promise.race([deliver(service, 300), received]);
  expect(hook.received.length).toBeGreaterThan(0);
});
