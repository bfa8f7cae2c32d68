// @module-tag if-touched @core server/src/features/health/ scripts/: the operator’s commands on whole databases
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { runCommand } from '../../src/bin/commands.js';
import { operate } from '../../src/bin/operate.js';
import { requestServer, serveOperator, socketPath } from '../../src/bin/socket.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { sql } from '../../src/db/sql.js';
import { resignHeads } from '../../src/features/audit/heads.js';
import { emptyDatabase, freshDatabase, migrationsFolder } from '../support/database.js';
import { addMember } from '../support/members.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

describe('the operator’s commands', () => {
  let service: Service;
  beforeAll(async () => {
    // The list covers all accounts, so this file needs its own database.
    const { db } = await freshDatabase();
    service = await startService({ db });
  });
  afterAll(() => service.close());

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const run = async (command: string, input: Record<string, unknown> = {}): Promise<any> => {
    const reply = await runCommand(service.app.deps, { command, input });
    return reply.ok ? reply.result : { error: reply.error };
  };
  const newest = async (account: Account) => {
    const headers = { 'x-api-key': ADMIN_KEY };
    const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}`;
    expect((await service.call('GET', path, { headers })).body.status).toBe('pass');
    const [row] = await service.db.query<{ canonical: string }>(sql`select canonical from audit_events
      where tenant_id = ${account.tenantId} and environment = 'live' order by seq desc limit 1`);
    return JSON.parse(row!.canonical);
  };
  const statusOf = async (account: Account) =>
    (await service.call('GET', '/v1/devices', { as: account.key })).status;

  it('a suspension blocks keys, console and login immediately, and an activation ends it immediately [tenant.suspended] [tenant.activated] [tenant.deactivated] [members/accounts] [service/changing-accounts]', async () => {
    const account = await service.signUp();
    const login = { body: { email: account.email, password: account.password } };
    for (const [verb, status] of [
      ['suspend', 'suspended'],
      ['deactivate', 'deactivated'],
    ] as const) {
      expect(await statusOf(account)).toBe(200);
      const from = (await run('accounts list')).tenants.find(
        (t: { id: string }) => t.id === account.tenantId,
      ).status;
      const result = await run(`accounts ${verb}`, { tenant: account.tenantId });
      expect(result).toMatchObject({ changed: true, tenant: { id: account.tenantId, status } });
      for (const reply of [
        await service.call('GET', '/v1/devices', { as: account.key }),
        await service.call('GET', '/api/console/account', { as: account.token }),
        await service.call('POST', '/api/console/login', login),
      ])
        expect([reply.status, reply.body.error]).toEqual([403, 'tenant_inactive']);
      expect(await newest(account)).toMatchObject({
        action: `tenant.${status}`,
        actorType: 'system',
        actorId: null,
        entityType: 'tenant',
        entityId: account.tenantId,
        environment: 'live',
        metadata: { from, to: status },
      });
      expect(await run('accounts activate', { tenant: account.email })).toMatchObject({ changed: true });
      expect(await newest(account)).toMatchObject({
        action: 'tenant.activated',
        metadata: { from: status, to: 'active' },
      });
    }
    expect(await statusOf(account)).toBe(200);
  });

  it('a plan applies from the next request [tenant.plan_changed]', async () => {
    const account = await service.signUp();
    const limit = async () =>
      (await service.call('GET', '/v1/devices', { as: account.key })).headers['x-ratelimit-limit'];
    expect(await limit()).toBe('100');
    expect(await run('accounts set-plan', { tenant: account.tenantId, plan: 'growth' })).toMatchObject({
      changed: true,
      tenant: { plan: 'growth' },
    });
    expect(await limit()).toBe('2000');
    expect(await newest(account)).toMatchObject({
      action: 'tenant.plan_changed',
      metadata: { from: 'free', to: 'growth' },
    });
  });

  it('a command without effect changes nothing and writes no audit event', async () => {
    const account = await service.signUp();
    const before = (await newest(account)).seq;
    for (const [command, input] of [
      ['accounts activate', {}],
      ['accounts set-plan', { plan: 'free' }],
    ] as const) {
      expect(await run(command, { tenant: account.tenantId, ...input })).toMatchObject({ changed: false });
    }
    expect((await newest(account)).seq).toBe(before);
  });

  it('one of several simultaneous commands changes the account', async () => {
    const account = await service.signUp();
    const results = await Promise.all(
      Array.from({ length: 6 }, () => run('accounts suspend', { tenant: account.tenantId })),
    );
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
  });

  it('a password reset generates a password, returns it once, and ends every log-in of the member [tenant.password_reset]', async () => {
    const account = await service.signUp();
    const { password, tenant, member } = await run('accounts reset-password', {
      tenant: account.email.toUpperCase(),
    });
    expect(tenant.id).toBe(account.tenantId);
    expect(member).toEqual({ id: account.tenantId, email: account.email });
    expect(password).toMatch(/^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){3}$/);
    expect((await service.call('GET', '/api/console/account', { as: account.token })).status).toBe(401);
    const login = (attempt: string) =>
      service.call('POST', '/api/console/login', { body: { email: account.email, password: attempt } });
    expect((await login(account.password)).status).toBe(401);
    expect((await login(password)).status).toBe(200);
    const [row] = await service.db.query<{ n: number }>(
      sql`select count(*) as n from audit_events where canonical like ${`%${password}%`}`,
    );
    expect(row!.n).toBe(0);
    expect(service.logged.join('\n')).not.toContain(password);
    const again = await run('accounts reset-password', { tenant: account.tenantId });
    expect(again.password).not.toBe(password);
    expect(await newest(account)).toMatchObject({ action: 'tenant.password_reset', actorType: 'system' });
  });

  it('a password reset of another member ends their log-ins only, and the audit log names them [members/members]', async () => {
    const account = await service.signUp();
    const grace = await addMember(service, account, 'developer');
    const { password, tenant, member } = await run('accounts reset-password', { tenant: grace.email });
    expect([tenant.id, member]).toEqual([account.tenantId, { id: grace.id, email: grace.email }]);
    const status = async (as: string) => (await service.call('GET', '/api/console/account', { as })).status;
    expect([await status(grace.token), await status(account.token)]).toEqual([401, 200]);
    expect(await newest(account)).toMatchObject({
      ...{ action: 'tenant.password_reset', actorType: 'system', entityType: 'member', entityId: grace.id },
    });
    const logIn = (attempt: string) =>
      service.call('POST', '/api/console/login', { body: { email: grace.email, password: attempt } });
    expect((await logIn(grace.password)).status).toBe(401);
    expect((await logIn(password)).status).toBe(200);
  });

  it('a password reset by the name of an account whose first owner was removed says so, and other members get theirs', async () => {
    const account = await service.signUp();
    const grace = await addMember(service, account, 'owner');
    const path = `/api/console/members/${account.tenantId}`;
    expect((await service.call('DELETE', path, { as: grace.token })).status).toBe(200);
    for (const tenant of [account.tenantId, account.email])
      expect(await run('accounts reset-password', { tenant })).toEqual({
        error: expect.stringContaining('no member any more'),
      });
    const { member } = await run('accounts reset-password', { tenant: grace.email });
    expect(member.id).toBe(grace.id);
  });

  it('accounts are listed newest first, filtered by status and plan, in pages', async () => {
    const accounts: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      service.clock.advance(1);
      accounts.unshift((await service.signUp({ plan: 'enterprise' })).tenantId);
    }
    await run('accounts suspend', { tenant: accounts[1] });
    const ids = ({ tenants }: { tenants: { id: string }[] }) => tenants.map(({ id }) => id);
    const first = await run('accounts list', { limit: 2 });
    expect(ids(first)).toEqual(accounts.slice(0, 2));
    expect(first.after).toBe(accounts[1]);
    expect(ids(await run('accounts list', { limit: 1, after: first.after }))).toEqual([accounts[2]]);
    expect(ids(await run('accounts list', { status: 'suspended', plan: 'enterprise', limit: 1 }))).toEqual([
      accounts[1],
    ]);
    expect(first.tenants[0]).toEqual({
      id: accounts[0],
      email: expect.stringContaining('@example.com'),
      companyName: 'Example',
      plan: 'enterprise',
      status: 'active',
      createdAt: expect.any(String),
      closesAt: null,
    });
  });

  it('an invalid account, plan, field or command returns a clear error and writes nothing', async () => {
    const account = await service.signUp();
    const tenant = account.tenantId;
    for (const [command, input, error] of [
      ['accounts suspend', { tenant: 'nobody@example.com' }, /no account "nobody@example\.com"/],
      ['accounts suspend', { tenant: crypto.randomUUID() }, /no account/],
      ['accounts suspend', { tenant: "' or 1=1 --" }, /no account/],
      ['accounts suspend', {}, /tenant is required/],
      ['accounts set-plan', { tenant, plan: 'gold' }, /plan must be one of free/],
      ['accounts list', { limit: 1_001 }, /limit must be/],
      ['accounts list', { after: 'x' }, /after must be a UUID/],
      ['accounts suspend', { tenant, plan: 'free' }, /plan is not a known field/],
      ['accounts delete', { tenant }, /no command "accounts delete"/],
      ['constructor', {}, /no command/],
    ] as const)
      expect((await run(command, input)).error, command).toMatch(error);
    expect((await newest(account)).action).toBe('api_key.created');
  });

  it('the command line reads the server’s settings, and names an invalid one', async () => {
    const request = { command: 'accounts list', input: {} };
    expect(await operate({ DATABASE_URL: 'mysql://x' }, request)).toEqual({
      ok: false,
      usage: true,
      error: expect.stringContaining('DATABASE_URL'),
    });
    const away = { DATABASE_URL: 'postgres://127.0.0.1:9/x', SVC_SECRET: 'x'.repeat(32) };
    expect(await operate(away, request)).toEqual({
      ok: false,
      error: expect.stringMatching(/^The database cannot be/),
    });
  });

  describe('heads resign', () => {
    const [OLD, NEW] = [
      'the secret before, 32 bytes and more!',
      'the secret that follows, 32 bytes and more',
    ];
    const integrity = async (on: Service, account: Account) => {
      const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}`;
      const { body } = await on.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
      return body.chains.map(({ status, reason }: { status: string; reason?: string }) => reason ?? status);
    };
    const resign = (on: Service) => runCommand(on.app.deps, { command: 'heads resign', input: {} });

    it('re-signs all heads, so every audit chain verifies without the previous secret [audit/signing-heads-again]', async () => {
      const { db } = await freshDatabase();
      const before = await startService({ db, secret: OLD });
      const account = await before.signUp();
      const after = await startService({ db, secret: NEW });
      expect(await integrity(after, account)).toEqual(['head_key_unknown', 'head_key_unknown']);
      const during = await startService({ db, secret: NEW, env: { SVC_SECRET_PREVIOUS: OLD } });
      expect(await integrity(during, account)).toEqual(['pass', 'pass']);
      const [rows] = await db.query<{ n: number }>(sql`select count(*) as n from audit_events`);
      expect(await resign(during)).toEqual({ ok: true, result: { resigned: 2 } });
      expect(await integrity(after, account)).toEqual(['pass', 'pass']);
      expect(await resign(during)).toEqual({ ok: true, result: { resigned: 0 } });
      expect(await db.query(sql`select count(*) as n from audit_events`)).toEqual([rows]);
      await db.close();
    });

    it('never re-signs a head without a valid signature of a configured secret, and reports it', async () => {
      const { db } = await freshDatabase();
      const before = await startService({ db, secret: OLD });
      const [sound, forged] = [await before.signUp(), await before.signUp()];
      await db.query(
        sql`update audit_heads set seq = seq - 1 where tenant_id = ${forged.tenantId} and environment = 'live'`,
      );
      const blind = await startService({ db, secret: NEW });
      expect(await resign(blind)).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^0 heads .* 4 were not/),
      });
      const during = await startService({ db, secret: NEW, env: { SVC_SECRET_PREVIOUS: OLD } });
      const { error } = (await resign(during)) as { error: string };
      expect(error).toMatch(/^3 heads were signed again. 1 were not/);
      expect(error).toContain(`${forged.tenantId} live`);
      expect(await integrity(blind, sound)).toEqual(['pass', 'pass']);
      expect(await integrity(during, forged)).toContain('rows_after_head');
      await db.close();
    });

    it('processes every head once, over several pages', async () => {
      const { db } = await freshDatabase();
      const before = await startService({ db, secret: OLD });
      for (let account = 0; account < 3; account += 1) await before.signUp();
      const [first] = await db.query<{ tenant_id: string }>(
        sql`update audit_heads set seq = seq - 1 where environment = 'live'
          and tenant_id = (select tenant_id from audit_heads order by tenant_id limit 1) returning tenant_id`,
      );
      const during = await startService({ db, secret: NEW, env: { SVC_SECRET_PREVIOUS: OLD } });
      // With three heads a page, the first page ends between the second account’s two heads.
      expect(await resignHeads(during.app.deps, 3)).toEqual({
        resigned: 5,
        unverified: 1,
        named: [{ tenantId: first!.tenant_id, environment: 'live' }],
      });
      await db.close();
    });
  });

  it('migrate applies missing migrations once', async () => {
    const { db } = await emptyDatabase();
    const deps = { ...service.app.deps, db };
    const migrate = () => runCommand(deps, { command: 'migrate', input: {} });
    expect(await migrate()).toEqual({
      ok: true,
      result: { applied: expect.arrayContaining(['0001_foundation', '0005_leads']) },
    });
    expect(await migrate()).toEqual({ ok: true, result: { applied: [] } });
    await db.close();
  });

  it('inspect reports missing, changed and newer migrations, and whether the secret matches', async () => {
    const { db } = await emptyDatabase();
    const deps = { ...service.app.deps, db };
    const migrations = await readMigrations(migrationsFolder);
    const names = migrations.map(({ name }) => name);
    const inspect = async (on = deps) => {
      const reply = await runCommand(on, { command: 'inspect', input: {} });
      return reply.ok ? (reply.result as object) : reply;
    };
    expect(await inspect()).toMatchObject({ missing: names, changed: [], newer: [], ownSecret: true });
    await migrate(db, migrations);
    expect(await inspect()).toMatchObject({ kind: db.kind, missing: [], changed: [], newer: [] });
    await db.query(sql`update schema_migrations set checksum = 'another' where name = ${names[0]}`);
    await db.query(sql`insert into schema_migrations (name, checksum) values ('9999_newer', 'x')`);
    expect(await inspect()).toMatchObject({ missing: [], changed: [names[0]], newer: ['9999_newer'] });
    await db.close();

    await service.signUp();
    const { deps: own } = service.app;
    expect(await inspect(own)).toMatchObject({ ownSecret: true });
    const keyring = createKeyring('quite another secret, of thirty-two bytes');
    expect(await inspect({ ...own, keyring })).toMatchObject({ ownSecret: false });
  });
});

