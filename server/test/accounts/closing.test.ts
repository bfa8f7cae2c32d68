// @module-tag embedded-ci
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { routesOf } from '../../src/app.js';
import { DELETED_TABLES, KEPT } from '../../src/db/account-rows.js';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import {
  closeAccount,
  listTenants,
  reopenAccount,
  setStatus,
} from '../../src/features/accounts/administration.js';
import { deleteClosedAccounts } from '../../src/features/accounts/deletion.js';
import { addLeaves } from '../../src/features/identities/commitments/leaf-chains.js';
import { CANARY, dropChecks, findText, insertCanaries, tablesOfAccounts } from '../support/canaries.js';
import { freshDatabase } from '../support/database.js';
import { failingAt } from '../support/faults/nth-statement.js';
import { createClient } from '../support/oidc-clients.js';
import { openStream } from '../support/pairing.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { type Account, ADMIN_KEY, freshAddress, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  type Hook,
  LOOPBACK,
  startHook,
} from '../support/webhooks.js';

const DAY = 24 * 60 * 60_000;
let db: RawDatabase;
let faults: ReturnType<typeof failingAt>;
let service: Service;
let hook: Hook;
let account: Account;
beforeAll(async () => {
  ({ db } = await freshDatabase());
  faults = failingAt(db);
  service = await startService({ db: faults.db, env: LOOPBACK });
  hook = await startHook();
});
afterAll(async () => {
  await service.close();
  await hook.stop();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});

const close = (of: Account, password = of.password, address = freshAddress()) =>
  service.call('POST', '/api/console/account/close', { as: of.token, body: { password }, address });
const reopen = (of: Account, as = of.token) => service.call('POST', '/api/console/account/reopen', { as });
const logIn = async (of: Account) =>
  service.call('POST', '/api/console/login', {
    body: { email: of.email, password: of.password },
    address: freshAddress(),
  });
const tokenOf = async (of: Account): Promise<string> => (await logIn(of)).body.token;
const run = async () => {
  // Calls that are not yet counted would add rows between two runs.
  await service.app.deps.meter.flush();
  await deleteClosedAccounts(service.app.deps);
};
const rowOf = async ({ tenantId }: Account) =>
  (
    await db.query<Record<string, unknown>>(sql`select id, email, company_name, password_hash, plan, status,
    security_policy, closes_at, created_at from tenants where id = ${tenantId}`)
  )[0]!;
const lastAction = async ({ tenantId }: Account, environment = 'live') => {
  const [row] = await db.query<{
    action: string;
    actor_type: string;
  }>(sql`select action, actor_type from audit_events
    where tenant_id = ${tenantId} and environment = ${environment} order by seq desc limit 1`);
  return row && `${row.action} ${row.actor_type}`;
};
const integrity = async ({ tenantId }: Account) => {
  const { body } = await service.call('GET', `/api/admin/audit-integrity?tenantId=${tenantId}`, {
    headers: { 'x-api-key': ADMIN_KEY },
  });
  return body.chains.map(({ status, reason }: { status: string; reason?: string }) => reason ?? status);
};
/** Closes the account, lets its time pass and deletes everything. */
async function remove(of: Account) {
  expect((await close(of)).status).toBe(200);
  service.clock.advance(30 * DAY);
  for (let runs = 0; runs < 5; runs += 1) await run();
}

