// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { type RunResult, runSvc, startSvc } from '../../server/test/support/svc.js';

describe('an error of the command line', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let baseUrl: string;
  let key: string;
  const others: { close(): unknown }[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-errors-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({
      env: { BASE_URL: baseUrl },
      clock: manualClock(Date.now() + 20 * 60_000),
    });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'growth' });
    key = await service.createKey(account, 'test');
  });
  afterAll(async () => {
    for (const other of others) other.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const phone = (name: string) => join(folder, `${name}.json`);
  const svc = (args: string, env: Record<string, string> = {}) =>
    runSvc(args.split(' '), { BASE_URL: baseUrl, SVC_API_KEY: key, SVC_PHONE: phone('phone'), ...env });
  const listen = async (server: Server | ReturnType<typeof createTcpServer>) => {
    others.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** The address of another program. */
  const otherServer = async (listener: RequestListener) => `http://${await listen(createServer(listener))}`;

  /** Standard error has the given texts and no internals, and standard output is empty. */
  function expectError(ran: RunResult, code: number, ...texts: (string | RegExp)[]) {
    expect(ran.err).not.toMatch(/^ +at /m);
    expect(ran.err).not.toContain('node:');
    expect(ran.out).toBe('');
    for (const text of texts) expect(ran.err).toMatch(text);
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code });
  }

  it('names an unreachable server or a wrong address', async () => {
    const unused = `http://127.0.0.1:${await freePort()}`;
    expectError(
      await svc('phone verify', { BASE_URL: unused }),
      3,
      'Nothing is listening',
      'npm start',
      'BASE_URL',
    );
    expectError(await svc('phone verify --base-url http://no-such-host.invalid'), 3, 'cannot be resolved');
    expectError(await svc('phone verify', { BASE_URL: `${baseUrl}/v1` }), 2, 'Remove that part', 'BASE_URL');
    expectError(await svc('phone verify', { BASE_URL: 'localhost' }), 2, 'BASE_URL', 'http or https');
    const tls = baseUrl.replace('http:', 'https:');
    expectError(await svc('phone verify', { BASE_URL: tls }), 3, 'does not speak TLS', 'http:');
  });

  it('names another program at the address', async () => {
    const page = await otherServer((_, reply) => reply.end('<h1>It works!</h1>'));
    expectError(await svc('phone verify', { BASE_URL: page }), 3, 'is not this service', 'BASE_URL');
    const json = await otherServer((_, reply) => reply.end('{"nonce":"1"}'));
    expectError(await svc('phone verify', { BASE_URL: json }), 3, 'is not this service');
    const moved = await otherServer((_, reply) => reply.writeHead(301, { location: `${baseUrl}/v1` }).end());
    expectError(await svc('phone verify', { BASE_URL: moved }), 3, `redirects to ${baseUrl}`);
    const gateway = await otherServer((_, reply) => reply.writeHead(502).end('Bad Gateway'));
    expectError(await svc('phone verify', { BASE_URL: gateway }), 3, 'A proxy in front of');
    const mail = await listen(createTcpServer((socket) => void socket.end('220 mail ESMTP\r\n')));
    expectError(await svc('phone verify', { BASE_URL: `http://${mail}` }), 3, 'does not speak HTTP');
    const mute = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
    expectError(await svc('phone verify', { BASE_URL: `http://${mute}` }), 3, 'The connection to');
    const silent = await listen(createTcpServer((socket) => void socket.destroy()));
    const env = { BASE_URL: `http://${silent}`, SVC_TIMEOUT: '1' };
    expectError(await svc('phone verify', env), 3, /no complete response|The connection to/);
  });

  it('names the version of an old server', async () => {
    const old = await otherServer((incoming, reply) => {
      const isHealth = incoming.url === '/api/health';
      reply.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      reply.end(
        isHealth ? '{"status":"ok","version":"0.0.9"}' : '{"error":"not_found","message":"Nothing."}',
      );
    });
    expectError(await svc('phone verify', { BASE_URL: old }), 3, 'version 0.0.9', 'Upgrade the server');
    const unbound = await otherServer((incoming, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r2' });
      reply.end(incoming.url === '/api/health' ? '{"version":"0.0.8"}' : '{"nonce":"n","timestamp":1}');
    });
    expectError(await svc('phone verify', { BASE_URL: unbound }), 3, 'version 0.0.8', 'bound proofs');
    const { json } = await svc('doctor --client --json', { BASE_URL: old });
    expect(json.checks).toContainEqual(expect.objectContaining({ name: 'version', status: 'warn' }));
  });

  it('explains a key that is wrong, truncated, without the scope, or of a suspended account', async () => {
    expectError(await svc('phone verify', { SVC_API_KEY: '' }), 2, 'SVC_API_KEY', '--key-file');
    const cut = await svc('phone verify', { SVC_API_KEY: key.slice(0, -1) });
    expectError(cut, 2, 'Check that it is complete');
    expect(cut.err).not.toContain(key.slice(0, -1));
    const wrong = `svc_test_${'0'.repeat(48)}`;
    expectError(await svc('phone verify', { SVC_API_KEY: wrong }), 4, '401 invalid_api_key', 'BASE_URL');
    const few = await service.createKey(account, 'test', ['devices:read']);
    expectError(
      await svc('phone verify', { SVC_API_KEY: few }),
      4,
      '403 insufficient_scopes',
      '`svc keys create Trying --scopes nonce:create --environment test`',
    );
    const suspended = await service.signUp();
    await service.setStatus(suspended, 'suspended');
    expectError(
      await svc('phone verify', { SVC_API_KEY: suspended.key }),
      4,
      '403 tenant_inactive',
      'operator',
    );
    expectError(await svc('keys list'), 2, 'SVC_EMAIL');
    expectError(await svc('keys list', { SVC_CONSOLE_TOKEN: 'a\nb' }), 2, 'SVC_CONSOLE_TOKEN');
    const login = { SVC_EMAIL: account.email, SVC_PASSWORD: 'not the password 7' };
    expectError(await svc('keys list', login), 4, '401 invalid_credentials', 'SVC_PASSWORD');
  });

  it('explains a key of the other environment', async () => {
    expect((await svc('phone register')).code).toBe(0);
    expectError(
      await svc('phone verify', { SVC_API_KEY: account.key }),
      4,
      'registered in the test environment',
      'the key belongs to live',
      'svc phone register',
    );
    expectError(await svc('phone verify', { SVC_PHONE: phone('nobody') }), 2, 'not registered');
  });

  it('explains a wrong clock', async () => {
    const env = { SVC_PHONE: phone('clock') };
    expect((await svc('phone register', env)).code).toBe(0);
    // The service's clock is 20 minutes ahead.
    const off = await svc('phone verify --own-nonce', env);
    expectError(
      off,
      1,
      '401 verification_failed',
      /clock is (19|20) min behind the service’s/,
      'Set the clock',
    );
    expect((await svc('phone verify', env)).code).toBe(0);
  });

  it('lists the possible causes for a revoked identity', async () => {
    const env = { SVC_PHONE: phone('revoked') };
    expect((await svc('phone register', env)).code).toBe(0);
    const [{ did }] = (await svc('phone show --json', env)).json.places;
    await service.call('POST', '/v1/identity/revoke', { as: key, body: { did } });
    expectError(
      await svc('phone verify', env),
      1,
      '401 verification_failed',
      'revoked',
      'svc phone register',
    );
  });

  it('contains the time to wait after a used-up limit', async () => {
    const free = await service.signUp();
    for (let calls = 0; calls < 100; calls++) await service.call('GET', '/v1/devices', { as: free.key });
    expectError(await svc('audit export', { SVC_API_KEY: free.key }), 5, '429', /Try again in \d+ s/);
  });

  it('explains an export that a proxy cut off, and a file that cannot be written', async () => {
    const cutter = await otherServer((_, reply) => {
      reply.writeHead(200, { 'x-request-id': 'r3', 'content-length': '1000' });
      reply.write('{"seq":1}\n', () => reply.destroy());
    });
    const out = join(folder, 'cut.jsonl');
    expectError(
      await runSvc(['audit', 'export', '--out', out], { BASE_URL: cutter, SVC_API_KEY: key }),
      3,
      'broke before the end',
    );
    expectError(await svc(`audit export --out ${join(folder, 'no', 'folder')}`), 2, 'cannot be written');
  });

  it('does not end a pairing whose stream a proxy cut: the desktop reconnects', async () => {
    let cuts = 0;
    const proxy = await otherServer((incoming, reply) => {
      const sent = request(`${baseUrl}${incoming.url}`, {
        method: incoming.method,
        headers: incoming.headers,
      });
      sent
        .on('error', () => reply.destroy())
        .on('response', (from) => {
          reply.writeHead(from.statusCode as number, from.headers);
          const cut = incoming.url?.endsWith('/stream') && cuts++ === 0;
          from
            .on('data', (piece) => reply.write(piece, () => cut && reply.destroy()))
            .on('end', () => reply.end());
          from.on('error', () => reply.destroy());
        });
      incoming.pipe(sent);
    });
    const env = { SVC_PHONE: phone('cut') };
    await svc('phone register', env);
    const desktop = startSvc(['pairing', 'open', '--json'], { BASE_URL: proxy, SVC_API_KEY: key });
    const [, opened] = await desktop.waitForOutput(/^(\{"session":.+\})$/m);
    const { qrPayload, matchCode } = JSON.parse(String(opened)).session;
    await vi.waitFor(() => expect(cuts).toBe(2));
    expect((await svc(`phone pair ${qrPayload} --number ${matchCode}`, env)).code).toBe(0);
    expect(await desktop.ended).toMatchObject({ code: 0, json: { state: 'bound' } });
    expect(cuts).toBe(2);
  });

  it('suggests a similar command, and is JSON with --json', async () => {
    expectError(await svc('phone verfy'), 2, 'verfy', 'Did you mean verify');
    expectError(await svc('phone verify --fault no-such'), 2, 'Allowed choices', 'stale-time');
    expectError(await svc('phone register http://evil.example'), 2, 'svc://reg');
    writeFileSync(phone('broken'), '{', { mode: 0o600 });
    expectError(await svc('phone verify', { SVC_PHONE: phone('broken') }), 2, 'is not a file of `svc phone`');
    const wrong = `svc_test_${'0'.repeat(48)}`;
    const { code, out, err } = await svc('phone verify --json', { SVC_API_KEY: wrong });
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      kind: 'credential',
      status: 401,
      error: 'invalid_api_key',
      requestId: expect.any(String),
      message: expect.stringContaining('SVC_API_KEY'),
    });
  });
});
