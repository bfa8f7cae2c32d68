import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { errorBody, type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { Svc, type SvcOptions } from '../sdk.js';
import { isSvcError, SvcError } from './errors.js';

const KEY = `svc_test_${'0123456789abcdef'.repeat(3)}`;

let server: HostileServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function urlOf(behave: Parameters<typeof hostileServer>[0]): Promise<string> {
  server = await hostileServer(behave);
  return server.url;
}

/** The error of listing devices. */
async function failureOf(options: SvcOptions): Promise<SvcError> {
  const svc = new Svc({ apiKey: KEY, maxRetries: 0, ...options });
  const error = await svc.devices
    .list()
    .first()
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SvcError);
  const message = (error as SvcError).message;
  // No message contains a secret, a stack, or text of another server's page.
  expect(message).not.toContain(KEY);
  expect(message).not.toMatch(/\n {4}at |<h1>|undefined|\[object/);
  expect(message).toMatch(/[.)]$/);
  return error as SvcError;
}

describe('an unreachable server', () => {
  it('is reported with its address and port', async () => {
    const url = await urlOf(() => {});
    await server?.close();
    const error = await failureOf({ baseUrl: url });
    expect(error.code).toBe('unreachable');
    expect(error.message).toBe(
      `Nothing is listening at ${url}. Check that the service is running and that baseUrl has the right port.`,
    );
    expect(error.cause).toBeInstanceOf(Error);
    server = undefined;
  });

  it('is reported with its host name if the name is unknown', async () => {
    const error = await failureOf({ baseUrl: 'http://no-such-host.invalid' });
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/no-such-host\.invalid.*(spelling|network)/);
  });

  it('is reported as a server without TLS if it speaks plain HTTP on an https address', async () => {
    const plain = createServer().listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const error = await failureOf({ baseUrl: `https://127.0.0.1:${(plain.address() as AddressInfo).port}` });
    plain.close();
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('does not speak TLS');
  });

  it.each([
    ['ENOTFOUND', 'cannot be resolved'],
    ['EAI_AGAIN', 'cannot be resolved'],
    ['ECONNREFUSED', 'Nothing is listening'],
    ['EHOSTUNREACH', 'cannot be reached'],
    ['UND_ERR_CONNECT_TIMEOUT', 'cannot be reached'],
    [
      'CERT_NOT_YET_VALID',
      "not valid yet. This machine's time is 2026-05-12T09:30:00.000Z. If that is wrong, set the clock",
    ],
    ['CERT_HAS_EXPIRED', 'set the clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Check the host name'],
    ['', 'In a browser, also check that CORS_ORIGINS'],
  ])('with system error %s is explained: %s', async (code, text) => {
    const cause = Object.assign(new Error('inner'), { code });
    const thrower = () =>
      Promise.reject(Object.assign(new TypeError('fetch failed'), code === '' ? {} : { cause }));
    const error = await failureOf({
      baseUrl: 'https://a.test',
      fetch: thrower,
      timing: fastTiming(),
      timeoutMs: NEVER_MS,
    });
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain(text);
  });
});

describe('another server', () => {
  it.each<[string, number, object | string, Record<string, string>, string]>([
    ['a page', 200, '<h1>Welcome</h1>', {}, 'is not this service: it returned 200, text/html. Check baseUrl'],
    ['a missing page', 404, '<h1>None</h1>', {}, 'is not this service: it returned 404, text/html'],
    ['an empty response', 200, '', {}, 'is not this service: it returned 200, text/html, empty'],
    [
      'JSON of another program',
      400,
      { code: 7 },
      {},
      'is not this service: it returned 400, application/json',
    ],
    ['a number', 200, '7', { 'content-type': 'application/json' }, 'is not this service'],
    [
      'a redirect',
      301,
      '',
      { location: 'https://b.test/path?q' },
      'redirects to https://b.test, and redirects are not followed',
    ],
  ])('that returns %s is reported', async (_, status, body, headers, text) => {
    const error = await failureOf({
      baseUrl: await urlOf((socket) => respond(socket, status, body, headers)),
    });
    expect(error).toMatchObject({ code: 'not_this_service', status });
    expect(error.message).toContain(text);
  });

  it('that does not speak HTTP is reported', async () => {
    const error = await failureOf({
      baseUrl: await urlOf((socket) => void socket.end('SSH-2.0-Example\r\n')),
    });
    expect(error.code).toBe('not_this_service');
    expect(error.message).toContain('does not speak HTTP');
  });

  it.each([502, 503, 504])('that is a proxy and returns %i is reported as a proxy', async (status) => {
    const error = await failureOf({
      baseUrl: await urlOf((socket) => respond(socket, status, '<h1>Oops</h1>')),
    });
    expect(error).toMatchObject({ code: 'gateway_failed', status });
    expect(error.message).toContain(`A proxy in front of ${server?.url} returned ${status}`);
  });
});

describe('an old server', () => {
  it.each(['not_found', 'method_not_allowed'])(
    'that returns %s is reported with its version',
    async (code) => {
      const baseUrl = await urlOf((socket, { line }) =>
        line === 'GET /api/health'
          ? respond(socket, 200, { status: 'ok', version: '0.0.7' })
          : respond(socket, code === 'not_found' ? 404 : 405, errorBody(code)),
      );
      const error = await failureOf({ baseUrl });
      expect(error).toMatchObject({
        code: 'server_too_old',
        requestId: '019e1b2c-0000-7000-8000-000000000001',
      });
      expect(error.message).toMatch(
        /^The server \(version 0\.0\.7\) at .* does not support GET \/v1\/devices\. This SDK is for version [\d.]+\. Upgrade/,
      );
    },
  );

  it('is reported even if it does not return its version', async () => {
    const baseUrl = await urlOf((socket) => respond(socket, 404, errorBody('not_found')));
    expect((await failureOf({ baseUrl })).message).toMatch(/^The server at /);
  });
});

