import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS } from '../../src/model/plans.js';
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
});
afterAll(async () => {
  await stopDeliveries(service);
  await service.close();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
  hook = await startHook();
});
afterEach(async () => {
  await hook.stop();
  await pauseAll(service);
});

const call = (method: string, path: string, body?: object, as = key) =>
  service.call(method, path, { as, ...(body && { body }) });
const actions = async (): Promise<string[]> =>
  (await call('GET', '/v1/audit?limit=20')).body.audit.map(({ action }: { action: string }) => action);

describe('creating a webhook [POST /v1/webhooks] [events/webhooks]', () => {
  it('shows its secret once and its record without it, and is audited [webhook.created]', async () => {
    const reply = await call('POST', '/v1/webhooks', {
      url: hook.url,
      events: ['user.*', 'identity.revoked'],
    });
    expect(reply.status).toBe(201);
    const { webhook, secret } = reply.body;
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(webhook).toMatchObject({
      url: hook.url,
      description: null,
      events: ['user.*', 'identity.revoked'],
      ordered: false,
      outcome: 'success',
      throttled: true,
      status: 'active',
      disabledReason: null,
      lastSuccessAt: null,
      consecutiveFailures: 0,
    });
    expect(await readHook(service, key, webhook.id)).toEqual({ ...webhook, lag: 1 });
    expect((await call('GET', '/v1/webhooks')).body.webhooks).toHaveLength(1);
    expect(await actions()).toContain('webhook.created');
    const dump = await service.db.query(sql`select t::text as row from webhooks t where id = ${webhook.id}`);
    expect(JSON.stringify(dump)).not.toContain(secret.slice(6, 30));
    expect(service.logged.join('')).not.toContain(secret.slice(6, 30));
  });

  it.each([
    'ftp://example.com/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com:22/',
    'https://10.0.0.1/',
    'https://2130706433.0/',
    'https://[::1]/',
    'https://192.168.1.1:8443/',
    'not a url',
  ])('rejects %s [webhook_url_refused]', async (url) => {
    const reply = await call('POST', '/v1/webhooks', { url, events: ['*'] });
    expect([reply.status, reply.body.error]).toEqual([400, 'webhook_url_refused']);
    expect(reply.body.details[0].path).toBe('body.url');
  });

  it.each([
    { url: `https://example.com/${'a'.repeat(2_040)}` },
    { events: [] },
    { events: ['no.such'] },
    { events: ['user'] },
    { events: ['*.created'] },
    { events: ['webhook.test'] },
    { outcome: 'all' },
    { ordered: 'yes' },
    { since: -1 },
    { since: 'later' },
    { since: 100_000 },
    { description: '' },
    { secret: 'whsec_mine' },
  ])('rejects %o', async (body) => {
    const reply = await call('POST', '/v1/webhooks', { url: hook.url, events: ['*'], ...body });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('allows as many as the plan says, in each environment, also at the same time [webhook_limit_reached]', async () => {
    await service.db.query(sql`update tenants set plan = 'starter' where id = ${account.tenantId}`);
    const body = { url: hook.url, events: ['*'] };
    const replies = await Promise.all(Array.from({ length: 6 }, () => call('POST', '/v1/webhooks', body)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.error).toBe('webhook_limit_reached');
    const test = await eventKey(service, account, 'test');
    expect((await call('POST', '/v1/webhooks', body, test)).status).toBe(201);
    const limits = Object.values(PLAN_LIMITS).map(({ webhooks }) => webhooks);
    expect(limits).toEqual([1, 3, 10, 50]);
  });

  it('begins with the next event by default, or after any earlier one', async () => {
    await createDevice(service, key);
    await createDevice(service, key);
    const { body } = await call('GET', '/v1/events?types=device.*');
    const [first, second] = body.events;
    await createHook(service, key, { url: hook.url, events: ['device.*'], since: first.seq });
    await deliver(service);
    expect(hook.seqs()).toEqual([second.seq]);
    await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createHook(service, key, { url: hook.url, events: ['tenant.created'], since: 0 });
    await deliver(service);
    await deliver(service);
    expect(hook.types()).toEqual(['device.created', 'tenant.created']);
  });
});

describe('a webhook', () => {
  it('is sent what it selects: types, outcome, and no events about itself', async () => {
    const hooks = await Promise.all(['success', 'failure', 'any'].map(() => startHook()));
    const ids: string[] = [];
    for (const [at, outcome] of ['success', 'failure', 'any'].entries()) {
      const { id } = await createHook(service, key, { url: hooks[at]?.url, outcome });
      ids.push(id);
    }
    await deliver(service);
    const before = hooks.map(({ received }) => received.length);
    await createDevice(service, key);
    // What is changed while it is delivered may be sent twice.
    await deliver(service);
    await call('PATCH', `/v1/webhooks/${ids[2]}`, { description: 'Changed' });
    await service.call('POST', '/v1/identity/verify', {
      as: key,
      body: { did: 'did:svc:unknown', proof: {}, publicSignals: [] },
    });
    await deliver(service);
    await deliver(service);
    const types = hooks.map((own, at) => own.types().slice(before[at]));
    expect(types[0]).toEqual(['device.created', 'webhook.updated']);
    expect(types[1]).toEqual([]);
    expect(types[2]).toEqual(['device.created']);
    await Promise.all(hooks.map((own) => own.stop()));
  });

  it('belongs to one account and environment [webhook_not_found] [GET /v1/webhooks] [GET /v1/webhooks/:id]', async () => {
    const { id } = await createHook(service, key, { url: hook.url });
    const strangers = [
      await eventKey(service, await service.signUp()),
      await eventKey(service, account, 'test'),
    ];
    for (const as of strangers) {
      expect((await call('GET', '/v1/webhooks', undefined, as)).body.webhooks).toEqual([]);
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { status: 'paused' }],
        ['DELETE', ''],
        ['POST', '/rotate-secret', {}],
        ['POST', '/test'],
        ['POST', '/replay', { fromSeq: 1 }],
        ['GET', '/deliveries'],
      ] as const) {
        const reply = await call(method, `/v1/webhooks/${id}${path}`, body, as);
        expect([reply.status, reply.body.error], `${method} ${path}`).toEqual([404, 'webhook_not_found']);
      }
    }
    expect(await readHook(service, key, id)).toMatchObject({ status: 'active' });
  });

  it('can be read with events:read and changed with webhooks:write alone', async () => {
    const { id } = await createHook(service, key, { url: hook.url });
    const reader = await service.createKey(account, 'live', ['events:read']);
    const writer = await service.createKey(account, 'live', ['webhooks:write']);
    expect((await call('GET', `/v1/webhooks/${id}`, undefined, writer)).body.error).toBe(
      'insufficient_scopes',
    );
    expect((await call('DELETE', `/v1/webhooks/${id}`, undefined, reader)).body.error).toBe(
      'insufficient_scopes',
    );
    expect((await call('GET', `/v1/webhooks/${id}/deliveries`, undefined, reader)).status).toBe(200);
    expect((await call('PATCH', `/v1/webhooks/${id}`, { description: null }, writer)).status).toBe(200);
  });
});

