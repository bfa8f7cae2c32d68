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

/** A server that answers as the service does. */
const answering = (status: number, body: object, headers: Record<string, string> = {}) =>
  serve((_, reply) => {
    reply.writeHead(status, { 'x-request-id': 'r1', ...headers });
    reply.end(JSON.stringify(body));
  });

const KEY = `svc_test_${'0'.repeat(48)}`;

/** What a command that lists the devices at that address fails with. */
const failureAt = (baseUrl: string) =>
  keyClientOf({ env: { SVC_API_KEY: KEY, SVC_TIMEOUT: '1' } }, { baseUrl })
    .devices.list()
    .first()
    .then(() => expect.unreachable('it has to fail') as never, asFailure);

describe('a refusal', () => {
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
  ] as const)('of %d %s is %s', async (status, error, kind) => {
    const baseUrl = await answering(status, { error, message: 'So it is.' }, { 'retry-after': '7' });
    const failure = await failureAt(baseUrl);
    expect(failure).toMatchObject({ kind, refusal: { status, error, requestId: 'r1' } });
    expect(failure.message).toContain(`GET /v1/devices answered ${status} ${error}: So it is.`);
    expect(failure.message).toContain('Try again in 7 s.');
  });

  it('tells each field, and nothing of it steers the terminal', async () => {
    const details = [{ path: 'body.name', message: 'is \u001b[31mred' }];
    const baseUrl = await answering(400, { error: 'invalid_request', message: 'Not valid.', details });
    const { message } = await failureAt(baseUrl);
    expect(message).toContain('body.name is ?[31mred.');
  });

  it('names each field once, though the message names the first', async () => {
    const details = [
      { path: 'body.name', message: 'is required' },
      { path: 'body.age', message: 'is not a known field' },
    ];
    const baseUrl = await answering(400, {
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
    ['rate_limit_exceeded', 'answered 409 rate_limit_exceeded: So it is. Wait for the number of seconds'],
    ['a_code_of_tomorrow', 'So it is. (request r1)'],
  ])('says what to do about %s', async (error, text) => {
    const baseUrl = await answering(409, { error, message: 'So it is.' });
    const { message } = await failureAt(baseUrl);
    expect(message).toContain(text);
  });

  it('gives no general advice where fields or a time to wait say what to do', async () => {
    const details = [{ path: 'body.name', message: 'is required' }];
    const invalid = await answering(400, { error: 'invalid_request', message: 'Not valid.', details });
    const busy = { error: 'rate_limit_exceeded', message: 'Busy.' };
    const limited = await answering(429, busy, { 'retry-after': '7' });
    const messageOf = async (baseUrl: string) => (await failureAt(baseUrl)).message;
    expect(await messageOf(invalid)).toMatch(/Not valid\. body\.name is required\. \(request r1\)$/);
    expect(await messageOf(limited)).toMatch(/Busy\. Try again in 7 s\. \(request r1\)$/);
  });

  it('has an exit code of its own for each kind', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
  });
});

describe('a key', () => {
  it('is never carried on to where somebody else points', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await serve((asked, reply) => {
      seen.push(asked.headers.authorization ?? asked.url);
      reply.writeHead(200, { 'x-request-id': 'r2' }).end('{}');
    });
    const baseUrl = await serve((_, reply) => reply.writeHead(307, { location: `${thief}/x` }).end());
    const failure = await failureAt(baseUrl);
    expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringContaining(thief) });
    expect(seen).toEqual([]);
  });
});

describe('a server that does not answer', () => {
  it('times out, also with a connection open', async () => {
    const failure = await failureAt(await serve(() => {}));
    expect(failure).toMatchObject({ kind: 'unreachable', refusal: undefined });
    expect(failure.message).toContain('within 1000 ms');
    expect(failure.message).toContain('SVC_TIMEOUT');
  });
});

describe('a base URL', () => {
  const read = (baseUrl: string) => clientOf({ env: {} }, { baseUrl }).baseUrl;

  it.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://Id.Example/', 'https://id.example'],
  ])('%s is read as %s', (text, origin) => expect(read(text)).toBe(origin));

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
