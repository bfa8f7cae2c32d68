// @module-tag if-touched @core server/src/features/health/ scripts/: random operations, and many starts and kills of the process
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { openPgProxy } from '../support/faults/pg-proxy.js';
import { until } from '../support/faults/remote.js';
import {
  endProcesses,
  freePort,
  freshSettings,
  type Installation,
  install,
  type Running,
  startProcess,
} from '../support/process.js';

const ADMIN_KEY = 'admin-key-of-the-tests-0123456789abcdef';

let installed: Installation;
let scratch: string;
beforeAll(() => {
  installed = install();
  scratch = mkdtempSync(join(tmpdir(), 'svc-process-data-'));
});
afterAll(() => {
  endProcesses();
  installed.remove();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

let folders = 0;
const newFolder = () => join(scratch, `data-${++folders}`);

const settings = async (options?: { hasDatabase: boolean }): Promise<Record<string, string>> => ({
  ...(await freshSettings(newFolder(), options)),
  ADMIN_API_KEY: ADMIN_KEY,
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

async function call(on: Running, method: string, path: string, as?: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${on.url}${path}`, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(path.startsWith('/api/admin') && { 'x-api-key': ADMIN_KEY }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const password = 'correct horse 7 battery staple';
async function signUp(on: Running, name: string): Promise<{ token: string; key: string }> {
  const email = `${name}@example.com`;
  const { status, body } = await call(on, 'POST', '/api/console/signup', undefined, {
    email,
    password,
    companyName: 'Example',
  });
  expect(status).toBe(201);
  return { token: body.token, key: body.apiKey.key };
}

/** Creates devices until the service stops. Returns the acknowledged ids and the number of calls. */
async function load(on: Running, key: string, workers: number) {
  const acknowledged: string[] = [];
  let calls = 0;
  const work = async () => {
    for (;;) {
      try {
        const reply = await call(on, 'POST', '/v1/devices', key, { name: 'Door' });
        calls += 1;
        if (reply.status === 201) acknowledged.push(reply.body.device.id);
      } catch {
        return;
      }
    }
  };
  const done = Promise.all(Array.from({ length: workers }, work));
  return { acknowledged, done, calls: () => calls };
}

/** Sends the headers of a write and waits until the service accepted them. Returns a function that sends the body and returns the status. */
async function beginWrite(on: Running, key: string, agent: Agent): Promise<() => Promise<number>> {
  const body = JSON.stringify({ name: 'Last' });
  const sent = request(`${on.url}/v1/devices`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  return async () => {
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    return reply.statusCode as number;
  };
}

async function refusesConnections(on: Running): Promise<boolean> {
  const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
  return once(socket, 'connect').then(
    () => !socket.destroy(),
    () => true,
  );
}

async function listDevices(on: Running, key: string): Promise<{ ids: Set<string>; calls: number }> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  let calls = 0;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { body } = await call(on, 'GET', `/v1/devices?limit=100${query}`, key);
    calls += 1;
    for (const device of body.devices) ids.add(device.id);
    cursor = body.nextCursor;
  } while (cursor);
  return { ids, calls };
}

const used = async (on: Running, token: string): Promise<number> =>
  (await call(on, 'GET', '/api/console/usage', token)).body.currentMonth.used;
const integrity = async (on: Running) => (await call(on, 'GET', '/api/admin/audit-integrity')).body;

/** Starts a process that must exit with code 1 before it serves, without a stack trace. Returns its output. */
async function failedStart(env: Record<string, string>, from = installed): Promise<string> {
  const running = await startProcess(from, env);
  const { code, output } = await running.ended;
  expect(code).toBe(1);
  expect(output).not.toContain('Serving on');
  expect(output).not.toMatch(/^\s+at /m);
  return output;
}

// On one database only: these starts fail before they connect.
describe.runIf(databaseKind === 'postgres')('a start', () => {
  it('reports all invalid settings together, without their values', async () => {
    const bad = {
      PORT: '65536x',
      HOST: 'bad host!',
      BASE_URL: 'ftp://bad-base-url',
      DATABASE_URL: 'mysql://bad-user:bad-password@bad-host/x',
      SVC_SECRET: 'bad-secret-too-short',
      SVC_SECRET_PREVIOUS: 'bad-previous',
      ADMIN_API_KEY: 'bad-admin-key',
      REQUIRE_CEREMONY_KEYS: 'bad-maybe',
      DEFAULT_PLAN: 'bad-plan',
      PLAN_WINDOW_MULTIPLIER: '0.5',
      TRUST_PROXY: 'bad-proxy',
      CORS_ORIGINS: 'bad-origin',
      LOG_LEVEL: 'bad-level',
    };
    const output = await failedStart(bad);
    for (const name of Object.keys(bad)) expect(output).toContain(`${name} must be`);
    for (const value of Object.values(bad)) expect(output).not.toContain(value);
    expect(output).not.toContain('bad-');
  });

  it('requires the settings that production needs', async () => {
    const output = await failedStart({
      NODE_ENV: 'production',
      PLAN_WINDOW_MULTIPLIER: '2',
      DATA_DIR: newFolder(),
    });
    expect(output).toContain('SVC_SECRET is required');
    expect(output).toContain('PLAN_WINDOW_MULTIPLIER');
    expect(await failedStart({ REQUIRE_CEREMONY_KEYS: 'true', DATA_DIR: newFolder() })).toContain(
      'REQUIRE_CEREMONY_KEYS',
    );
  });

  // Node 20 has no relaxed SIMD.
  it.runIf(process.versions.node.startsWith('20.'))(
    'fails if the kernel of ZK_KERNEL does not work in this runtime',
    async () => {
      const output = await failedStart({ ZK_KERNEL: 'fma', DATA_DIR: newFolder() });
      expect(output).toContain(
        'ZK_KERNEL=fma does not work here. The fma kernel is unusable: this runtime has no relaxed SIMD.',
      );
    },
  );

  it('rejects development keys with a manifest edited to claim a ceremony of 57 contributors', async () => {
    const file = join(installed.artifacts, 'manifest.json');
    const text = readFileSync(file, 'utf8');
    const manifest = JSON.parse(text);
    manifest.setup = { ...manifest.setup, kind: 'ceremony', contributors: 57 };
    writeFileSync(file, JSON.stringify(manifest));
    try {
      for (const required of ['', 'true', '57']) {
        const output = await failedStart({ REQUIRE_CEREMONY_KEYS: required, DATA_DIR: newFolder() });
        expect(output).toContain('check "manifest" failed');
        expect(output).toContain('setup.kind');
      }
    } finally {
      writeFileSync(file, text);
    }
  });

  it.each([
    [
      'changed',
      'sha256',
      (text: string) =>
        text.replace('"nPublic"', '"nPublic" ').replace(/(\d)"/, (_, d) => `${(Number(d) + 1) % 10}"`),
    ],
    ['reformatted', 'sha256', (text: string) => JSON.stringify(JSON.parse(text))],
    ['missing', 'missing', undefined],
  ])('fails with a %s verification key and names the failed check', async (_name, check, change) => {
    const file = join(installed.artifacts, 'identity_proof.vkey.json');
    const text = readFileSync(file, 'utf8');
    const data = newFolder();
    try {
      if (change === undefined) rmSync(file);
      else {
        expect(change(text)).not.toBe(text);
        writeFileSync(file, change(text));
      }
      expect(await failedStart({ DATA_DIR: data })).toContain(`check "${check}" failed`);
      expect(existsSync(data)).toBe(false);
    } finally {
      writeFileSync(file, text);
    }
  });
});