describe('closing an account [POST /api/console/account/close] [erasure/closing-an-account]', () => {
  it('asks for the password, tells the day, and is repeatable [tenant.closed]', async () => {
    expect((await close(account, 'not the password 1')).body.error).toBe('invalid_credentials');
    const closesAt = new Date(service.clock.now() + 30 * DAY).toISOString();
    const reply = await close(account);
    expect([reply.status, reply.body]).toEqual([200, { status: 'closing', closesAt }]);
    expect(await lastAction(account)).toBe('tenant.closed member');
    service.clock.advance(60_000);
    expect((await close(account)).body).toEqual({ status: 'closing', closesAt });
    const { body } = await service.call('GET', '/api/console/account', { as: account.token });
    expect(body.tenant).toMatchObject({ status: 'closing', closesAt });
    const events = await db.query(sql`select 1 from audit_events
      where tenant_id = ${account.tenantId} and action = 'tenant.closed'`);
    expect(events).toHaveLength(1);
  });

  it('once, if the owner asks several times at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => close(account)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(replies.map(({ body }) => body.closesAt)).size).toBe(1);
  });

  it('needs no password within five minutes after a log-in, as for owners who only have passkeys', async () => {
    const closeNow = () =>
      service.call('POST', '/api/console/account/close', { as: account.token, body: {} });
    service.clock.advance(5 * 60_000 + 1);
    expect((await closeNow()).body.error).toBe('step_up_required');
    const confirmation = { as: account.token, body: { password: account.password } };
    expect((await service.call('POST', '/api/console/step-up', confirmation)).status).toBe(200);
    expect((await closeNow()).body.status).toBe('closing');
  });

  it('counts a wrong password as a failed log-in', async () => {
    const address = freshAddress();
    for (let guess = 0; guess < 10; guess += 1)
      expect((await close(account, 'not the password 1', address)).status).toBe(401);
    expect((await close(account, account.password, address)).status).toBe(429);
    expect((await rowOf(account)).status).toBe('active');
  });

  it('rejects everything but the log-in, the account, the session, closing and reopening', async () => {
    await service.createKey(account, 'live');
    await close(account);
    const allowed: string[] = [];
    for (const { method, path, auth, limit } of routesOf('test')) {
      const credential =
        auth.kind === 'key' ? account.key : auth.kind === 'console' ? account.token : undefined;
      if (credential === undefined) continue;
      const url = path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
      const reply = await service.call(method, url, {
        as: credential,
        ...(method !== 'GET' && { body: {} }),
        ...(limit && { address: freshAddress() }),
      });
      if (reply.body?.error !== 'tenant_inactive') allowed.push(`${method} ${path}`);
      else expect(reply.status).toBe(403);
      if (path === '/api/console/logout') account = { ...account, token: await tokenOf(account) };
      if (path === '/api/console/account/reopen') await close(account);
    }
    expect(allowed.sort()).toEqual([
      'GET /api/console/account',
      'POST /api/console/account/close',
      'POST /api/console/account/reopen',
      'POST /api/console/logout',
    ]);
    const session = await service.call('GET', '/api/console/session', { session: account.token });
    expect([session.status, session.body.tenant.status]).toEqual([200, 'closing']);
    const opened = await service.call('POST', '/api/console/session', {
      body: { email: account.email, password: account.password },
      address: freshAddress(),
    });
    expect(opened.status).toBe(201);
    // Routes of /v1 that take the dashboard's session.
    const listed = await service.call('GET', '/v1/users', { session: account.token });
    expect([listed.status, listed.body.error]).toEqual([403, 'tenant_inactive']);
  });

  it('ends streams and deliveries, and phones and OpenID clients get what they get from a suspended account', async () => {
    const suspended = await service.signUp({ plan: 'enterprise' });
    const probes = async (of: Account) => {
      const person = { ...of, phone: await registerPerson(service, of.key) };
      await createClient(service, of);
      return async () => {
        const body = await proveFor(service, person.phone, { tenantId: of.tenantId });
        const phone = { ...body, tenantId: of.tenantId, environment: 'live' };
        const replies = await Promise.all([
          service.call('GET', `/oidc/${of.tenantId}/live/.well-known/openid-configuration`),
          service.call('GET', `/oidc/${of.tenantId}/live/auth?client_id=x`),
          service.call('POST', '/v1/phone/identity/list', { body: phone, address: freshAddress() }),
          service.call('GET', '/v1/identity/me', { as: of.key }),
        ]);
        return replies.map(({ status, body: { error } = {} }) => `${status} ${error ?? ''}`);
      };
    };
    const [ofClosing, ofSuspended] = [await probes(account), await probes(suspended)];
    const key = await eventKey(service, account);
    await createHook(service, key, { url: hook.url });
    await createDevice(service, key);
    await deliver(service);
    const streams = await Promise.all([
      openStream(service, '/v1/events/stream', { authorization: `Bearer ${key}` }),
      openStream(service, '/api/console/requests/stream', { authorization: `Bearer ${account.token}` }),
    ]);
    await close(account);
    for (const stream of streams) expect(await stream.ended()).toBe(true);
    await deliver(service);
    await deliver(service, 60_000);
    expect(hook.types()).toContain('device.created');
    expect(hook.types()).not.toContain('tenant.closed');
    await setStatus(
      { ...service.app.deps, random: service.app.deps.random },
      suspended.tenantId,
      'suspended',
    );
    expect(await ofClosing()).toEqual(await ofSuspended());
    // Reopened, it is as before, and the events of the time in between are delivered.
    expect((await reopen(account)).status).toBe(200);
    await deliver(service, 60_000);
    await vi.waitFor(() =>
      expect(hook.types()).toEqual(expect.arrayContaining(['tenant.closed', 'tenant.reopened'])),
    );
    expect(
      (await service.call('GET', `/oidc/${account.tenantId}/live/.well-known/openid-configuration`)).status,
    ).toBe(200);
  });

  it('does not help an account that the operator has suspended, nor reopening it', async () => {
    await service.setStatus(account, 'suspended');
    const reply = await close(account);
    expect([reply.status, reply.body.error]).toEqual([403, 'tenant_inactive']);
    expect((await reopen(account)).body.error).toBe('tenant_inactive');
    expect((await rowOf(account)).status).toBe('suspended');
  });
});