describe('an error of the service', () => {
  const urlOfError = (status: number, body: object, headers: Record<string, string> = {}) =>
    urlOf((socket) => respond(socket, status, body, headers));

  it('has its code, request id, details and the page that explains it', async () => {
    const details = [{ path: '/limit', message: 'must be <= 100' }];
    const baseUrl = await urlOfError(400, errorBody('invalid_request', { details }));
    const error = await failureOf({ baseUrl });
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      operation: 'GET /v1/devices',
      requestId: '019e1b2c-0000-7000-8000-000000000001',
      details,
      docs: `${baseUrl}/docs/errors#invalid_request`,
    });
    expect(error.message).toBe(
      'The message of invalid_request. /limit must be <= 100. (request 019e1b2c-0000-7000-8000-000000000001)',
    );
    expect(isSvcError(error, 'invalid_request')).toBe(true);
    expect(isSvcError(error, 'rate_limit_exceeded')).toBe(false);
    expect(isSvcError(error)).toBe(true);
    expect(isSvcError(new Error('invalid_request'), 'invalid_request')).toBe(false);
  });

  it('has the service’s message without the text that the client adds', async () => {
    const message = 'This API key is not valid.';
    const baseUrl = await urlOfError(401, { ...errorBody('invalid_api_key'), message });
    const error = await failureOf({ baseUrl });
    expect(error.serverMessage).toBe(message);
    expect(error.message.length).toBeGreaterThan(message.length);
  });

  it('names each field once, even if the message already names the first', async () => {
    const details = [
      { path: 'body.name', message: 'is required' },
      { path: 'body.age', message: 'is not a known field' },
    ];
    const message = 'body.name is required. See details for 1 more problem.';
    const baseUrl = await urlOfError(400, { ...errorBody('invalid_request', { details }), message });
    expect((await failureOf({ baseUrl })).message).toMatch(
      /^body\.name is required\. See details for 1 more problem\. body\.age is not a known field\. \(request/,
    );
  });

  it('has the address of the hosted sign-in page, if the service refuses the browser [new_browser_refused]', async () => {
    const hosted_url = 'https://id.example/oidc/t/live/auth';
    const baseUrl = await urlOfError(403, errorBody('new_browser_refused', { hosted_url }));
    expect(await failureOf({ baseUrl })).toMatchObject({
      code: 'new_browser_refused',
      hostedUrl: hosted_url,
    });
  });

  it('links to the page of its code, if the server sent a path or a URL', async () => {
    const docs = 'https://id.example/docs/errors#invalid_request';
    const baseUrl = await urlOfError(400, errorBody('invalid_request', { docs }));
    expect((await failureOf({ baseUrl })).docs).toBe(docs);
  });

  it.each([
    ['did_already_registered', 'If this was a retry, send the `Idempotency-Key` of the first request'],
    ['a_code_of_tomorrow', undefined],
    ['constructor', undefined],
    ['not_found', undefined],
  ])('%s has the next step of its code, if there is one', async (code, text) => {
    const { next } = await failureOf({ baseUrl: await urlOfError(409, errorBody(code)) });
    if (text === undefined) expect(next).toBeUndefined();
    else expect(next).toContain(text);
  });

  it('about a key names the key and the address', async () => {
    const baseUrl = await urlOfError(401, errorBody('invalid_api_key'));
    expect((await failureOf({ baseUrl })).message).toContain(
      `The key svc_test_0123456… was sent to ${baseUrl}.`,
    );
  });

  it('about a missing record names the environment of the key', async () => {
    const baseUrl = await urlOfError(404, errorBody('device_not_found'));
    expect((await failureOf({ baseUrl })).message).toContain("can only access the environment 'test'");
  });

  it('accepts both forms of Retry-After', async () => {
    const timing = fastTiming();
    const at = (text: string) => urlOfError(429, errorBody('rate_limit_exceeded'), { 'retry-after': text });
    for (const [text, seconds] of [
      ['7', 7],
      ['Tue, 12 May 2026 09:31:00 GMT', 60],
      ['Tue, 12 May 2026 09:00:00 GMT', 0],
      ['soon', undefined],
      ['-1', undefined],
    ] as const) {
      const error = await failureOf({ baseUrl: await at(text), timing, timeoutMs: NEVER_MS });
      expect([text, error.retryAfterSeconds]).toEqual([text, seconds]);
      await server?.close();
    }
    server = undefined;
  });

  it.each([
    [301, 'is 301 s behind the server'],
    [-301, 'is 301 s ahead of the server'],
    [0, 'The service does not reveal the cause'],
  ])('about a proof whose clock is %i s behind explains it: %s', async (seconds, text) => {
    const now = Date.parse('2026-05-12T09:30:00.000Z');
    const baseUrl = await urlOfError(401, errorBody('verification_failed'), {
      date: new Date(now).toUTCString(),
    });
    const svc = new Svc({ baseUrl, apiKey: KEY });
    const numbers = ['1', '2', '3'] as const;
    const pair = ['1', '2'] as const;
    const proof = {
      pi_a: numbers,
      pi_b: [pair, pair, pair],
      pi_c: numbers,
      protocol: 'groth16',
      curve: 'bn128',
    } as const;
    for (const timestamp of [now - seconds * 1000, new Date(now - seconds * 1000).toISOString()]) {
      const body = { did: 'did:svc:00', proof, publicSignals: numbers, nonce: 'n', timestamp };
      await expect(svc.identity.verify(body)).rejects.toThrow(text);
    }
  });
});