describe('the artifacts', () => {
  it('are served as they were checked at the start, even if the files change later', async () => {
    const on = await startProcess(installed, await settings());
    await on.serving;
    const files = ['identity_proof.wasm', 'identity_proof.zkey', 'identity_proof.vkey.json'];
    const originals = files.map((name) => readFileSync(join(installed.artifacts, name)));
    try {
      for (const name of files) writeFileSync(join(installed.artifacts, name), 'changed after the start');
      for (const [i, name] of files.entries()) {
        const reply = await fetch(`${on.url}/zk/identity_proof-1.2/${name}`);
        expect(Buffer.from(await reply.arrayBuffer()).equals(originals[i] as Buffer), name).toBe(true);
      }
    } finally {
      files.forEach((name, i) => {
        writeFileSync(join(installed.artifacts, name), originals[i] as Buffer);
      });
      on.kill('SIGKILL');
    }
  });
});

describe('a start', () => {
  it('fails with a clear message when the port is taken or the data folder is invalid', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = await settings();
    const { port } = server.address() as { port: number };
    expect(await failedStart({ ...env, PORT: String(port) })).toContain('PORT is taken');
    server.close();
    const file = newFolder();
    writeFileSync(file, 'no folder');
    expect(await failedStart({ DATA_DIR: file })).toContain('DATA_DIR');
  });
});