describe('reopening an account [POST /api/console/account/reopen] [erasure/closing-an-account]', () => {
  it('on day 29 gives everything back [tenant.reopened]', async () => {
    const person = await registerPerson(service, account.key);
    await close(account);
    service.clock.advance(29 * DAY);
    await run();
    const as = await tokenOf(account);
    const reply = await reopen(account, as);
    expect([reply.status, reply.body]).toEqual([200, { status: 'active' }]);
    expect(await lastAction(account)).toBe('tenant.reopened member');
    const body = await proveFor(service, person, { tenantId: account.tenantId });
    expect((await service.call('POST', '/v1/identity/verify', { as: account.key, body })).status).toBe(200);
    const { tenant } = (await service.call('GET', '/api/console/account', { as })).body;
    expect(tenant).toMatchObject({ status: 'active', closesAt: null });
    // Its days are over only if it is closed again.
    service.clock.advance(2 * DAY);
    await run();
    expect((await rowOf(account)).status).toBe('active');
    // A repetition changes nothing.
    expect((await reopen(account, await tokenOf(account))).status).toBe(200);
  });

  it('is impossible from that moment on, also before the job runs', async () => {
    await close(account);
    service.clock.advance(30 * DAY);
    const as = await tokenOf(account);
    const reply = await reopen(account, as);
    expect([reply.status, reply.body.error]).toEqual([403, 'tenant_inactive']);
    await run();
    expect((await rowOf(account)).status).toBe('closed');
    expect((await logIn(account)).status).toBe(401);
    expect((await service.call('GET', '/api/console/account', { as })).status).toBe(401);
  });
});

