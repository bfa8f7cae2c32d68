import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_WAIT_MS, MAX_WAITING, type Slot } from '../../src/http/admission/admission.js';
import { HOLD_MS } from '../../src/http/admission/shed.js';
import type { Caller } from '../../src/http/admission/turns.js';
import { type Account, ADMIN_KEY, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let port: number;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (service.app.http.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

const admission = () => service.app.deps.admission;
/** Requests of the tests themselves, which hold slots or wait. */
const held: Slot[] = [];
const hold = (caller: Caller, count: number) => {
  for (let n = 0; n < count; n++) {
    const slot = admission().slotFor(caller);
    slot.take()?.catch(() => {});
    held.push(slot);
  }
};
const FLOOD: Caller = { group: 'network', name: '203.0.113.1' };
/** No slot is left. */
const occupy = (caller = FLOOD) => hold(caller, admission().limit - admission().inProgress);
/** No slot is left, and no other request may wait. */
const fillQueue = (caller = FLOOD) => {
  occupy(caller);
  hold(caller, MAX_WAITING);
};
afterEach(async () => {
  while (held.some(({ state }) => state !== 'none')) for (const slot of held) slot.leave();
  held.length = 0;
  await vi.waitFor(() => expect(admission()).toMatchObject({ inProgress: 0, waiting: 0 }));
});

const waits = (count: number) => vi.waitFor(() => expect(admission().waiting).toBe(count));
const list = (as = account.key) => service.call('GET', '/v1/devices', { as });
const head = (method: string, path: string, fields: Record<string, string> = {}) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
async function open(text: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('a request that finds no slot', () => {
  it('is served as soon as another request has ended [limits/overload]', async () => {
    occupy();
    const reply = list();
    await waits(1);
    held[0]?.leave();
    expect((await reply).status).toBe(200);
  });

  it('gets 503 service_unavailable in the envelope with the usual headers after a second [limits/overload]', async () => {
    occupy();
    const late = list();
    await waits(1);
    service.clock.advance(MAX_WAIT_MS);
    const { status, body, headers } = await late;
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        error: 'service_unavailable',
        message: expect.any(String),
        docs: '/docs/errors#service_unavailable',
        requestId: headers['x-request-id'],
      },
    });
    expect(headers).toMatchObject({
      'retry-after': '2',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': expect.any(String),
    });
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  });

  it('spends no quota, no window of the plan and no window of its address', async () => {
    const address = freshAddress();
    const logIn = () =>
      service.call('POST', '/api/console/login', {
        address,
        body: { email: 'nobody@example.com', password: 'wrong horse 1 battery staple' },
      });
    const usage = async () => {
      await service.app.deps.meter.flush(account.tenantId);
      return (await service.call('GET', '/api/console/usage', { as: account.token })).body;
    };
    const remaining = async () => Number((await list()).headers['x-ratelimit-remaining']);
    const before = { remaining: await remaining(), usage: await usage() };
    const sizes = service.app.deps.limiter.size();
    occupy();
    const late = [list(), logIn()];
    await waits(2);
    service.clock.advance(MAX_WAIT_MS);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([503, 503]);
    expect(service.app.deps.limiter.size()).toEqual(sizes);
    for (const slot of held) slot.leave();
    expect(await usage()).toEqual(before.usage);
    expect(await remaining()).toBe(before.remaining - 1);
  });

  it('leaves the queue when its client disconnects', async () => {
    occupy();
    const socket = await open(head('GET', '/v1/devices', { 'X-API-Key': account.key }));
    await waits(1);
    socket.destroy();
    await waits(0);
  });
});

describe('while no slot is left', () => {
  it.each([
    ['GET', '/api/health', {}],
    ['GET', '/api/health/live', {}],
    ['GET', '/api/health/ready', {}],
    ['GET', '/api/admin/stats', { 'x-api-key': ADMIN_KEY }],
    ['GET', '/api/admin/audit-integrity', { 'x-api-key': ADMIN_KEY }],
    ['GET', '/openapi.json', {}],
    ['GET', '/v1/nowhere', {}],
  ])('%s %s returns as usual [limits/overload]', async (method, path, headers) => {
    occupy();
    const { status } = await service.call(method, path, { headers, address: freshAddress() });
    expect(status).toBe(path === '/v1/nowhere' ? 404 : 200);
  });

  it('the metrics show the limit, the requests in progress and those that wait', async () => {
    occupy();
    const reply = list();
    await waits(1);
    const lines = (await service.app.deps.metrics.read()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'svc_admission_limit 64',
        'svc_admission_in_progress 64',
        'svc_admission_waiting 1',
        expect.stringMatching(/^svc_admission_rejected_total \d+$/),
      ]),
    );
    held[0]?.leave();
    await reply;
  });
});