describe('the operator’s socket', () => {
  let service: Service;
  let folder: string;
  let path: string;
  let server: Awaited<ReturnType<typeof serveOperator>>;
  beforeAll(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'svc-op-'));
    path = socketPath(folder) as string;
  });
  afterEach(() => server?.close());
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  it('is accessible only to its owner from its creation, and deleted when it closes [service/operator-commands]', async () => {
    server = await serveOperator(service.app.deps, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(path)).toBe(false);
    expect(await requestServer(path, { command: 'migrate', input: {} })).toBeUndefined();
  });

  it('replaces the socket of a killed process, serves concurrent requests, and never logs names or passwords', async () => {
    writeFileSync(path, '');
    const account = await service.signUp();
    server = await serveOperator(service.app.deps, path);
    const ask = (command: string, input = {}) => requestServer(path, { command, input });
    const replies = await Promise.all([
      ask('accounts reset-password', { tenant: account.email }),
      ask('accounts list', { limit: 1 }),
      ask('accounts suspend', { tenant: 'nobody@example.com' }),
    ]);
    expect(replies.map((reply) => reply?.ok)).toEqual([true, true, false]);
    const { result } = replies[0] as { result: { password: string } };
    expect(service.logged.join('\n')).not.toContain(result.password);
    expect(service.logged.join('\n')).not.toContain(account.email);
  });

  it('rejects malformed requests and keeps serving', async () => {
    server = await serveOperator(service.app.deps, path);
    for (const text of ['', 'hello', '[]', 'null', '{"command":1,"input":{}}', 'x'.repeat(100_000)]) {
      const socket = connect({ path, allowHalfOpen: true });
      socket.on('error', () => {});
      socket.end(text);
      let reply = '';
      for await (const piece of socket) reply += piece;
      expect(reply, text.slice(0, 20)).toContain('"ok":false');
    }
    expect(await requestServer(path, { command: 'accounts list', input: {} })).toMatchObject({ ok: true });
  });

  it.each(['', 'x'.repeat(100_000)])('disconnects a client that never finishes its request', async (text) => {
    server = await serveOperator(service.app.deps, path, 50);
    const socket = connect({ path, allowHalfOpen: true });
    socket.on('error', () => {});
    socket.resume().write(text);
    // Resolves when every connection is closed.
    await Promise.all([once(socket, 'connect').then(() => server.close()), once(socket, 'end')]);
    socket.destroy();
  });

  it('has a path within the length limit, or none', () => {
    expect(socketPath(join(tmpdir(), 'x'.repeat(200)))).toBeUndefined();
    expect(Buffer.byteLength(socketPath(tmpdir()) as string)).toBeLessThanOrEqual(103);
  });
});
