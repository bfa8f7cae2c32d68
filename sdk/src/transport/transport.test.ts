import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { errorBody, type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { Svc, type SvcOptions } from '../sdk.js';
import { SvcError } from './errors.js';

const KEY = `svc_test_${'0123456789abcdef'.repeat(3)}`;
const DEVICE = { device: { id: 'a' } };
const LIST = { devices: [], environment: 'test', nextCursor: null };
const SECONDS = 1000;

let server: HostileServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A client of a server with that behaviour. Waiting takes no time. */
async function clientOf(behave: Parameters<typeof hostileServer>[0], options: Partial<SvcOptions> = {}) {
  server = await hostileServer(behave);
  const timing = fastTiming();
  const svc = new Svc({ baseUrl: server.url, apiKey: KEY, timing, timeoutMs: NEVER_MS, ...options });
  return { svc, timing, requests: server.requests };
}

async function errorOf(request: Promise<unknown>): Promise<SvcError> {
  const error = await request.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

describe('a request', () => {
  it('sends the API key, JSON and a new Idempotency-Key', async () => {
    const { svc, requests } = await clientOf((socket) => respond(socket, 201, DEVICE));
    await svc.devices.create({ name: 'Door', locationId: undefined });
    await svc.devices.create({ name: 'Door' });
    const [first, second] = requests;
    expect(first).toMatchObject({
      line: 'POST /v1/devices',
      body: '{"name":"Door"}',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    });
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('sends the caller’s Idempotency-Key if there is one', async () => {
    const { svc, requests } = await clientOf((socket) => respond(socket, 201, DEVICE));
    await svc.devices.create({ name: 'Door' }, { idempotencyKey: 'order-7' });
    expect(requests[0]?.headers['idempotency-key']).toBe('order-7');
  });

  it('escapes the path, omits undefined values, and never reaches another operation', async () => {
    const { svc, requests } = await clientOf((socket) => respond(socket, 200, LIST));
    await svc.devices.update('a/../b?c', {}).catch(() => {});
    await svc.devices.list({ status: 'active', limit: undefined, cursor: 'a&b' }).first();
    expect(requests.map(({ line }) => line)).toEqual([
      'PATCH /v1/devices/a%2F..%2Fb%3Fc',
      'GET /v1/devices?status=active&cursor=a%26b',
    ]);
    for (const id of ['', '.', '..']) {
      expect(await errorOf(svc.devices.update(id, {}))).toMatchObject({ code: 'invalid_options' });
    }
    expect(requests).toHaveLength(2);
  });

  it('is sent below the path of the base URL', async () => {
    const { requests } = await clientOf((socket) => respond(socket, 200, LIST));
    const svc = new Svc({ baseUrl: `${server?.url}/identity/`, apiKey: KEY });
    await svc.devices.list().first();
    expect(requests[0]?.line).toBe('GET /identity/v1/devices');
  });

  it('with an invalid token, key, path or body is rejected and never sent', async () => {
    const { svc, requests } = await clientOf(() => {});
    const rejected = [
      svc.sessions.getCurrentIdentity('a\r\nx-evil: 1'),
      svc.devices.create({ name: 'Door' }, { idempotencyKey: 'a\nb' }),
      svc.download('@evil.test/identity_proof.zkey'),
      svc.devices.create({ name: 'Door', metadata: { big: 1n } }),
    ];
    for (const request of rejected) expect((await errorOf(request)).code).toBe('invalid_options');
    expect(requests).toHaveLength(0);
  });

  it('without a required credential is never sent', async () => {
    const { requests } = await clientOf(() => {});
    const svc = new Svc({ baseUrl: server?.url as string });
    expect((await errorOf(svc.devices.list().first())).message).toBe(
      'GET /v1/devices needs an API key. Pass apiKey to new Svc.',
    );
    expect((await errorOf(svc.console.keys.list().first())).message).toContain('svc.console.logIn');
    expect(requests).toHaveLength(0);
  });
});

describe('a request that is safe to retry', () => {
  it('is retried with the same Idempotency-Key, after Retry-After and a growing backoff', async () => {
    const { svc, timing, requests } = await clientOf((socket, _, count) =>
      count < 3
        ? respond(socket, 503, errorBody('service_unavailable'), { 'retry-after': '2' })
        : respond(socket, 201, DEVICE),
    );
    await svc.devices.create({ name: 'Door' });
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(timing.waits).toEqual([2 * SECONDS + 250, 2 * SECONDS + 500]);
  });

  it.each([
    [
      'a rate limit',
      (socket) => respond(socket, 429, errorBody('rate_limit_exceeded'), { 'retry-after': '1' }),
    ],
    ['a proxy’s page', (socket) => respond(socket, 502, '<h1>Bad gateway</h1>')],
    ['an Idempotency-Key in use', (socket) => respond(socket, 409, errorBody('idempotency_key_in_use'))],
    ['a cut before the response', (socket) => void socket.destroy()],
    [
      'a cut within the response',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"dev'),
    ],
  ] satisfies [string, (socket: Socket) => void][])('is retried after %s', async (_, fail) => {
    const { svc, requests } = await clientOf((socket, _request, count) =>
      count === 1 ? fail(socket) : respond(socket, 201, DEVICE),
    );
    await expect(svc.devices.create({ name: 'Door' })).resolves.toEqual({ id: 'a' });
    expect(requests).toHaveLength(2);
  });

  it('fails after two retries, and reports the number of attempts', async () => {
    const { svc, requests } = await clientOf((socket) => void socket.destroy());
    const error = await errorOf(svc.devices.list().first());
    expect(error).toMatchObject({ code: 'connection_cut', attempts: 3 });
    expect(error.message).toMatch(/Tried 3 times\.$/);
    expect(requests).toHaveLength(3);
  });

  it('is not retried later than 45 seconds after the first attempt', async () => {
    const { svc, timing, requests } = await clientOf((socket) =>
      respond(socket, 429, errorBody('rate_limit_exceeded'), { 'retry-after': '600' }),
    );
    const error = await errorOf(svc.devices.list().first());
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, retryAfterSeconds: 600 });
    expect(error.message).toContain('Retry in 600 s.');
    expect(requests).toHaveLength(1);
    expect(timing.waits).toEqual([]);
  });

  it('is sent once if the caller disables retries', async () => {
    const { svc, requests } = await clientOf((socket) => void socket.destroy(), { maxRetries: 0 });
    await errorOf(svc.devices.list().first());
    expect(requests).toHaveLength(1);
  });

  it.each(['invalid_request', 'monthly_quota_exceeded', 'internal_error', 'invalid_api_key'])(
    'is not retried after %s, which is permanent',
    async (code) => {
      const status = { invalid_request: 400, monthly_quota_exceeded: 429, internal_error: 500 }[code] ?? 401;
      const { svc, requests } = await clientOf((socket) => respond(socket, status, errorBody(code)));
      expect(await errorOf(svc.devices.list().first())).toMatchObject({ code, status });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a request that is not safe to retry', () => {
  it('is sent once, whatever the error', async () => {
    const { svc, requests } = await clientOf((socket) => void socket.destroy());
    const patch = await errorOf(svc.devices.update('a', { name: 'Door' }));
    expect(patch.code).toBe('connection_cut');
    expect(patch.message).toContain('The request may have taken effect');
    await errorOf(svc.pairing.create());
    expect(requests).toHaveLength(2);
  });
});

describe('timeouts and signals', () => {
  it('end a request without a response, and the message names it', async () => {
    const { svc } = await clientOf(() => {}, { timeoutMs: 7, maxRetries: 0 });
    const error = await errorOf(svc.devices.list().first());
    expect(error.code).toBe('timed_out');
    expect(error.message).toContain('no complete response to GET /v1/devices within 7 ms');
  });

  it('end a request whose body never arrives', async () => {
    let timeOut = () => {};
    const after = (_: number, run: () => void) => {
      timeOut = () => setImmediate(run);
      return () => {};
    };
    const { svc } = await clientOf(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{');
        timeOut();
      },
      { maxRetries: 0, timing: { ...fastTiming(), after } },
    );
    expect((await errorOf(svc.devices.list().first())).code).toBe('timed_out');
  });

  it('reject with the reason of an aborted signal, while waiting for a response and between attempts', async () => {
    const reason = new Error('the page was closed');
    const abort = new AbortController();
    const { svc } = await clientOf(() => abort.abort(reason));
    await expect(svc.devices.list({}, { signal: abort.signal }).first()).rejects.toBe(reason);
    await expect(svc.getHealth({ signal: abort.signal })).rejects.toBe(reason);

    await server?.close();
    const between = new AbortController();
    const after = (ms: number) => {
      if (ms < NEVER_MS) setImmediate(() => between.abort(reason));
      return () => {};
    };
    const second = await clientOf((socket) => respond(socket, 503, errorBody('service_unavailable')), {
      timing: { ...fastTiming(), after },
    });
    await expect(second.svc.devices.list({}, { signal: between.signal }).first()).rejects.toBe(reason);
  });
});