describe('a running service', () => {
  let env: Record<string, string>;
  let running: Running;
  let account: { token: string; key: string };
  /** Calls of the account's key with a response. */
  let responded = 0;
  /** Calls without a response that may have been counted. */
  let withoutResponse = 0;

  const start = async () => {
    running = await startProcess(installed, env);
    await running.serving;
  };
  const counted = async (method: string, path: string, body?: object) => {
    const reply = await call(running, method, path, account.key, body);
    responded += 1;
    return reply;
  };

  beforeAll(async () => {
    env = await settings({ hasDatabase: false });
    await start();
    account = await signUp(running, 'owner');
  });

  if (databaseKind === 'pglite') {
    it('locks its data folder, and makes the secret and the database accessible only to their owner', async () => {
      const output = await failedStart({ DATA_DIR: env.DATA_DIR as string });
      expect(output).toContain(`${env.DATA_DIR} is in use by process ${running.pid}`);
      expect((await call(running, 'GET', '/api/health')).body.database).toBe(true);
      const secret = join(env.DATA_DIR as string, 'secret');
      expect(statSync(secret).mode & 0o777).toBe(0o600);
      expect(statSync(join(env.DATA_DIR as string, 'database')).mode & 0o777).toBe(0o700);
      expect(readFileSync(secret, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    });
  }

  it('loses no acknowledged write when it is killed under load, and starts again', async () => {
    const writers = await load(running, account.key, 8);
    await until(() => writers.acknowledged.length >= 60);
    running.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');
    await writers.done;
    responded += writers.calls();
    withoutResponse += 8;

    await start();
    const { ids, calls } = await listDevices(running, account.key);
    responded += calls;
    expect(writers.acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBeLessThanOrEqual(writers.acknowledged.length + 8);
    const chain = await integrity(running);
    expect(chain).toMatchObject({ status: 'pass', partial: false });
    // tenant.created, api_key.created, and each device: every row has its event, and every event its row.
    expect(chain.checked).toBe(2 + ids.size);
    const count = await used(running, account.token);
    expect(count).toBeGreaterThanOrEqual(responded);
    expect(count).toBeLessThanOrEqual(responded + withoutResponse);
    withoutResponse = 0;
    responded = count;
  });

  it('does not start with another secret than the one that signed its database', async () => {
    const own = env.SVC_SECRET ?? readFileSync(join(env.DATA_DIR as string, 'secret'), 'utf8').trim();
    const other = { ...env, SVC_SECRET: 'another secret of the process tests, long enough' };
    const end = async () => {
      running.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
    };
    await end();
    expect(await failedStart(other)).toContain(
      'SVC_SECRET is not the one that this database was signed with',
    );
    running = await startProcess(installed, { ...other, SVC_SECRET_PREVIOUS: own });
    await running.serving;
    await end();
    // It may have signed a tree with its secret.
    env.SVC_SECRET_PREVIOUS = other.SVC_SECRET;
    await start();
    expect(await integrity(running)).toMatchObject({ status: 'pass' });
  });

  it('finishes requests in flight at SIGTERM, and exits with 0 within 10 seconds', async () => {
    const idle = connect(Number(new URL(running.url).port), '127.0.0.1');
    await once(idle, 'connect');
    await counted('GET', '/v1/devices?limit=1'); // leaves a keep-alive connection
    const agent = new Agent({ keepAlive: true });
    const halves = await Promise.all(
      Array.from({ length: 6 }, () => beginWrite(running, account.key, agent)),
    );
    running.kill('SIGTERM');
    running.kill('SIGTERM');
    await until(() => refusesConnections(running));
    running.kill('SIGTERM');
    const statuses = await Promise.all(halves.map((finish) => finish()));
    expect(statuses).toEqual(Array(6).fill(201));
    responded += statuses.length;
    const { code, output } = await running.ended;
    // The service measures the time itself: when it is over, the end is forced, and it says so as an error.
    expect([code, output.includes('"level":"error"')]).toEqual([0, false]);
    idle.destroy();
    agent.destroy();
  });

  it('starts again with valid tokens, an intact audit chain and the exact usage', async () => {
    await start();
    expect((await call(running, 'GET', '/api/console/account', account.token)).status).toBe(200);
    expect(await used(running, account.token)).toBe(responded);
    expect(await integrity(running)).toMatchObject({ status: 'pass' });
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    if (databaseKind === 'pglite') expect(existsSync(join(env.DATA_DIR as string, 'lock'))).toBe(false);
  });
});

describe('the metrics', () => {
  it('have their own port, and the start fails with a clear message if it is taken', async () => {
    const env = await settings();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await failedStart({ ...env, METRICS_PORT: String(port) })).toContain(
      'METRICS_HOST and METRICS_PORT cannot be listened on',
    );
    server.close();
  });
});

describe.runIf(databaseKind === 'pglite')('the first start on an empty folder', () => {
  it('can be killed halfway, and the next start creates a complete database', async () => {
    const env = await settings({ hasDatabase: false });
    const first = await startProcess(installed, env);
    const folder = env.DATA_DIR as string;
    await until(
      () => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('database.draft')),
    );
    first.kill('SIGKILL');
    await first.ended.then(() => expect(existsSync(join(folder, 'database'))).toBe(false));
    const second = await startProcess(installed, env);
    await second.serving;
    await signUp(second, 'early');
    expect(await integrity(second)).toMatchObject({ status: 'pass', checked: 2 });
    second.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['database', 'secret']);
  });
});