describe('a full queue', () => {
  it('rejects a flooding account before the framework, with the same response, logged once a second [limits/overload]', async () => {
    await list();
    fillQueue({ group: 'account', name: account.tenantId });
    const from = service.logged.length;
    const fields = { 'X-API-Key': account.key, Connection: 'close' };
    const texts = await Promise.all(
      [1, 2].map(async () => textOf(await open(head('GET', '/v1/devices', fields)))),
    );
    for (const text of texts) {
      const [top = '', body = ''] = text.split('\r\n\r\n');
      const requestId = /\r\nx-request-id: ([\w-]{36})\r\n/i.exec(top)?.[1];
      expect(top).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
      expect(top).toMatch(/\r\nretry-after: 2\r\n/i);
      expect(top).toMatch(/\r\ncontent-security-policy: default-src 'none'/i);
      expect(JSON.parse(body)).toMatchObject({ error: 'service_unavailable', requestId });
    }
    service.clock.advance(MAX_WAIT_MS);
    const lines = service.logged.slice(from).map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'overload')).toEqual([
      expect.objectContaining({ level: 'warn', requests: 2, status: 503, error: 'service_unavailable' }),
    ]);
  });

  it('sends rejections a second later once they take more than a small share of its time', async () => {
    await list();
    fillQueue({ group: 'account', name: account.tenantId });
    const timers = service.clock.pendingTimers;
    // Each immediate rejection takes more than all that may be spent in a burst.
    const slow = vi.spyOn(service.app.deps.counters, 'request').mockImplementation(() => {
      for (const end = performance.now() + 50; performance.now() < end; );
    });
    const fields = { 'X-API-Key': account.key, Connection: 'close' };
    const texts: string[] = [];
    for (let n = 0; n < 10; n++)
      void open(head('GET', '/v1/devices', fields))
        .then(textOf)
        .then((text) => texts.push(text));
    // One of the timers writes the log.
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBeGreaterThan(timers + 1));
    slow.mockRestore();
    expect(texts.length).toBeLessThan(10);
    await vi.waitFor(() => {
      service.clock.advance(HOLD_MS);
      expect(texts).toHaveLength(10);
    });
    for (const text of texts) expect(text).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n/is);
  });

  it('has room for an account that sends little', async () => {
    await list();
    fillQueue({ group: 'account', name: 'a flooding account' });
    const reply = list();
    await vi.waitFor(() => expect(held.filter(({ state }) => state === 'none').length).toBe(1));
    expect(admission().waiting).toBe(MAX_WAITING);
    held[0]?.leave();
    expect((await reply).status).toBe(200);
  });

  it('serves an unknown key only in the turn of its network, so made-up keys gain nothing', async () => {
    fillQueue({ group: 'network', name: '127.0.0.1' });
    const fields = { 'X-API-Key': `svc_live_${'0'.repeat(48)}`, Connection: 'close' };
    expect(await textOf(await open(head('GET', '/v1/devices', fields)))).toMatch(/^HTTP\/1\.1 503 /);
  });
});

describe('a slot', () => {
  it('is not held by a client that sends its body slowly', async () => {
    const admitted = vi.spyOn(service.app.deps.meter, 'admit');
    const body = '{"name":"slow"}';
    const socket = await open(
      `${head('POST', '/v1/devices', { 'X-API-Key': account.key, 'Content-Type': 'application/json', 'Content-Length': String(body.length), Connection: 'close' })}${body.slice(0, -1)}`,
    );
    await vi.waitFor(() => expect(admitted).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(admission().inProgress).toBe(0));
    admitted.mockRestore();
    occupy();
    socket.write(body.slice(-1));
    await waits(1);
    // Counted already, so it isn't rejected any more.
    service.clock.advance(MAX_WAIT_MS);
    expect(admission().waiting).toBe(1);
    held[0]?.leave();
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('is not held by an open stream or a long poll', async () => {
    const streams = () => service.app.deps.streams.size;
    const fields = { 'X-API-Key': await service.createKey(account, 'live', ['events:read']) };
    const sockets = [
      await open(head('GET', '/v1/events/stream', fields)),
      await open(head('GET', '/v1/events?after=999999&wait=25', fields)),
    ];
    await vi.waitFor(() => expect(streams()).toBe(2));
    await vi.waitFor(() => expect(admission().inProgress).toBe(0));
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(streams()).toBe(0));
  });

  it('is given back however the request ends', async () => {
    const json = { 'content-type': 'application/json' };
    const replies = await Promise.all([
      list(),
      list('nonsense'),
      service.call('POST', '/v1/devices', { as: account.key, body: { nope: 1 } }),
      service.call('POST', '/v1/devices', { as: account.key, raw: '{', headers: json }),
      service.call('POST', '/v1/devices', { as: account.key, raw: 'x'.repeat(70_000), headers: json }),
      service.call('GET', '/v1/audit/export', { as: account.key }),
      service.call('GET', '/sign-in/unknown', { address: freshAddress() }),
      service.call('POST', '/oidc/01890a5d-ac96-774b-bcce-b302099a8057/live/token', {
        address: freshAddress(),
      }),
    ]);
    expect(replies.map(({ status }) => status)).not.toContain(503);
    await vi.waitFor(() => expect(admission().inProgress).toBe(0));
  });

  it('is given back 30 seconds after its client disconnected, even if its work never ends', async () => {
    const never = vi.spyOn(service.app.deps.meter, 'admit').mockReturnValueOnce(new Promise(() => {}));
    const socket = await open(head('GET', '/v1/devices', { 'X-API-Key': account.key }));
    await vi.waitFor(() => expect(never).toHaveBeenCalledOnce());
    const timers = service.clock.pendingTimers;
    socket.destroy();
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBe(timers + 1));
    expect(admission().inProgress).toBe(1);
    service.clock.advance(30_000);
    expect(admission().inProgress).toBe(0);
    never.mockRestore();
  });
});