describe('changing a webhook [PATCH /v1/webhooks/:id] [webhook.updated]', () => {
  it('takes effect with the next event', async () => {
    const next = await startHook();
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    await deliver(service);
    await call('PATCH', `/v1/webhooks/${id}`, { url: next.url });
    await createDevice(service, key);
    await deliver(service);
    expect([hook.received.length, next.received.length]).toEqual([1, 1]);
    expect(next.received[0]?.body.data.previousSeq).toBe(hook.seqs()[0]);
    await call('PATCH', `/v1/webhooks/${id}`, { events: ['*'] });
    await createDevice(service, key);
    await deliver(service);
    expect(next.received[1]?.body.data.previousSeq).toBeNull();
    await next.stop();
  });

  it('pauses it, and goes on where it stopped', async () => {
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'paused' });
    await createDevice(service, key);
    await deliver(service);
    expect(hook.received).toEqual([]);
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'active' });
    await deliver(service);
    expect(hook.types()).toEqual(['device.created']);
  });

  it.each([{}, { status: 'disabled' }, { id: 'x' }, { events: [] }, { url: null }])(
    'rejects %j',
    async (body) => {
      const { id } = await createHook(service, key, { url: hook.url });
      expect((await call('PATCH', `/v1/webhooks/${id}`, body)).status).toBe(400);
    },
  );
});

