import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PLAN_LIMITS } from '../../src/model/plans.js';
import { ACTION, approvalKey, create, decide, openApproval } from '../support/approvals.js';
import { openStream } from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let key: string;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await approvalKey(service, account);
  ada = await registerPerson(service, account.key);
  grace = await registerPerson(service, account.key);
});
afterAll(() => service.close());

/** It ends by itself, so that no approvals add up for the people of this file. */
const open = (more = {}) =>
  openApproval(service, key, [ada.userId, grace.userId], { expiresInSeconds: 30, ...more });
const read = (path: string, as = key) => service.call('GET', `/v1/approvals${path}`, { as });
const places = () => service.app.deps.streams.size;
const revoke = async (raw: string) => {
  const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
  const { id } = body.keys.find(({ prefix }: { prefix: string }) => raw.startsWith(prefix));
  await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
};

describe('a request that waits for an approval [GET /v1/approvals/:id]', () => {
  it('returns after each decision', async () => {
    const approval = await open();
    for (const [person, state] of [
      [ada, 'pending'],
      [grace, 'approved'],
    ] as const) {
      const waiting = read(`/${approval.id}?wait=25`);
      await expect.poll(places).toBe(1);
      await decide(service, person, account, approval);
      expect((await waiting).body.approval.state).toBe(state);
    }
    expect((await read(`/${approval.id}?wait=25`)).body.approval.state).toBe('approved');
    expect(places()).toBe(0);
  });

  it('returns when its time or that of the approval is over', async () => {
    const approval = await open();
    const short = read(`/${approval.id}?wait=10`);
    await expect.poll(places).toBe(1);
    service.clock.advance(10_000);
    expect((await short).body.approval.state).toBe('pending');
    const long = read(`/${approval.id}?wait=25`);
    await expect.poll(places).toBe(1);
    service.clock.advance(20_000);
    expect((await long).body.approval.state).toBe('expired');
  });

  it('is rejected once its key is revoked', async () => {
    const own = await approvalKey(service, account);
    const waiting = read(`/${(await open()).id}?wait=25`, own);
    await expect.poll(places).toBe(1);
    await revoke(own);
    expect((await waiting).body.error).toBe('invalid_api_key');
    service.clock.advance(30_000);
  });

  it('returns immediately, and opens no stream, when all places are taken: a tenth of the plan’s streams', async () => {
    const free = await service.signUp();
    const own = await approvalKey(service, free);
    const person = await registerPerson(service, free.key);
    const { id } = await openApproval(service, own, [person.userId]);
    const most = PLAN_LIMITS.free.openStreams / 10;
    const streams = [];
    for (let n = 0; n < most; n++)
      streams.push(
        await openStream(service, `/v1/approvals/${id}/stream`, { authorization: `Bearer ${own}` }),
      );
    expect((await read(`/${id}?wait=25`, own)).body.approval.state).toBe('pending');
    const refused = await service.call('GET', `/v1/approvals/${id}/stream`, { as: own, endless: true });
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limit_exceeded']);
    for (const stream of streams) stream.disconnect();
    await expect.poll(places).toBe(0);
  });
});

describe('the stream of an approval [GET /v1/approvals/:id/stream]', () => {
  const stream = (id: string, as = key) =>
    openStream(service, `/v1/approvals/${id}/stream`, { authorization: `Bearer ${as}` });

  it('sends the approval as it is, then after each change, and ends with it', async () => {
    const approval = await open();
    const events = await stream(approval.id);
    const next = async () => {
      const { event, data } = await events.next();
      expect(event).toBe('approval');
      return [data.approval.state, data.approval.decisions.length];
    };
    expect(await next()).toEqual(['pending', 0]);
    await decide(service, ada, account, approval);
    expect(await next()).toEqual(['pending', 1]);
    await decide(service, grace, account, approval);
    expect(await next()).toEqual(['approved', 2]);
    service.clock.advance(30_000);
    expect(await next()).toEqual(['expired', 2]);
    expect(await events.ended()).toBe(true);
    await vi.waitFor(() => expect([places(), service.app.deps.bus.size]).toEqual([0, 0]));
  });

  it('ends when its key is revoked', async () => {
    const own = await approvalKey(service, account);
    const { id } = await open();
    const events = await stream(id, own);
    await events.next();
    await revoke(own);
    expect(await events.ended()).toBe(true);
    service.clock.advance(30_000);
  });
});

describe('the list of approvals [GET /v1/approvals]', () => {
  it('has those of a state, a person, a reference and a time, newest first', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const as = await approvalKey(service, own);
    const [one, other] = [await registerPerson(service, own.key), await registerPerson(service, own.key)];
    const first = await openApproval(service, as, [one.userId], {
      action: { ...ACTION, reference: 'invoice-1' },
    });
    service.clock.advance(1_000);
    const from = new Date(service.clock.now()).toISOString();
    const second = await openApproval(service, as, [one.userId, other.userId]);
    await decide(service, one, own, first);
    const listed = async (query: string) =>
      (await read(query, as)).body.approvals.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual([second.id, first.id]);
    expect(await listed('?state=approved')).toEqual([first.id]);
    expect(await listed(`?userId=${other.userId}`)).toEqual([second.id]);
    expect(await listed('?reference=invoice-1')).toEqual([first.id]);
    expect(await listed(`?from=${from}`)).toEqual([second.id]);
    expect(await listed(`?to=${from}`)).toEqual([first.id]);
    expect(await listed('?state=expired')).toEqual([]);
  });
});

describe('asking with an Idempotency-Key', () => {
  it('creates one approval, however often it is sent, and shows the number once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { approvers: [grace.userId], action: ACTION, match: 'type', expiresInSeconds: 30 };
    const send = () => service.call('POST', '/v1/approvals', { as: key, body, headers });
    const first = await send();
    expect(first.body.approval.matchCode).toMatch(/^[0-9]{2}$/);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    const { matchCode: _, ...rest } = first.body.approval;
    expect(again.body.approval).toEqual(rest);
    const other = await create(service, key, [grace.userId], { expiresInSeconds: 30 });
    expect(other.body.approval.id).not.toBe(first.body.approval.id);
  });
});
