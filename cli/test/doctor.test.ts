// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind, emptyDatabase } from '../../server/test/support/database.js';
import { freePort } from '../../server/test/support/process.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';
import { serviceAndFolder } from './service-and-folder.js';

describe('svc doctor, as a process', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
    env = { PORT: String(await freePort()), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
    if (databaseKind !== 'postgres') return;
    const { url, db } = await emptyDatabase();
    await db.close();
    env = { ...env, DATABASE_URL: url as string, SVC_SECRET: 'the secret of this process’s tests, 32 bytes' };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const doctor = async (changed: Record<string, string> = {}) => {
    const { code, json, err } = await runSvc(['doctor', '--json'], { ...env, ...changed });
    expect(err).toBe('Checking …\n');
    const status = Object.fromEntries(
      json.checks.map((check: { name: string; status: string }) => [check.name, check.status]),
    );
    return { code, status, checks: json.checks };
  };

  it('reports what is missing before the first start without creating it, and nothing after a migration', async () => {
    const before = await doctor();
    expect(before.code).toBe(0);
    expect(before.status).toMatchObject(
      databaseKind === 'postgres' ? { database: 'ok', schema: 'warn' } : { database: 'warn' },
    );
    expect(before.status).toMatchObject({
      settings: 'ok',
      key: 'ok',
      redis: 'ok',
      mail: 'ok',
      chain: 'ok',
      server: 'warn',
    });
    expect(existsSync(env.DATA_DIR as string)).toBe(false);
    expect((await startSvc(['migrate'], env).ended).code).toBe(0);
    const after = await doctor();
    expect(after.status).toMatchObject({
      database: 'ok',
      schema: 'ok',
      secret: 'ok',
      'database clock': 'ok',
    });
    const { out } = await runSvc(['doctor'], env);
    expect(out).toMatch(/^ok {4}schema +up to date$/m);
    expect(out).not.toContain('\u001b');
  });

  it.skipIf(process.platform === 'win32')('warns if other users can access the data folder', async () => {
    const open = join(folder, 'open');
    mkdirSync(join(open, 'database'), { recursive: true });
    chmodSync(join(open, 'database'), 0o755);
    const checked = await runSvc(['doctor', '--json'], { PORT: env.PORT as string, DATA_DIR: open });
    const [found] = checked.json.checks.filter(({ name }: { name: string }) => name === 'folder');
    expect(found).toMatchObject({ status: 'warn', next: `chmod go= ${join(open, 'database')}` });
  });

  it('names each problem with its next step, and exits with 1', async () => {
    const other = createServer((_, reply) => reply.end('It works!'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const unused = await freePort();
    const { code, status, checks } = await doctor({
      BASE_URL: elsewhere,
      REDIS_URL: `redis://127.0.0.1:${unused}`,
      SMTP_URL: `smtp://user:secret-of-the-mail@127.0.0.1:${unused}`,
      MAIL_FROM: 'svc@example.com',
      REQUIRE_CEREMONY_KEYS: 'true',
      CHAIN_RPC_URL: `http://127.0.0.1:${unused}/key-in-the-path`,
      CHAIN_ID: '1',
      CHAIN_PRIVATE_KEY: `0x${'7'.repeat(64)}`,
      CHAIN_CONTRACTS: JSON.stringify({
        anchorHub: `0x${'1'.repeat(40)}`,
        groth16Verifier: `0x${'2'.repeat(40)}`,
      }),
      DATABASE_URL: `postgres://nobody@127.0.0.1:${unused}/none`,
      DATABASE_READ_URL: `postgres://nobody:secret-of-the-replica@127.0.0.1:${unused}/none`,
      SVC_SECRET: 'another secret of more than thirty-two bytes',
    });
    other.close();
    expect(code).toBe(1);
    expect(status).toMatchObject({
      server: 'fail',
      redis: 'fail',
      mail: 'warn',
      key: 'fail',
      chain: 'fail',
      database: 'fail',
      replica: 'warn',
    });
    expect(JSON.stringify(checks)).not.toMatch(/key-in-the-path|secret-of-the-replica|secret-of-the-mail/);
    for (const check of checks) expect(check.next === undefined, check.name).toBe(check.status === 'ok');
    const settings = await doctor({ PORT: 'many', LOG_LEVEL: 'loud' });
    expect(settings.code).toBe(1);
    expect(settings.checks.map(({ detail }: { detail: string }) => detail.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
    ]);
  });
});

describe('an account on the command line', () => {
  const on = serviceAndFolder();
  const svc = (env: Record<string, string>, ...args: string[]) =>
    runSvc(args, { BASE_URL: on.service.url, ...env });

  it('is checked with the timeout SVC_TIMEOUT', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const env = { BASE_URL: `http://127.0.0.1:${port}`, SVC_TIMEOUT: '1' };
    expect(await svc(env, 'doctor', '--client')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^fail/),
    });
    expect((await svc({ SVC_TIMEOUT: 'soon' }, 'doctor', '--client')).out).toContain('SVC_TIMEOUT must be');
    silent.close();
  });

  it('signs up, creates and revokes keys, exports its chain and verifies it', async () => {
    const email = `cli-${process.pid}-${Date.now()}@example.com`;
    const signedUp = await svc({}, 'signup', email, '--company', 'Example', '--json');
    const { password, token } = signedUp.json;
    const login = { SVC_EMAIL: email, SVC_PASSWORD: password };
    const created = (
      await svc(login, 'keys', 'create', 'Desk', '--scopes', 'audit:read,nonce:create', '--json')
    ).json;
    expect(created.apiKey).toMatchObject({ environment: 'test', scopes: ['audit:read', 'nonce:create'] });
    const listed = await svc({ SVC_CONSOLE_TOKEN: token }, 'keys', 'list');
    expect(listed.out).toMatch(/test +active +svc_test_\w{7} +never +Desk/);
    expect(listed.out).not.toContain(created.apiKey.key);

    const out = join(on.folder, 'chain.jsonl');
    const { apiKey } = signedUp.json;
    expect(await svc({ SVC_API_KEY: apiKey.key }, 'audit', 'export', '--out', out)).toMatchObject({
      code: 0,
    });
    expect(await svc({}, 'audit', 'verify', out)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The chain is valid'),
    });
    const piped = await svc({ SVC_API_KEY: apiKey.key }, 'audit', 'export');
    // The second export begins with the same rows, and has one about the first.
    const rows = (text: string) => text.trim().split('\n').slice(0, -1);
    const exported = rows(readFileSync(out, 'utf8'));
    expect(rows(piped.out).slice(0, exported.length)).toEqual(exported);
    expect(JSON.parse(rows(piped.out).at(-1) as string).action).toBe('tenant.exported');

    const rotate = (...more: string[]) => svc(login, 'keys', 'rotate', created.apiKey.id, ...more);
    expect(await rotate('--grace-seconds', '1h')).toMatchObject({ code: 2 });
    const rotated = (await rotate('--grace-seconds', '60', '--json')).json;
    expect(rotated.apiKey).toMatchObject({ name: 'Desk', scopes: ['audit:read', 'nonce:create'] });
    expect(rotated.apiKey.key).toMatch(/^svc_test_[0-9a-f]{48}$/);
    expect((await rotate()).err).toContain('api_key_not_active');
    const again = await svc(login, 'keys', 'rotate', rotated.apiKey.id, '--grace-seconds', '0');
    expect(again.out).toContain(`replaces ${rotated.apiKey.id}, which has ended.`);

    expect((await svc(login, 'keys', 'revoke', created.apiKey.id)).out).toContain('revoked');
    const client = { SVC_API_KEY: created.apiKey.key };
    const checked = await svc(client, 'doctor', '--client', '--json');
    expect(checked.code).toBe(1);
    expect(checked.json.checks).toContainEqual(
      expect.objectContaining({
        name: 'key',
        status: 'fail',
        detail: expect.stringContaining('invalid_api_key'),
      }),
    );
    const good = await svc({ SVC_API_KEY: apiKey.key }, 'doctor', '--client', '--json');
    expect(good.json.checks).toContainEqual(expect.objectContaining({ name: 'key', status: 'ok' }));
  });
});