describe('replacing the secret [POST /v1/webhooks/:id/rotate-secret] [webhook.secret_rotated]', () => {
  it('signs with both until the grace ends, also if it is replaced twice', async () => {
    const { id, secret, webhook } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    const rotate = async (body: object) =>
      (await call('POST', `/v1/webhooks/${id}/rotate-secret`, body)).body.secret;
    const { publicKey } = webhook;
    const second = await rotate({ graceSeconds: 60 });
    await createDevice(service, key);
    await deliver(service);
    expectSigned(hook.received[0] as never, { secrets: [second, secret], publicKey });
    const third = await rotate({ graceSeconds: 60 });
    await createDevice(service, key);
    await deliver(service);
    expectSigned(hook.received[1] as never, { secrets: [third, second], publicKey });
    service.clock.advance(60_000);
    await createDevice(service, key);
    // The node's lease has ended as well. The first search may come before the node notices.
    for (let search = 0; search < 50 && hook.received.length < 3; search++) await deliver(service);
    expectSigned(hook.received[2] as never, { secrets: [third], publicKey });
    const fourth = await rotate({ graceSeconds: 0 });
    await createDevice(service, key);
    await deliver(service);
    expectSigned(hook.received[3] as never, { secrets: [fourth], publicKey });
  });
});

describe('a test delivery [POST /v1/webhooks/:id/test]', () => {
  it('is sent now, signed, and returned with its result, also while the webhook is paused', async () => {
    const { id, secret, webhook } = await createHook(service, key, { url: hook.url });
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'paused' });
    const { body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect(body.delivery).toMatchObject({
      type: 'webhook.test',
      seq: null,
      status: 'succeeded',
      httpStatus: 204,
    });
    expectSigned(hook.received[0] as never, { secrets: [secret], publicKey: webhook.publicKey });
    expect(hook.received[0]?.body).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: id, environment: 'live', tenantId: account.tenantId },
    });
    hook.answer = () => 500;
    const failed = await call('POST', `/v1/webhooks/${id}/test`);
    expect(failed.body.delivery).toMatchObject({ status: 'abandoned', httpStatus: 500, errorCode: 'status' });
    expect(await readDeliveries(service, key, id, '&status=abandoned')).toHaveLength(1);
  });
});

describe('deleting a webhook [DELETE /v1/webhooks/:id] [webhook.deleted]', () => {
  it('ends its deliveries and retries, also with one in flight', async () => {
    let respond = () => {};
    hook.answer = () => (response) => {
      respond = () => response.writeHead(500).end();
    };
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    service.clock.advance(60);
    await service.app.deps.webhooks.search();
    await expect.poll(() => hook.received.length).toBe(1);
    expect((await call('DELETE', `/v1/webhooks/${id}`)).body).toEqual({ deleted: true });
    respond();
    await service.app.deps.webhooks.idle();
    await deliver(service, 10_000);
    expect(hook.received).toHaveLength(1);
    expect((await call('DELETE', `/v1/webhooks/${id}`)).status).toBe(404);
    const [left] = await service.db.query(
      sql`select count(*)::int as count from webhook_retries where webhook_id = ${id}`,
    );
    expect(left).toEqual({ count: 0 });
  });
});

describe('sending events again [POST /v1/webhooks/:id/replay] [GET /v1/webhooks/:id/deliveries] [webhook.replayed]', () => {
  it('sends a range with the same ids and bodies, marked as replay', async () => {
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    for (let n = 0; n < 4; n += 1) await createDevice(service, key);
    await deliver(service, 3_000);
    await deliver(service, 3_000);
    const sent = [...hook.received];
    const [, from = 0, to = 0] = hook.seqs();
    const reply = await call('POST', `/v1/webhooks/${id}/replay`, { fromSeq: from, toSeq: to });
    expect([reply.status, reply.body]).toEqual([202, { replay: { fromSeq: from, toSeq: to } }]);
    await deliver(service);
    const again = hook.received.slice(4);
    expect(again.map(({ text }) => text)).toEqual(sent.slice(1, 3).map(({ text }) => text));
    expect(again.map(({ headers }) => headers['webhook-id'])).toEqual(
      sent.slice(1, 3).map(({ headers }) => headers['webhook-id']),
    );
    expect(again.every(({ headers }) => headers['svc-replay'] === 'true')).toBe(true);
    expect(sent.some(({ headers }) => 'svc-replay' in headers)).toBe(false);
  });

  it('sends the event of one delivery', async () => {
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    await createDevice(service, key);
    await deliver(service, 3_000);
    const [, older] = await readDeliveries(service, key, id);
    await call('POST', `/v1/webhooks/${id}/replay`, { deliveryId: older.id });
    await deliver(service);
    await deliver(service, 3_000);
    expect(hook.seqs().at(-1)).toBe(older.seq);
    expect(hook.received).toHaveLength(3);
    expect((await readDeliveries(service, key, id))[0]).toMatchObject({
      seq: older.seq,
      replay: true,
      attempt: 1,
    });
  });

  it('repeats what failed, and waits for a webhook that is paused', async () => {
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    await deliver(service, 3_000);
    await deliver(service, 3_000);
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'paused' });
    await call('POST', `/v1/webhooks/${id}/replay`, { fromSeq: 1 });
    await deliver(service);
    expect(hook.received).toHaveLength(1);
    hook.answer = (_, before) => (before === 1 ? 500 : 200);
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'active' });
    await deliver(service);
    await deliver(service, 6_100);
    expect(hook.received.map(({ headers }) => headers['svc-replay'])).toEqual([undefined, 'true', 'true']);
  });

  it.each([
    {},
    { toSeq: 2 },
    { fromSeq: 0 },
    { fromSeq: 2, toSeq: 1 },
    { fromSeq: 1_000 },
    { fromSeq: 1, deliveryId: crypto.randomUUID() },
    { deliveryId: crypto.randomUUID() },
  ])('rejects %j', async (body) => {
    const { id } = await createHook(service, key, { url: hook.url });
    expect((await call('POST', `/v1/webhooks/${id}/replay`, body)).status).toBe(400);
  });
});

