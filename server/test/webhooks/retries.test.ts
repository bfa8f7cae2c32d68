// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
  readDeliveries,
  readHook,
  startHook,
  stopDeliveries,
} from '../support/webhooks.js';

const HOUR_MS = 3_600_000;

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
  await stopDeliveries(service);
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
const audited = async (action: string) =>
  (await service.call('GET', `/v1/audit?action=${action}`, { as: key })).body.audit;
/** Lets days pass in steps, so that every retry comes at its time. */
async function wait(ms: number, step = HOUR_MS / 4) {
  for (let passed = 0; passed < ms; passed += step) await deliver(service, step);
}

describe('an unordered webhook', () => {
  it('goes on with later events while one is retried', async () => {
    let rejected: number | undefined;
    const { id } = await begin(({ body }) => {
      rejected ??= body.data.seq;
      return body.data.seq === rejected ? 503 : 200;
    });
    await create(3);
    await deliver(service);
    expect(hook.received).toHaveLength(3);
    await deliver(service, 2_500);
    expect(await readHook(service, key, id)).toMatchObject({ status: 'active', lag: 0 });
    expect(await readDeliveries(service, key, id, '&status=pending')).toMatchObject([{ seq: rejected }]);
    rejected = -1;
    await deliver(service, 6_100);
    expect(hook.seqs()).toHaveLength(4);
    expect(await readDeliveries(service, key, id, '&status=pending')).toEqual([]);
  });

  it('is disabled by the first event that ten attempts could not deliver, and sends it when it is turned on [webhook.disabled] [webhook.enabled]', async () => {
    const { id } = await begin(() => 500);
    await create(1);
    await deliver(service);
    await deliver(service, 6_100);
    await wait(4 * 24 * HOUR_MS);
    expect(hook.received).toHaveLength(10);
    expect(await readHook(service, key, id)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect((await readDeliveries(service, key, id)).map(({ status }: { status: string }) => status)).toEqual([
      'abandoned',
      ...Array(9).fill('failed'),
    ]);
    expect(await audited('webhook.disabled')).toMatchObject([
      { actorType: 'system', entityId: id, metadata: { reason: 'failing' } },
    ]);
    await create(1);
    await wait(HOUR_MS);
    expect(hook.received).toHaveLength(10);
    hook.answer = () => 200;
    expect((await patch(id, { status: 'active' })).body.webhook).toMatchObject({
      status: 'active',
      disabledReason: null,
    });
    await deliver(service);
    expect(hook.received).toHaveLength(12);
    expect(await audited('webhook.enabled')).toHaveLength(1);
  });

  it('waits as long as Retry-After says, and at most 24 hours', async () => {
    await begin((_, before) => (before === 0 ? { status: 429, headers: { 'retry-after': '600' } } : 200));
    await create(1);
    await deliver(service);
    await wait(590_000, 5_000);
    expect(hook.received).toHaveLength(1);
    await wait(15_000, 5_000);
    expect(hook.received).toHaveLength(2);
  });
});

describe('a webhook whose receiver answers 410', () => {
  it('is disabled immediately, and sends that event again when it is turned on', async () => {
    const { id } = await begin(() => 410);
    await create(1);
    await deliver(service);
    expect(await readHook(service, key, id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    hook.answer = () => 200;
    await patch(id, { status: 'active' });
    await deliver(service);
    expect(hook.received).toHaveLength(2);
    expect(hook.received[1]?.text).toBe(hook.received[0]?.text);
  });

  it('drops what waits if it is turned on with `since: "now"`', async () => {
    const { id } = await begin(() => 410);
    await create(2);
    await deliver(service);
    const before = hook.received.length;
    hook.answer = () => 200;
    expect((await patch(id, { status: 'active', since: 'now' })).status).toBe(200);
    await create(1);
    await deliver(service);
    expect(hook.received).toHaveLength(before + 1);
    expect(hook.received.at(-1)?.body.data.previousSeq).toBeNull();
  });
});

describe('an ordered webhook', () => {
  it('sends nothing after an event until that one is accepted', async () => {
    const { id } = await begin((_, before) => (before < 2 ? 500 : 200), { ordered: true });
    await create(3);
    await deliver(service);
    expect(hook.received).toHaveLength(1);
    await deliver(service, 6_100);
    expect(hook.received).toHaveLength(2);
    expect(await readHook(service, key, id)).toMatchObject({ lag: 3 });
    await deliver(service, 6 * 60_000);
    const [first] = hook.seqs();
    if (first === undefined) throw new Error('nothing arrived');
    expect(hook.seqs()).toEqual([first, first, first, first + 1, first + 2]);
    await deliver(service, 3_000);
    expect(await readHook(service, key, id)).toMatchObject({ lag: 0 });
  });

  it('is disabled after 24 hours at one event with its cursor before it, and goes on there', async () => {
    const { id } = await begin(() => 500, { ordered: true });
    await create(2);
    await wait(26 * HOUR_MS);
    expect(await readHook(service, key, id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      lag: 3,
    });
    hook.answer = () => 200;
    const tried = hook.received.length;
    await patch(id, { status: 'active' });
    await deliver(service);
    await deliver(service);
    const [first = 0] = hook.seqs();
    expect(hook.seqs().slice(tried)).toEqual([first, first + 1]);
  });
});

describe('a receiver that misbehaves', () => {
  it.each([
    ['redirects', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), 302, 'status'],
    [
      'closes in the middle',
      () => (response: { destroy(): void }) => void response.destroy(),
      null,
      'connect',
    ],
  ] as const)('that %s is a failed attempt', async (_, answer, httpStatus, errorCode) => {
    const { id } = await begin(answer as Hook['answer']);
    await create(1);
    await deliver(service);
    expect(await readDeliveries(service, key, id)).toMatchObject([
      { httpStatus, errorCode, status: 'pending' },
    ]);
  });

  it('that never answers is a timeout after 15 seconds, and keeps nobody else waiting', async () => {
    const { id } = await begin(() => () => {});
    const other = await startHook();
    await createHook(service, key, { url: other.url, events: ['device.*'] });
    await create(1);
    service.clock.advance(60);
    await service.app.deps.webhooks.search();
    await expect.poll(() => [hook.received.length, other.received.length]).toEqual([1, 1]);
    service.clock.advance(15_001);
    await service.app.deps.webhooks.idle();
    expect(await readDeliveries(service, key, id)).toMatchObject([
      { httpStatus: null, errorCode: 'timeout' },
    ]);
    await other.stop();
  });

  it('that sends a large body counts by its status, and nothing of the body is kept', async () => {
    const { id } = await begin(() => (response) => {
      const chunk = 'secret of the receiver '.repeat(1_000);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write);
      };
      response.on('error', () => {});
      response.writeHead(200);
      write();
    });
    await create(1);
    await deliver(service);
    expect(await readDeliveries(service, key, id)).toMatchObject([{ httpStatus: 200, status: 'succeeded' }]);
    const dumped = await service.db.query(
      sql`select t::text as row from webhook_attempts t where webhook_id = ${id}`,
    );
    expect(JSON.stringify(dumped)).not.toContain('secret of the receiver');
    expect(service.logged.join('')).not.toContain('secret of the receiver');
  });

  it('at an address that is not allowed looks like a closed port', async () => {
    const closed = await startHook();
    await closed.stop();
    await begin(() => 200);
    const inside = await createHook(service, key, { url: 'https://inside.example/hooks' });
    const outcome = async (id: string) => {
      const { body } = await service.call('POST', `/v1/webhooks/${id}/test`, { as: key });
      const { status, httpStatus, errorCode } = body.delivery;
      return { status, httpStatus, errorCode };
    };
    const port = await createHook(service, key, { url: closed.url });
    expect(await outcome(port.id)).toEqual({ status: 'abandoned', httpStatus: null, errorCode: 'connect' });
    expect(await outcome(inside.id)).toEqual(await outcome(port.id));
  });
});

describe('a replay of an ordered webhook', () => {
  it('waits for the retry of its first event, and lets new events through', async () => {
    const { id } = await begin(() => 200, { ordered: true });
    await create(2);
    await deliver(service, 3_000);
    await deliver(service, 3_000);
    const [first = 0] = hook.seqs();
    hook.answer = ({ headers }) => (headers['svc-replay'] === 'true' ? 500 : 200);
    await service.call('POST', `/v1/webhooks/${id}/replay`, { as: key, body: { fromSeq: first } });
    await deliver(service);
    await create(1);
    await deliver(service);
    expect(hook.received.map(({ headers }) => headers['svc-replay'])).toEqual([
      undefined,
      undefined,
      'true',
      undefined,
    ]);
    hook.answer = () => 200;
    await deliver(service, 6_100);
    await deliver(service);
    expect(hook.seqs().slice(4)).toEqual([first, first + 1]);
  });
});
