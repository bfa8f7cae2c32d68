import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { asFailure } from './command.js';
import { EXIT } from './failure.js';
import { clientOf, keyClientOf } from './settings.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that sends this response, with the service's headers. */
const serverWith = (status: number, body: object, headers: Record<string, string> = {}) =>
  serve((_, reply) => {
    reply.writeHead(status, { 'x-request-id': 'r1', ...headers });
    reply.end(JSON.stringify(body));
  });

const KEY = `svc_test_${'0'.repeat(48)}`;

/** The failure of listing the devices at that address. */
const failureAt = (baseUrl: string) =>
  keyClientOf({ env: { SVC_API_KEY: KEY, SVC_TIMEOUT: '1' } }, { baseUrl })
    .devices.list()
    .first()
    .then(() => expect.unreachable('it must fail') as never, asFailure);

describe('an error response', () => {
  it.each([
    [400, 'invalid_request', 'refused'],
    [401, 'verification_failed', 'refused'],
    [401, 'invalid_api_key', 'credential'],
    [403, 'insufficient_scopes', 'credential'],
    [403, 'tenant_inactive', 'credential'],
    [409, 'did_already_registered', 'refused'],
    [429, 'monthly_quota_exceeded', 'later'],
    [503, 'service_unavailable', 'later'],
    [500, 'internal_error', 'refused'],
  ] as const)('of %d %s has the kind %s', async (status, error, kind) => {
    const baseUrl = await serverWith(status, { error, message: 'Example message.' }, { 'retry-after': '7' });
    const failure = await failureAt(baseUrl);
    expect(failure).toMatchObject({ kind, reply: { status, error, requestId: 'r1' } });
    expect(failure.message).toContain(`GET /v1/devices returned ${status} ${error}: Example message.`);
    expect(failure.message).toContain('Try again in 7 s.');
  });

  it('names each field, and cannot control the terminal', async () => {
    const details = [{ path: 'body.name', message: 'is \u001b[31mred' }];
    const baseUrl = await serverWith(400, { error: 'invalid_request', message: 'Not valid.', details });
    const { message } = await failureAt(baseUrl);
    expect(message).toContain('body.name is ?[31mred.');
  });

  it('names each field once, even if the message already names the first', async () => {
    const details = [
      { path: 'body.name', message: 'is required' },
      { path: 'body.age', message: 'is not a known field' },
    ];
    const baseUrl = await serverWith(400, {
      error: 'invalid_request',
      message: 'body.name is required. See details for 1 more problem.',
      details,
    });
    const { message } = await failureAt(baseUrl);
    expect(message).toMatch(
      /: body\.name is required\. See details for 1 more problem\. body\.age is not a known field\./,
    );
    expect(message.split('body.name')).toHaveLength(2);
  });

  it.each([
    ['missing_api_key', 'Set SVC_API_KEY.'],
    ['did_already_registered', 'If this was a retry, send the `Idempotency-Key` of the first request'],
    [
      'rate_limit_exceeded',
      'returned 409 rate_limit_exceeded: Example message. Wait for the number of seconds',
    ],
    ['a_code_of_tomorrow', 'Example message. (request r1)'],
  ])('contains the next step for %s', async (error, text) => {
    const baseUrl = await serverWith(409, { error, message: 'Example message.' });
    const { message } = await failureAt(baseUrl);
    expect(message).toContain(text);
  });

  it('has no general advice if it names fields or a time to wait', async () => {
    const details = [{ path: 'body.name', message: 'is required' }];
    const invalid = await serverWith(400, { error: 'invalid_request', message: 'Not valid.', details });
    const busy = { error: 'rate_limit_exceeded', message: 'Busy.' };
    const limited = await serverWith(429, busy, { 'retry-after': '7' });
    const messageOf = async (baseUrl: string) => (await failureAt(baseUrl)).message;
    expect(await messageOf(invalid)).toMatch(/Not valid\. body\.name is required\. \(request r1\)$/);
    expect(await messageOf(limited)).toMatch(/Busy\. Try again in 7 s\. \(request r1\)$/);
  });

  it('has a different exit code for each kind', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
  });
});

describe('a key', () => {
  it('is never sent to the target of a redirect', async () => {
    const seen: (string | undefined)[] = [];
    const target = await serve((request, reply) => {
      seen.push(request.headers.authorization ?? request.url);
      reply.writeHead(200, { 'x-request-id': 'r2' }).end('{}');
    });
    const baseUrl = await serve((_, reply) => reply.writeHead(307, { location: `${target}/x` }).end());
    const failure = await failureAt(baseUrl);
    expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringContaining(target) });
    expect(seen).toEqual([]);
  });
});

describe('a server that does not respond', () => {
  it('causes a timeout, even if it accepts the connection', async () => {
    const failure = await failureAt(await serve(() => {}));
    expect(failure).toMatchObject({ kind: 'unreachable', reply: undefined });
    expect(failure.message).toContain('within 1000 ms');
    expect(failure.message).toContain('SVC_TIMEOUT');
  });
});

describe('a base URL', () => {
  const read = (baseUrl: string) => clientOf({ env: {} }, { baseUrl }).baseUrl;

  it.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://Id.Example/', 'https://id.example'],
  ])('%s is normalized to %s', (text, origin) => expect(read(text)).toBe(origin));

  it.each(['', 'localhost:3000', 'ftp://x', 'http://x/v1', 'http://x/?a', 'http://x/#a', 'http://me@x'])(
    'rejects %j',
    (text) => {
      let failure: unknown;
      try {
        read(text);
      } catch (error) {
        failure = asFailure(error);
      }
      expect(failure).toMatchObject({ kind: 'usage', message: expect.stringContaining('BASE_URL') });
    },
  );
});