describe('webhooks of a suspended account', () => {
  it('are not sent anything until it is active again, and nothing is lost', async () => {
    await createHook(service, key, { url: hook.url, events: ['tenant.*'] });
    // An event before this one might be sent before the suspension.
    await service.setStatus(account, 'suspended');
    await deliver(service);
    await deliver(service, 1_000);
    expect(hook.received).toEqual([]);
    await service.setStatus(account, 'active');
    await deliver(service, 1_000);
    await deliver(service, 1_000);
    expect(hook.types()).toEqual(['tenant.suspended', 'tenant.activated']);
  });
});

describe('a database that was restored', () => {
  it('disables the webhook instead of skipping numbers that are used again [webhook.disabled] [webhook.enabled]', async () => {
    const { id } = await createHook(service, key, { url: hook.url, events: ['device.*'] });
    await createDevice(service, key);
    // Until the node gives the lease back.
    for (let n = 0; n < 4; n += 1) await deliver(service, 3_000);
    await service.db.query(sql`update webhooks set cursor_hash = ${'0'.repeat(64)} where id = ${id}`);
    await createDevice(service, key);
    await deliver(service);
    await deliver(service);
    expect(await readHook(service, key, id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'chain_diverged',
    });
    expect(hook.received).toHaveLength(1);
    expect((await call('PATCH', `/v1/webhooks/${id}`, { status: 'active' })).body.details[0].path).toBe(
      'body.since',
    );
    expect((await call('PATCH', `/v1/webhooks/${id}`, { status: 'active', since: 'now' })).status).toBe(200);
    await createDevice(service, key);
    await deliver(service);
    expect(hook.received).toHaveLength(2);
  });
});

describe('webhooks in a session of the dashboard', () => {
  it('are the same ones, with the key that created them', async () => {
    const { id } = await createHook(service, key, { url: hook.url });
    const asOwner = (method: string, path: string, body?: object) =>
      service.call(method, `/v1/webhooks${path}`, { body, session: account.token });
    const [listed] = (await asOwner('GET', '')).body.webhooks;
    expect(listed).toMatchObject({ id, keyName: 'Test', keyRevokedAt: null });
    const { body } = await call('GET', '/api/console/keys', undefined, account.token);
    const { id: keyId } = body.keys.find(({ prefix }: { prefix: string }) => key.startsWith(prefix));
    await call('DELETE', `/api/console/keys/${keyId}`, undefined, account.token);
    expect((await asOwner('GET', `/${id}`)).body.webhook.keyRevokedAt).not.toBeNull();
    const created = await asOwner('POST', '', { url: hook.url, events: ['*'] });
    expect(created.body.webhook.keyId).toBeNull();
    expect(created.body.secret).toMatch(/^whsec_/);
    expect((await asOwner('PATCH', `/${id}`, { ordered: true })).body.webhook.ordered).toBe(true);
    expect((await asOwner('POST', `/${id}/rotate-secret`, {})).body.secret).toMatch(/^whsec_/);
    expect((await asOwner('POST', `/${id}/test`)).body.delivery.status).toBe('succeeded');
    expect((await asOwner('POST', `/${id}/replay`, { fromSeq: 1 })).status).toBe(202);
    expect((await asOwner('GET', `/${id}/deliveries`)).body.deliveries).toHaveLength(1);
    expect((await asOwner('DELETE', `/${id}`)).body).toEqual({ deleted: true });
  });
});