describe.runIf(databaseKind === 'postgres')('PostgreSQL', () => {
  it('that is unreachable or lacks the database makes the start fail with a clear message without the password', async () => {
    const { DATABASE_URL, ...env } = await settings();
    const url = new URL(DATABASE_URL as string);
    url.port = String(await freePort());
    url.password = 'a-database-password';
    const output = await failedStart({ ...env, DATABASE_URL: url.href });
    expect(output).toContain('DATABASE_URL');
    expect(output).not.toContain('a-database-password');
    const missing = new URL(DATABASE_URL as string);
    missing.pathname = '/svc_test_no_such_database';
    expect(await failedStart({ ...env, DATABASE_URL: missing.href })).toContain('DATABASE_URL');
  });

  it('can be lost and restored without a restart: requests get 503, and no acknowledged write is lost', async () => {
    const env = await settings();
    const proxy = await openPgProxy(env.DATABASE_URL as string);
    const running = await startProcess(installed, { ...env, DATABASE_URL: proxy.url });
    await running.serving;
    const { token, key } = await signUp(running, 'owner');
    const write = () => call(running, 'POST', '/v1/devices', key, { name: 'Door' });

    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let loading = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (loading) {
          const { status, body, headers } = await write();
          statuses.add(status);
          if (status === 201) acknowledged.push(body.device.id);
          else if (!headers.get('retry-after'))
            throw new Error(`${status} without Retry-After: ${JSON.stringify(body)}`);
        }
      }),
    );
    for (let round = 1; round <= 3; round += 1) {
      await until(() => acknowledged.length >= 40 * round);
      proxy.cut();
      await until(async () => (await call(running, 'GET', '/api/health')).status === 503);
      const { status, body, headers } = await write();
      expect([status, body.error]).toEqual([503, 'service_unavailable']);
      expect(headers.get('retry-after')).toMatch(/^[1-9]/);
      const health = await call(running, 'GET', '/api/health');
      expect(health.body).toMatchObject({ status: 'degraded', database: false });
      expect(health.headers.get('retry-after')).toMatch(/^[1-9]/);
      expect((await call(running, 'GET', '/api/health/live')).status).toBe(200);
      expect((await call(running, 'GET', '/api/health/ready')).status).toBe(503);
      expect((await call(running, 'GET', '/api/console/account', token)).status).toBe(503);
      proxy.restore();
      await until(async () => (await call(running, 'GET', '/api/health')).status === 200);
    }
    await until(() => acknowledged.length >= 160);
    loading = false;
    await load;
    expect([...statuses].sort()).toEqual([201, 503]);
    const { ids } = await listDevices(running, key);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(await integrity(running)).toMatchObject({ status: 'pass', checked: 2 + ids.size });
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    proxy.close();
  });
});
