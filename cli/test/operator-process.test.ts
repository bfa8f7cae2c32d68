// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command, and plays through the sandbox
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind, emptyDatabase } from '../../server/test/support/database.js';

describe('npm run svc -- accounts, as a process', () => {
  const script = fileURLToPath(new URL('../../scripts/svc.mjs', import.meta.url));
  let folder: string;
  let env: Record<string, string>;
  let server: ChildProcess | undefined;

  const freePort = async (): Promise<number> => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    return port;
  };
  const svc = async (...args: string[]) => {
    const child = spawn(process.execPath, [script, ...args], { env });
    let out = '';
    let err = '';
    child.stdout.on('data', (piece) => (out += piece));
    child.stderr.on('data', (piece) => (err += piece));
    const [code] = await once(child, 'close');
    return { code: code as number, out, err };
  };
  const start = async () => {
    server = spawn(process.execPath, [script, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const piece of server.stdout!) {
      text += piece;
      if (text.includes('Serving on')) break;
    }
    expect(text).toContain('Serving on');
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  const call = async (path: string, options: RequestInit = {}) => {
    const reply = await fetch(`http://127.0.0.1:${env.PORT}${path}`, options);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
    return { status: reply.status, body: (await reply.json()) as any };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    const { PATH = '' } = process.env;
    env = {
      PATH,
      SVC_ENV_FILE: '',
      PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
    };
    if (databaseKind === 'postgres') {
      const { url, db } = await emptyDatabase();
      await db.close();
      env.DATABASE_URL = url as string;
      env.SVC_SECRET = 'the secret of this process’s tests, 32 bytes';
    }
  });
  afterAll(async () => {
    await stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('names what is missing before the first migration, and migrates', async () => {
    const before = await svc('accounts', 'list');
    expect(before.code).toBe(1);
    expect(before.err).toMatch(
      databaseKind === 'postgres' ? /lacks 0001_foundation.*migrate/ : /no database in/,
    );
    expect(await svc('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('0001_foundation') });
    expect(await svc('migrate', '--json')).toMatchObject({ code: 0, out: '{"applied":[]}\n' });
    expect(await svc('accounts', 'list', '--json')).toMatchObject({
      code: 0,
      out: '{"tenants":[],"after":null}\n',
    });
  });

  it('takes effect immediately while the server runs, and opens the database itself after the server was killed [service/operator-commands]', async () => {
    await start();
    const email = 'operator@example.com';
    const post = (path: string, body: object) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const account = { email, password: 'correct horse 7 battery', companyName: 'Evil Inc' };
    const { body } = await post('/api/console/signup', account);
    const key = { headers: { authorization: `Bearer ${body.apiKey.key}` } };

    if (env.DATABASE_URL !== undefined) {
      // Accounts from before could have such a name.
      const database = new pg.Client(env.DATABASE_URL);
      await database.connect();
      await database.query('update tenants set company_name = $1', ['Evil\u001b[31m Inc']);
      await database.end();
    }
    const listed = await svc('accounts', 'list');
    expect(listed.out).toContain('Evil');
    expect(listed.out).toContain(email);
    expect(listed.out).not.toContain('\u001b');
    expect((await svc('accounts', 'suspend', email)).out).toContain('suspended');
    expect((await call('/v1/devices', key)).body.error).toBe('tenant_inactive');
    expect((await svc('accounts', 'activate', email, '--json')).out).toContain('"changed":true');
    expect((await call('/v1/devices', key)).status).toBe(200);
    const grace = 'grace-of-the-operator@example.com';
    const invited = await call('/api/console/members', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.token}` },
      body: JSON.stringify({ email: grace, role: 'developer' }),
    });
    const token = new URL(invited.body.invitation.link).hash.slice(1);
    const joining = { token, name: 'Grace Hopper', password: 'correct horse 42 battery' };
    expect((await post('/api/console/invitations/accept', joining)).status).toBe(201);
    const ofGrace = (await svc('accounts', 'reset-password', grace)).out;
    expect(ofGrace).toContain(`Account ${email} (${body.tenant.id}): active`);
    expect(ofGrace).toContain(`Member ${grace} (${invited.body.member.id})\n`);
    expect(ofGrace).toContain('All log-ins of this member have ended.');
    const { out } = await svc('accounts', 'reset-password', email, '--json');
    const { password, member } = JSON.parse(out);
    expect(member).toEqual({ id: body.tenant.id, email });
    expect((await post('/api/console/login', { email, password })).status).toBe(200);

    await stop('SIGKILL');
    expect(await svc('accounts', 'set-plan', email, 'starter')).toMatchObject({ code: 0 });
    await start();
    const reply = await call('/v1/audit', key);
    expect(reply.body.audit.map(({ action }: { action: string }) => action)).toEqual([
      'tenant.plan_changed',
      'member.logged_in',
      'tenant.password_reset',
      'tenant.password_reset',
      'member.joined',
      'member.invited',
      'tenant.activated',
      'tenant.suspended',
      'api_key.created',
      'tenant.created',
    ]);
    expect(reply.body.head.publicKey).toMatch(/^[0-9a-f]{64}$/);
    await stop('SIGTERM');
    expect(server!.exitCode).toBe(0);
  });

  it('encrypts secrets of tenants again, and prints what it did', async () => {
    const counts = { keys: 0, values: 0, changed: 0, createdKeys: 0, deletedKeys: 0 };
    const created = await svc('secrets', 'reseal', '--new-key', '--json');
    expect(created.code).toBe(0);
    expect(JSON.parse(created.out)).toEqual({ ...counts, createdKeys: 1 });
    expect(await svc('secrets', 'reseal')).toMatchObject({
      code: 0,
      out: 'Keys: 0 created, 0 encrypted with SVC_SECRET, 0 deleted.\nSecrets: 0 encrypted with the newest key.\n',
    });
  });

  it('rejects another secret than the server’s', async () => {
    const own = env;
    env = { ...env, SVC_SECRET: 'quite another secret, of thirty-two bytes' };
    const { code, err } = await svc('accounts', 'suspend', 'operator@example.com');
    env = own;
    expect(code).toBe(1);
    expect(err).toContain('SVC_SECRET is not the secret');
  });

  // On one database only, because these commands use none.
  it.runIf(databaseKind === 'postgres')('exits with 2 for invalid input, and prints help', async () => {
    for (const args of [
      ['accounts', 'frobnicate'],
      ['accounts', 'suspend'],
      ['accounts', 'suspend', 'a@example.com', 'b@example.com'],
      ['accounts', 'list', '--colour', 'red'],
      ['accounts', 'list', '--limit', 'many'],
      ['accounts', 'list', '--limit', '1001'],
      ['accounts', 'list', '--plan', 'gold'],
      ['accounts', 'set-plan', 'nobody@example.com', 'gold'],
      ['audit', 'verify', join(folder, 'nowhere')],
    ]) {
      const { code, err, out } = await svc(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(err).toContain('help');
      expect(out).toBe('');
    }
    for (const [group, commands] of [
      ['audit', ['export', 'verify']],
      [
        'accounts',
        ['list', 'set-plan', 'suspend', 'activate', 'deactivate', 'close', 'reopen', 'reset-password'],
      ],
    ] as const) {
      const { code, out, err } = await svc(group);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      for (const command of commands) expect(err).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
    const own = env;
    env = { ...env, DATABASE_URL: 'mysql://x' };
    expect(await svc('accounts', 'list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('DATABASE_URL'),
    });
    env = own;
    expect(await svc('--help')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {2}accounts\|tenants\b/m),
    });
    // The earlier name of the group.
    expect((await svc('tenants', '--help')).out).toMatch(/^ {2}close\b/m);
    expect((await svc('accounts', 'suspend', 'nobody@example.com')).code).toBe(1);
  });
});
