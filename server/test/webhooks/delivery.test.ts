import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  expectSigned,
  type Hook,
  LOOPBACK,
  pauseAll,
  readDeliveries,
  readHook,
  startHook,
  stopDeliveries,
} from '../support/webhooks.js';

let service: Service;
let account: Account;
let key: string;
let hook: Hook;
beforeAll(async () => {
  service = await startService({ env: LOOPBACK });
  // Those that other files have left in the database.
  await pauseAll(service);
});
afterAll(async () => {
  await stopDeliveries(service);
  await service.close();
});
const begin = async (answer?: Hook['answer']) => {
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
  hook = await startHook(answer);
};
afterEach(async () => {
  await hook.stop();
  await pauseAll(service);
});

describe('a delivery [events/delivery]', () => {
  it('is the event of the feed in one line of JSON, signed with the secret and with the public key', async () => {
    await begin();
    const { id, secret, webhook } = await createHook(service, key, { url: hook.url });
    const deviceId = await createDevice(service, key);
    await deliver(service);
    expect(hook.received).toHaveLength(1);
    const [delivery] = hook.received;
    if (delivery === undefined) throw new Error('nothing arrived');
    expectSigned(delivery, { secrets: [secret], publicKey: webhook.publicKey });
    const feed = await service.call('GET', '/v1/events?types=device.created', { as: key });
    const [event] = feed.body.events;
    expect(event.entityId).toBe(deviceId);
    expect(delivery.text).not.toContain('\n');
    expect(delivery.body).toEqual({
      type: 'device.created',
      timestamp: event.createdAt,
      data: { ...event, tenantId: account.tenantId, previousSeq: null, previousHash: null },
    });
    expect(delivery.headers).toMatchObject({
      'webhook-id': `evt_${event.id}`,
      'content-type': 'application/json',
      'webhook-timestamp': String(Math.floor(service.clock.now() / 1000)),
    });
    await deliver(service, 3_000);
    expect(await readHook(service, key, id)).toMatchObject({
      cursor: event.seq,
      lag: 0,
      consecutiveFailures: 0,
    });
    expect(await readDeliveries(service, key, id)).toMatchObject([
      {
        seq: event.seq,
        type: 'device.created',
        attempt: 1,
        status: 'succeeded',
        httpStatus: 204,
        errorCode: null,
      },
    ]);
  });

  it('names the event before it that the webhook selects', async () => {
    await begin();
    await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    await service.createKey(account, 'live');
    await createDevice(service, key);
    await deliver(service);
    const [first, second] = hook.received.map(({ body }) => body.data);
    expect(second.previousSeq).toBe(first.seq);
    expect(second.previousHash).toBe(first.hash);
    expect(second.seq).toBe(first.seq + 2);
  });

  it('is repeated until it is accepted, with the same id and body', async () => {
    await begin((_, before) => (before < 2 ? 500 : 200));
    const { id } = await createHook(service, key, { url: hook.url });
    await createDevice(service, key);
    await deliver(service);
    expect(await readDeliveries(service, key, id)).toMatchObject([
      { attempt: 1, status: 'pending', httpStatus: 500, errorCode: 'status' },
    ]);
    await deliver(service, 6_100);
    await deliver(service, 6 * 60_000);
    expect(hook.received).toHaveLength(3);
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hook.received.map(({ text }) => text)).size).toBe(1);
    expect(await readDeliveries(service, key, id)).toMatchObject([
      { attempt: 3, status: 'succeeded' },
      { attempt: 2, status: 'failed' },
      { attempt: 1, status: 'failed' },
    ]);
  });
});
