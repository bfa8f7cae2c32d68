// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import type { ServerResponse } from 'node:http';
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

let service: Service;
let account: Account;
let key: string;
let hook: Hook;
/** Requests that are waiting for an answer. */
let held: ServerResponse[];
const hold = () => (response: ServerResponse) => void held.push(response);
const accept = (count = held.length) => {
  for (const response of held.splice(0, count)) response.writeHead(204).end();
};
const byNumber = (left: number, right: number) => left - right;
beforeAll(async () => {
  service = await startService({ env: LOOPBACK });
  // Those that other files have left in the database.
  await pauseAll(service);
});
afterAll(async () => {
  await stopDeliveries(service);
  await service.close();
});
afterEach(async () => {
  // A failed test may have left requests, and the receiver waits for their answers before it stops.
  accept();
  await hook.stop();
  await pauseAll(service);
});
async function begin(answer: Hook['answer'], body: object = {}) {
  held = [];
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
  hook = await startHook(answer);
  const created = await createHook(service, key, { url: hook.url, events: ['device.*'], ...body });
  // Its first look for events must not find those that follow, or they would not be one chunk.
  await service.app.deps.webhooks.idle();
  return created;
}
const create = async (count: number) => {
  for (let n = 0; n < count; n += 1) await createDevice(service, key);
};
const patch = (id: string, body: object) => service.call('PATCH', `/v1/webhooks/${id}`, { as: key, body });
const replay = (id: string, fromSeq: number | undefined, toSeq?: number) =>
  service.call('POST', `/v1/webhooks/${id}/replay`, { as: key, body: { fromSeq, toSeq } });
/** Starts the deliveries, without waiting for the end of those that are held. */
async function startDeliveries(ms = 60) {
  service.clock.advance(ms);
  await service.app.deps.webhooks.search();
}

describe('a slow receiver', () => {
  it('is sent nothing that could outlast the lease, and then the rest', async () => {
    const { id } = await begin(() => 204);
    await create(1);
    await deliver(service, 3_000);
    hook.answer = hold;
    await patch(id, { status: 'paused' });
    await create(20);
    await patch(id, { status: 'active' });
    await startDeliveries();
    await expect.poll(() => held.length).toBe(8);
    const first = Math.min(...hook.seqs().slice(1));
    // The lease has less than 16 of its 20 seconds left.
    service.clock.advance(5_000);
    accept(7);
    await expect.poll(() => held.length).toBe(1);
    await readHook(service, key, id);
    expect(hook.received).toHaveLength(9);
    accept();
    await expect.poll(() => held.length).toBe(8);
    expect(await readHook(service, key, id)).toMatchObject({ cursor: first + 7 });
    hook.answer = () => 204;
    accept();
    await service.app.deps.webhooks.idle();
    expect(hook.seqs().slice(1).toSorted(byNumber)).toEqual(
      Array.from({ length: 20 }, (_, at) => first + at),
    );
  });

  it('that never accepted anything keeps no other webhook of its account waiting', async () => {
    await begin(hold);
    const other = await startHook();
    await createHook(service, key, { url: other.url, events: ['device.*'] });
    await create(70);
    await startDeliveries();
    await expect.poll(() => [held.length, other.received.length]).toEqual([1, 70]);
    hook.answer = () => 204;
    accept();
    await service.app.deps.webhooks.idle();
    expect(hook.received).toHaveLength(70);
    await other.stop();
  });
});

describe('a chunk', () => {
  it('has at most 64 events, and is recorded when it was sent', async () => {
    const { id } = await begin(({ body }) => (body.data.seq - start > 65 ? hold() : 204));
    // The event that created the webhook follows this one.
    const start: number = (await readHook(service, key, id)).cursor;
    await create(70);
    await startDeliveries();
    await expect
      .poll(async () => {
        await startDeliveries(0);
        return held.length;
      })
      .toBe(6);
    expect(await readDeliveries(service, key, id)).toHaveLength(64);
    expect(await readHook(service, key, id)).toMatchObject({ cursor: start + 65 });
    hook.answer = () => 204;
    accept();
    await service.app.deps.webhooks.idle();
    expect(new Set(hook.seqs()).size).toBe(70);
  });

  it('of an ordered webhook has one event, so at most one is sent twice', async () => {
    const { id } = await begin(() => 204, { ordered: true });
    await create(3);
    await deliver(service);
    const [first = 0] = hook.seqs();
    hook.answer = hold;
    await create(3);
    await startDeliveries();
    await expect.poll(() => held.length).toBe(1);
    expect(await readHook(service, key, id)).toMatchObject({ cursor: first + 2 });
    hook.answer = () => 204;
    accept();
    await service.app.deps.webhooks.idle();
    expect(hook.seqs()).toEqual(Array.from({ length: 6 }, (_, at) => first + at));
  });
});