describe('an account whose days are over [erasure/closing-an-account]', () => {
  it('is gone on day 31 but for its audit log, and its e-mail signs up again [tenant.deleted]', async () => {
    await registerPerson(service, account.key);
    const { created_at } = await rowOf(account);
    await close(account);
    service.clock.advance(31 * DAY);
    // Calls that were still being counted come to the database between two runs.
    await expect.poll(async () => run().then(async () => (await rowOf(account)).closes_at)).toBe(null);
    expect(await rowOf(account)).toEqual({
      ...{
        id: account.tenantId,
        email: `${account.tenantId}@closed.invalid`,
        company_name: '',
        password_hash: '',
      },
      ...{ plan: 'enterprise', status: 'closed', security_policy: {}, closes_at: null, created_at },
    });
    expect(await lastAction(account)).toBe('tenant.deleted system');
    expect((await service.call('GET', '/v1/users', { as: account.key })).status).toBe(401);
    expect(await integrity(account)).toEqual(['pass', 'pass']);
    const again = await service.call('POST', '/api/console/signup', {
      body: { email: account.email, password: account.password, companyName: 'Again' },
      address: freshAddress(),
    });
    expect(again.status).toBe(201);
    expect(again.body.tenant.id).not.toBe(account.tenantId);
    const audit = await service.call('GET', '/api/admin/privacy-audit', {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(audit.body, audit.text).toMatchObject({ status: 'pass' });
    // Nothing is written behind `tenant.deleted`.
    service.clock.advance(2 * 60 * 60_000);
    await run();
    await addLeaves(service.app.deps);
    expect(await lastAction(account)).toBe('tenant.deleted system');
    // The new account and its owner.
    expect(await findText(db, account.email)).toHaveLength(2);
  });

  it('leaves no e-mail to sign up with, and none with which its end could be prevented', async () => {
    const body = {
      email: `${account.tenantId}@closed.invalid`,
      password: account.password,
      companyName: 'X',
    };
    expect(
      (await service.call('POST', '/api/console/signup', { body, address: freshAddress() })).status,
    ).toBe(400);
    await remove(account);
    const guess = { email: body.email, password: '' };
    expect(
      (await service.call('POST', '/api/console/login', { body: guess, address: freshAddress() })).status,
    ).toBe(400);
    const another = { ...guess, password: account.password };
    expect(
      (await service.call('POST', '/api/console/login', { body: another, address: freshAddress() })).status,
    ).toBe(401);
  });

  it('keeps the integrity check passing while it is deleted, but not for one that only looks closed', async () => {
    await registerPerson(service, account.key);
    const other = await service.signUp();
    const { userId } = await registerPerson(service, other.key);
    await close(account);
    service.clock.advance(31 * DAY);
    const stop = new AbortController();
    await deleteClosedAccounts({ ...service.app.deps, signal: stop.signal });
    expect(await integrity(account)).toEqual(['pass', 'pass']);
    // An attacker who can write to the database has no event in the chain.
    await db.query(sql`update tenants set status = 'closed' where id = ${other.tenantId}`);
    await db.query(sql`delete from identity_commitments where tenant_id = ${other.tenantId}`);
    await db.query(sql`delete from identities where tenant_id = ${other.tenantId} and user_id = ${userId}`);
    expect(await integrity(other)).toContain('identity_changed');
  });

  it('is listed for the operator, who cannot change it any more', async () => {
    const deps = { ...service.app.deps };
    await closeAccount(deps, account.email);
    expect(await lastAction(account)).toBe('tenant.closed system');
    await expect(setStatus(deps, account.tenantId, 'active')).rejects.toThrow('accounts reopen');
    await reopenAccount(deps, account.email);
    expect(await lastAction(account)).toBe('tenant.reopened system');
    await remove(account);
    const { tenants } = await listTenants(db, { status: 'closed' }, 1_000);
    expect(tenants.map(({ id }) => id)).toContain(account.tenantId);
    for (const change of [
      closeAccount,
      reopenAccount,
      (d: typeof deps, name: string) => setStatus(d, name, 'active'),
    ])
      await expect(change(deps, account.tenantId)).rejects.toThrow('records are deleted');
    const suspended = await service.signUp();
    await setStatus(deps, suspended.tenantId, 'suspended');
    await expect(closeAccount(deps, suspended.tenantId)).rejects.toThrow('accounts activate');
    await expect(reopenAccount(deps, suspended.tenantId)).rejects.toThrow('not closing');
  });
});

describe('the rows of a closed account [erasure/closing-an-account]', () => {
  it('are decided on for every table that has some', async () => {
    const decided = [...DELETED_TABLES, ...Object.keys(KEPT)].filter((table) => table !== 'tenants');
    expect((await tablesOfAccounts(db)).sort()).toEqual(decided.sort());
  });

  it('go from every column of every table, whichever statement fails in between, and no other account loses one', {
    tags: ['ci'],
    timeout: 120_000,
  }, async () => {
    const own = (await freshDatabase()).db;
    await dropChecks(own);
    const failing = failingAt(own);
    const node = await startService({ db: failing.db, clock: service.clock });
    try {
      const [gone, stays] = [await node.signUp({ companyName: `${CANARY} company` }), await node.signUp()];
      const call = (path: string, of: Account) =>
        node.call('POST', path, { as: of.token, body: { password: of.password }, address: freshAddress() });
      expect((await call('/api/console/account/close', gone)).status).toBe(200);
      await insertCanaries(own, gone.tenantId);
      await own.query(
        sql`update anchor_leaves set hash = ${'0'.repeat(64)}, hub = 'hub'
        where tenant_id = ${gone.tenantId}`,
      );
      service.clock.advance(31 * DAY);
      let failures = 0;
      for (let n = 1; ; n += 1) {
        const { failed } = await failing.during(
          n,
          () => deleteClosedAccounts(node.app.deps).catch(() => {}) as Promise<void>,
        );
        if (failed) failures += 1;
        const [row] = await own.query<{ closes_at: Date | null }>(
          sql`select closes_at from tenants where id = ${gone.tenantId}`,
        );
        if (row?.closes_at === null) break;
        expect(n).toBeLessThan(500);
      }
      expect(failures).toBeGreaterThan(20);
      expect(await findText(own, CANARY)).toEqual([]);
      expect((await findText(own, '00000000cafe')).map((row) => row.split(':')[0])).toEqual([
        'anchor_leaves',
        'anchor_leaves',
      ]);
      const rows = await own.query<{ action: string }>(
        sql`select action from audit_events where tenant_id = ${gone.tenantId} and action = 'tenant.deleted'`,
      );
      expect(rows).toHaveLength(1);
      expect((await node.call('GET', '/api/console/keys', { as: stays.token })).status).not.toBe(500);
      expect((await node.call('GET', '/v1/users', { as: stays.key })).status).toBe(200);
    } finally {
      await node.close();
    }
  });
});