describe('webhooks of one chain', () => {
  it('are each sent what they select, although they share what is read', async () => {
    await begin(() => 204);
    const hooks = await Promise.all([startHook(), startHook(), startHook()]);
    const [updates, nothing, late] = hooks;
    await createHook(service, key, { url: updates.url, events: ['webhook.updated'] });
    const idle = await createHook(service, key, { url: nothing.url, events: ['identity.revoked'] });
    await create(2);
    await service.call('PATCH', `/v1/webhooks/${idle.id}`, { as: key, body: { description: 'one' } });
    await deliver(service);
    await createHook(service, key, { url: late.url, events: ['webhook.created'] });
    await create(1);
    await createHook(service, key, { url: late.url, events: ['user.created'] });
    await deliver(service);
    await deliver(service);
    expect(hook.types()).toEqual(Array(3).fill('device.created'));
    expect(updates.types()).toEqual(['webhook.updated']);
    expect(late.types()).toEqual(['webhook.created']);
    expect(nothing.types()).toEqual([]);
    for (const { received } of [hook, updates, late])
      for (const [at, { body }] of received.entries())
        expect(body.data.previousSeq).toBe(at === 0 ? null : received[at - 1]?.body.data.seq);
    // Until the leases are given back.
    await deliver(service, 3_000);
    await deliver(service, 3_000);
    expect(await readHook(service, key, idle.id)).toMatchObject({ lag: 0 });
    for (const each of hooks) await each.stop();
  });

  it('that fail again and again do not stop those that work', async () => {
    await begin(() => 500);
    const other = await startHook();
    await createHook(service, key, { url: other.url, events: ['device.*'] });
    for (let round = 0; round < 4; round += 1) {
      await create(20);
      await deliver(service, 6_100);
    }
    expect(other.received).toHaveLength(80);
    await other.stop();
  });
});

describe('a replay', () => {
  it('that the tenant starts while an event is sent does not send that event twice', async () => {
    const { id } = await begin(() => 204);
    await create(2);
    await deliver(service);
    const [first = 0] = hook.seqs();
    hook.answer = hold;
    await create(1);
    await startDeliveries();
    await expect.poll(() => held.length).toBe(1);
    expect((await replay(id, first, first)).status).toBe(202);
    hook.answer = () => 204;
    accept();
    await deliver(service);
    const replayed = hook.received.map(({ headers, body }) => [body.data.seq, headers['svc-replay'] ?? null]);
    expect(replayed).toEqual([
      [first, null],
      [first + 1, null],
      [first + 2, null],
      [first, 'true'],
    ]);
  });

  it('that the tenant extends while it is sent covers both ranges', async () => {
    const { id } = await begin(() => 204);
    await create(6);
    await deliver(service);
    const [first = 0] = hook.seqs();
    hook.answer = hold;
    await replay(id, first + 3, first + 3);
    await startDeliveries();
    await expect.poll(() => held.length).toBe(1);
    await replay(id, first + 1, first + 5);
    hook.answer = () => 204;
    accept();
    await deliver(service);
    const seqs = hook.received
      .filter(({ headers }) => headers['svc-replay'] === 'true')
      .map(({ body }) => body.data.seq);
    expect([...new Set(seqs)].toSorted(byNumber)).toEqual([1, 2, 3, 4, 5].map((at) => first + at));
    const [row] = await service.db.query(sql.query`select replay_from from webhooks where id = ${id}`);
    expect(row).toEqual({ replay_from: null });
  });

  it('and new events take turns', async () => {
    const { id } = await begin(() => 204);
    await create(130);
    await deliver(service);
    const [first = 0] = hook.seqs();
    await create(1);
    await replay(id, first);
    await deliver(service);
    const replays = hook.received.slice(130).map(({ headers }) => headers['svc-replay'] === 'true');
    expect(replays.filter(Boolean)).toHaveLength(130);
    expect(replays.lastIndexOf(true)).toBeGreaterThan(replays.indexOf(false));
  });
});
