import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.js';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import type { Passwords } from '../../src/base/crypto/passwords.js';
import { sql } from '../../src/db/sql.js';
import { countStatements, sharedDatabase } from '../support/database.js';
import { ADMIN_KEY, freshAddress, type Reply, type Service, startService } from '../support/service.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
const DAY_MS = 24 * 60 * 60_000;
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => service.clock.advance(61 * 60_000));

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Another encoding of the same bytes: 32 bytes leave two bits of the last character unused. */
const withUnusedBits = (token: string) =>
  token.slice(0, -1) + BASE64URL[BASE64URL.indexOf(token.slice(-1)) + 1];

let emails = 0;
const freshEmail = () => {
  emails += 1;
  return `person${emails}.${process.pid}.${Date.now()}@example.com`;
};
const signup = (body: object, address = freshAddress(), of = service) =>
  of.call('POST', '/api/console/signup', {
    body: { email: freshEmail(), companyName: 'Example', ...body },
    address,
  });
const login = (email: string, password: string, address = freshAddress(), of = service) =>
  of.call('POST', '/api/console/login', { body: { email, password }, address });
const tenantsOf = async (email: string) =>
  (await service.db.query<{ id: string }>(sql`select id from tenants where email = ${email}`)).map(
    ({ id }) => id,
  );

describe('password rules', () => {
  it.each([
    ['11 characters', 'abcdefghij1', {}],
    ['no digit', 'abcdefghijkl', {}],
    ['no letter', '123456789012', {}],
    ['only symbols', '!!!!!!!!!!!!', {}],
    ['a common password followed by digits', 'password1234', {}],
    ['a common password in upper case', 'PASSWORD1234', {}],
    ['a common password between symbols', '123!Password!123', {}],
    ['the company name and a year', 'Northwind2026', { companyName: 'Northwind' }],
    ['a company name that ends with a number', 'Northwind 242026', { companyName: 'Northwind 24' }],
    ['the company name with symbols inserted', 'North-Wind!2026', { companyName: 'north wind' }],
    ['the local part of the e-mail address', 'montgomery2026', { email: 'montgomery@example.com' }],
    ['11 characters in 20 UTF-16 code units', `${'😀'.repeat(9)}a1`, {}],
    ['12 code points that normalize to 11 in NFC', 'abcdefghi1e\u0301', {}],
  ])(
    'reject a password and create no account: %s [limit: Password] [members/failed-log-ins]',
    async (_, password, extra) => {
      const email = ('email' in extra ? extra.email : undefined) ?? freshEmail();
      const reply = await signup({ password, ...extra, email });
      expect(reply.body).toMatchObject({ error: 'weak_password', details: [{ path: 'body.password' }] });
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain(password);
      expect(await tenantsOf(email)).toEqual([]);
    },
  );

  it.each([
    ['128 characters', `${'correct horse '.repeat(9)}7x`],
    ['256 characters', `${'x1'.repeat(128)}`],
    ['emoji', 'a1😀😀😀😀😀😀😀😀😀😀'],
    ['leading and trailing spaces', '  seven lazy dogs 7  '],
    ['Cyrillic letters', 'пароль из слов 42'],
    ['Arabic digits', 'unusual words ٤٢٤٢'],
  ])('accept a password with %s, and compare every character', async (_, password) => {
    const email = freshEmail();
    expect((await signup({ email, password })).status).toBe(201);
    expect((await login(email, password)).status).toBe(200);
    const start = [...password].slice(0, -1).join('');
    expect((await login(email, start)).status).toBe(401);
    expect((await login(email, `${start}~`)).status).toBe(401);
    if (password !== password.trim()) expect((await login(email, password.trim())).status).toBe(401);
  });

  it('do not truncate at 72 bytes', async () => {
    const email = freshEmail();
    const start = 'twelve lazy dogs 7 '.repeat(4).slice(0, 72);
    expect((await signup({ email, password: `${start}one` })).status).toBe(201);
    expect((await login(email, `${start}two`)).status).toBe(401);
    expect((await login(email, start)).status).toBe(401);
  });

  it('treat NFC and NFD as the same password', async () => {
    const word = 'Zürich Genève Malmö 7';
    for (const [set, used] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ] as const) {
      const email = freshEmail();
      expect((await signup({ email, password: word.normalize(set) })).status).toBe(201);
      expect((await login(email, word.normalize(used))).status).toBe(200);
    }
  });

  it('reject an overlong password without running Argon2 or revealing whether the account exists', async () => {
    const { service: counting, runs } = await countingService();
    try {
      const account = await counting.signUp();
      runs.length = 0;
      for (const size of [257, 60_000, 1_000_000]) {
        const password = `a1${'x'.repeat(size - 2)}`;
        const started = performance.now();
        const replies = [
          await login(account.email, password, freshAddress(), counting),
          await login('nobody@example.com', password, freshAddress(), counting),
          await signup({ password }, freshAddress(), counting),
        ];
        expect(performance.now() - started).toBeLessThan(500);
        const change = { currentPassword: account.password, newPassword: password };
        replies.push(
          await counting.call('POST', '/api/console/password', { as: account.token, body: change }),
        );
        for (const reply of replies) expect(reply.status).toBe(size > 65_536 ? 413 : 400);
      }
      expect(runs).toEqual([]);
    } finally {
      await counting.close();
    }
  });

  it('apply to a password change, which ends all earlier tokens [POST /api/console/password]', async () => {
    const account = await service.signUp({ companyName: 'Northwind' });
    service.clock.advance(1_000);
    const change = (body: object, as = account.token) =>
      service.call('POST', '/api/console/password', { as, body });
    const currentPassword = account.password;
    for (const newPassword of ['short1', 'password1234', 'Northwind2026']) {
      const reply = await change({ currentPassword, newPassword });
      expect(reply.body).toMatchObject({ error: 'weak_password', details: [{ path: 'body.newPassword' }] });
    }
    const wrong = await change({ currentPassword: 'not my password 1', newPassword: 'another good one 8' });
    expect(`${wrong.status} ${wrong.body.error}`).toBe('401 invalid_credentials');
    expect((await login(account.email, currentPassword)).status).toBe(200);

    const changed = await change({ currentPassword, newPassword: 'another good one 8' });
    expect(changed.status).toBe(200);
    expect(Object.keys(changed.body)).toEqual(['token']);
    const getAccount = (as: string) => service.call('GET', '/api/console/account', { as });
    expect((await getAccount(account.token)).body.error).toBe('invalid_console_token');
    expect((await getAccount(changed.body.token)).status).toBe(200);
    expect((await login(account.email, currentPassword)).status).toBe(401);
    expect((await login(account.email, 'another good one 8')).status).toBe(200);
  });

  it('count a wrong password in a password change as a failed login [console/console-endpoints]', async () => {
    const account = await service.signUp();
    const address = freshAddress();
    const change = (currentPassword: string) =>
      service.call('POST', '/api/console/password', {
        as: account.token,
        body: { currentPassword, newPassword: 'another good one 8' },
        address,
      });
    for (let guess = 0; guess < 10; guess += 1) expect((await change('not my password 1')).status).toBe(401);
    const stopped = await change(account.password);
    expect(stopped.body.error).toBe('rate_limit_exceeded');
    expect(Number(stopped.headers['retry-after'])).toBe(900);
    expect((await login(account.email, account.password, address)).status).toBe(429);
  });
});

/** A service that records each Argon2 run and each SQL statement. */
async function countingService() {
  const { db } = await sharedDatabase();
  const counted = countStatements(db);
  const plain = await startService({ db: counted });
  const runs: string[] = [];
  const inner = plain.app.deps.passwords;
  const passwords: Passwords = {
    hash: (password) => {
      runs.push('hash');
      return inner.hash(password);
    },
    verify: (stored, password) => {
      runs.push('verify');
      return inner.verify(stored, password);
    },
  };
  const { config, clock, timers, random, log, verifier, zk, version, pagesFolder, ready } = plain.app.deps;
  const app = await createApp({
    config,
    clock,
    timers,
    random,
    log,
    verifier,
    zk,
    version,
    pagesFolder,
    ready,
    db: counted,
    passwords,
    secret: SECRET,
  });
  await app.http.ready();
  // The same service, with an application that records its password hashing.
  Object.assign(plain.app, app);
  return { service: plain, runs, statements: counted.statements };
}

describe('logging in', () => {
  const comparable = (reply: Reply) => {
    const { requestId: _, ...body } = reply.body;
    return { status: reply.status, body, names: Object.keys(reply.headers).sort() };
  };

  it('fails the same way for an unknown e-mail and a wrong password: response, statements and Argon2 runs [members/failed-log-ins] [POST /api/console/login]', async () => {
    const { service: counting, runs, statements } = await countingService();
    try {
      const account = await counting.signUp();
      const attempt = async (email: string) => {
        statements.length = 0;
        runs.length = 0;
        const reply = await login(email, 'a wrong password 7', freshAddress(), counting);
        // That of a known e-mail is recorded after its response [audit/failed-log-ins-are-audited].
        const afterwards = statements.findIndex((text) => text.includes('login_failures'));
        if (email === account.email)
          await vi.waitFor(() => expect(statements.join()).toContain('update audit_heads'));
        const before = afterwards < 0 ? [...statements] : statements.slice(0, afterwards);
        return { reply: comparable(reply), statements: before, runs: [...runs] };
      };
      const wrong = await attempt(account.email);
      expect(wrong.reply.status).toBe(401);
      expect(wrong.runs).toEqual(['verify']);
      for (const email of ['nobody@example.com', 'no e-mail at all', 'İ@x.com'])
        expect(await attempt(email)).toEqual(wrong);
      await counting.db.query(sql`update tenants set status = 'suspended' where id = ${account.tenantId}`);
      expect(await attempt(account.email), 'the status is checked after the password').toEqual(wrong);
    } finally {
      await counting.close();
    }
  });

  it('returns 429 for the eleventh attempt in 15 minutes, right or wrong, for known and unknown e-mails [members/failed-log-ins]', async () => {
    const account = await service.signUp();
    for (const email of [account.email, freshEmail()]) {
      const address = freshAddress();
      for (let guess = 0; guess < 10; guess += 1)
        expect((await login(email, 'wrong', address)).status).toBe(401);
      const stopped = await login(email, account.password, address);
      expect(`${stopped.status} ${stopped.body.error}`).toBe('429 rate_limit_exceeded');
      expect(stopped.headers['retry-after']).toBe('900');
      expect((await login(account.email, account.password)).status, 'from another address').toBe(200);
      service.clock.advance(15 * 60_000);
      expect((await login(email, 'wrong', address)).status).toBe(401);
    }
  });

  it('counts failures with any spelling of the e-mail against the same account', async () => {
    const account = await service.signUp();
    const address = freshAddress();
    const spellings = [account.email.toUpperCase(), ` ${account.email} `, account.email];
    for (let guess = 0; guess < 10; guess += 1) await login(spellings[guess % 3] as string, 'wrong', address);
    expect((await login(account.email, account.password, address)).status).toBe(429);
  });

  it('checks at most ten passwords when the attempts are concurrent', async () => {
    const { service: counting, runs } = await countingService();
    try {
      const account = await counting.signUp();
      runs.length = 0;
      const address = freshAddress();
      const guesses = Array.from({ length: 20 }, () =>
        login(account.email, 'a wrong guess', address, counting),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
      expect(runs).toHaveLength(10);
    } finally {
      await counting.close();
    }
  });

  it('returns 429 after 100 failures in an hour from any address, except where the owner logged in within 30 days', {
    tags: ['ci'],
    timeout: 60_000,
  }, async () => {
    const account = await service.signUp();
    const home = freshAddress();
    expect((await login(account.email, account.password, home)).status).toBe(200);
    let wrong = 0;
    for (let address = freshAddress(); wrong < 100; wrong += 1) {
      if (wrong % 10 === 0) address = freshAddress();
      expect((await login(account.email, 'wrong', address)).status).toBe(401);
    }
    const stranger = await login(account.email, account.password, freshAddress());
    expect(stranger.status).toBe(429);
    expect(Number(stranger.headers['retry-after'])).toBe(3600);
    expect((await login(account.email, account.password, home)).status).toBe(200);
    service.clock.advance(60 * 60_000);
    expect((await login(account.email, account.password, freshAddress())).status).toBe(200);

    service.clock.advance(30 * DAY_MS);
    for (wrong = 0; wrong < 100; wrong += 1) await login(account.email, 'wrong', freshAddress());
    expect(
      (await login(account.email, account.password, home)).status,
      'the exemption ends after 30 days',
    ).toBe(429);
  });

  it('does not count successful attempts', async () => {
    const account = await service.signUp();
    const address = freshAddress();
    for (let call = 0; call < 9; call += 1) await login(account.email, 'wrong', address);
    for (let call = 0; call < 5; call += 1)
      expect((await login(account.email, account.password, address)).status).toBe(200);
    expect((await login(account.email, 'wrong', address)).status).toBe(401);
    expect((await login(account.email, account.password, address)).status).toBe(429);
  });

  it('returns 429 after 20 failures from one address in 15 minutes [members/failed-log-ins]', async () => {
    const address = freshAddress();
    for (let call = 0; call < 20; call += 1)
      expect((await login(freshEmail(), 'wrong', address)).status).toBe(401);
    expect((await login(freshEmail(), 'wrong', address)).status).toBe(429);
    service.clock.advance(15 * 60_000 - 1);
    expect((await login(freshEmail(), 'wrong', address)).status).toBe(429);
    service.clock.advance(1);
    expect((await login(freshEmail(), 'wrong', address)).status).toBe(401);
  });
});

describe('signing up', () => {
  const password = 'seven lazy dogs 7';

  it('returns 409 email_already_registered for an e-mail in use, whatever its spelling [members/accounts] [POST /api/console/signup]', async () => {
    const name = `case${process.pid}${Date.now()}`;
    expect((await signup({ email: ` ${name}@EXAMPLE.com `, password })).body.tenant.email).toBe(
      `${name}@example.com`,
    );
    for (const email of [
      `${name}@example.com`,
      `${name.toUpperCase()}@Example.Com`,
      `\t${name}@example.com\n`,
    ]) {
      const reply = await signup({ email, password });
      expect(`${reply.status} ${reply.body.error}`).toBe('409 email_already_registered');
    }
    expect(await tenantsOf(`${name}@example.com`)).toHaveLength(1);
  });

  it.each([
    'İ@x.com',
    'i\u0307@x.com',
    '\u212a@x.com',
    'ＡＢ@x.com',
    'x@exämple.com',
    'x@x',
    '@x.com',
    'x@',
    'x y@x.com',
    'x@x..com',
    'x@@x.com',
    'x@x.com,y@x.com',
    `${'x'.repeat(65)}@x.com`,
    `x@${'x'.repeat(64)}.com`,
    `${'x'.repeat(60)}@${`${'y'.repeat(60)}.`.repeat(4)}com`,
    'x@x.com\u0001',
    '<x@x.com>',
  ])('rejects the e-mail %s with 400', async (email) => {
    const reply = await signup({ email, password });
    expect(`${reply.status} ${reply.body.error}`).toBe('400 invalid_request');
    expect(reply.body.details[0].path).toBe('body.email');
  });

  it('creates one account and one key for 20 concurrent requests with the same e-mail', async () => {
    const email = freshEmail();
    const replies = await Promise.all(Array.from({ length: 20 }, () => signup({ email, password })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect(reply.body.error).toBe('email_already_registered');
    const [tenantId] = await tenantsOf(email);
    const [count] = await service.db.query<{ keys: number; heads: number; events: number }>(sql`select
      (select count(*) from api_keys where tenant_id = ${tenantId}) as keys,
      (select count(*) from audit_heads where tenant_id = ${tenantId}) as heads,
      (select count(*) from audit_events where tenant_id = ${tenantId}) as events`);
    expect(count).toEqual({ keys: 1, heads: 2, events: 2 });
  });

  it('is limited to 10 per address in 15 minutes, rejected ones included [limit: Console signup and login]', async () => {
    const address = freshAddress();
    for (let call = 0; call < 5; call += 1) expect((await signup({ password }, address)).status).toBe(201);
    for (let call = 0; call < 5; call += 1)
      expect((await signup({ password: 'weak' }, address)).status).toBe(400);
    const stopped = await signup({ password }, address);
    expect(`${stopped.status} ${stopped.body.error}`).toBe('429 rate_limit_exceeded');
    expect(stopped.headers['retry-after']).toBe('900');
    expect((await signup({ password })).status).toBe(201);
    service.clock.advance(15 * 60_000 - 1);
    expect((await signup({ password }, address)).status).toBe(429);
    service.clock.advance(1);
    expect((await signup({ password }, address)).status).toBe(201);
  });

  it('assigns the plan from DEFAULT_PLAN, rejects one in the body, and returns markup in a company name as text', async () => {
    for (const extra of [
      { plan: 'enterprise' },
      { status: 'active' },
      { id: crypto.randomUUID() },
      { tenant: {} },
    ]) {
      expect((await signup({ password, ...extra })).status).toBe(400);
    }
    const companyName = '<img src=x onerror=alert(1)>';
    const created = await signup({ password, companyName });
    expect(created.body.tenant.plan).toBe('free');
    const account = await service.call('GET', '/api/console/account', { as: created.body.token });
    expect(account.body.tenant).toMatchObject({ companyName, status: 'active', plan: 'free' });
    const growth = await startService({ env: { DEFAULT_PLAN: 'growth' } });
    expect((await signup({ password }, freshAddress(), growth)).body.tenant.plan).toBe('growth');
    await growth.close();
  });
});

describe('console tokens', () => {
  const getAccount = (as: string, of = service) => of.call('GET', '/api/console/account', { as });

  it('are valid for exactly 24 hours [limit: Console token lifetime]', async () => {
    const account = await service.signUp();
    const claims = JSON.parse(Buffer.from(account.token.split('.')[1] as string, 'base64url').toString());
    expect(claims.exp - claims.iat).toBe(24 * 60 * 60);
    expect(Object.keys(claims).sort()).toEqual(['acc', 'aud', 'exp', 'iat', 'sid', 'sub', 'use', 'ver']);
    service.clock.advance(DAY_MS - 1_000);
    expect((await getAccount(account.token)).status).toBe(200);
    service.clock.advance(1_000);
    expect((await getAccount(account.token)).body.error).toBe('invalid_console_token');
  });

  it('are rejected when forged, altered, expired or not yet valid [http/single-headers]', async () => {
    const account = await service.signUp();
    const keyring = createKeyring(SECRET);
    const { kid } = keyring.current;
    const now = Math.floor(service.clock.now() / 1000);
    const signToken = (claims: object, header: object = {}, key = keyring.current.symmetric('console')) =>
      new SignJWT({ sub: account.tenantId, ver: 0, aud: 'console', iat: now, exp: now + 60, ...claims })
        .setProtectedHeader({ alg: 'HS256', kid, ...header })
        .sign(key);
    expect((await getAccount(await signToken({}))).status, 'signToken() produces a valid token').toBe(200);
    const [header, payload, signature] = account.token.split('.') as [string, string, string];
    const recode = (part: string, change: object) =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change }),
      ).toString('base64url');
    const bad = {
      'not yet valid by iat': await signToken({ iat: now + 1, exp: now + 90 }),
      'not yet valid by nbf': await signToken({ nbf: now + 1 }),
      expired: await signToken({ exp: now }),
      'without exp': await signToken({ exp: undefined }),
      'without iat': await signToken({ iat: undefined }),
      'without sub': await signToken({ sub: undefined }),
      'of another version': await signToken({ ver: 1 }),
      'without version': await signToken({ ver: undefined }),
      'of an unknown account': await signToken({ sub: crypto.randomUUID() }),
      'for sessions': await signToken({ aud: 'session' }),
      'for several audiences': await signToken({ aud: ['session', 'legacy'] }),
      'of the session key': await signToken({}, {}, keyring.current.symmetric('session')),
      'of another secret': await signToken(
        {},
        {},
        createKeyring('x'.repeat(32)).current.symmetric('console'),
      ),
      'of an unknown kid': await signToken({}, { kid: '0000000000000000' }),
      'without kid': await signToken({}, { kid: undefined }),
      'with a critical extension': await signToken({}, { crit: ['exp'] }).catch(() => 'a.b.c'),
      'with HS512': await new SignJWT({
        sub: account.tenantId,
        ver: 0,
        aud: 'console',
        iat: now,
        exp: now + 60,
      })
        .setProtectedHeader({ alg: 'HS512', kid })
        .sign(new Uint8Array(64)),
      'with alg none': `${recode(header, { alg: 'none' })}.${payload}.`,
      'with an edited claim': `${header}.${recode(payload, { exp: now + 999_999 })}.${signature}`,
      'with an edited header': `${recode(header, { x: 1 })}.${payload}.${signature}`,
      'with another signature': `${header}.${payload}.${'A'.repeat(signature.length)}`,
      'with unused bits of the signature set': withUnusedBits(account.token),
      'with padding': `${account.token}=`,
      'cut short': account.token.slice(0, -2),
      'an API key': account.key,
      'no token': 'x',
      dots: '..',
      'empty JSON': 'e30.e30.e30',
    };
    for (const [what, token] of Object.entries(bad)) {
      const reply = await getAccount(token);
      expect(`${reply.status} ${reply.body.error}`, what).toBe('401 invalid_console_token');
    }
    for (const authorization of [
      account.token,
      `Basic ${account.token}`,
      `Bearer${account.token}`,
      `Bearer ${account.token} x`,
      'Bearer',
    ]) {
      const reply = await service.call('GET', '/api/console/account', { headers: { authorization } });
      expect(reply.status, authorization.slice(0, 12)).toBe(401);
    }
    const lower = await service.call('GET', '/api/console/account', {
      headers: { authorization: `bearer ${account.token}` },
    });
    expect(lower.status, 'the scheme is case-insensitive').toBe(200);
    const spaced = await service.call('GET', '/api/console/account', {
      headers: { authorization: `Bearer  ${account.token}` },
    });
    expect(spaced.status, 'RFC 9110 has any number of spaces').toBe(200);
  });

  it('all end when one of them logs out, while API keys stay valid [console/console-tokens] [POST /api/console/logout]', async () => {
    const account = await service.signUp();
    service.clock.advance(5_000);
    const second = (await login(account.email, account.password)).body.token;
    const out = await service.call('POST', '/api/console/logout', { as: second });
    expect(out.body).toEqual({ loggedOut: true });
    for (const token of [account.token, second]) expect((await getAccount(token)).status).toBe(401);
    expect((await getAccount((await login(account.email, account.password)).body.token)).status).toBe(200);
    expect((await service.call('GET', '/v1/devices', { as: account.key })).status, 'keys stay valid').toBe(
      200,
    );
  });

  it('survive a rotation of SVC_SECRET as long as SVC_SECRET_PREVIOUS is set', async () => {
    const { clock } = service;
    const account = await service.signUp();
    const NEW = 'the next secret of the tests, 32 bytes and more';
    const rotated = await startService({ clock, secret: NEW, env: { SVC_SECRET_PREVIOUS: SECRET } });
    const later = await startService({ clock, secret: NEW });
    try {
      expect((await getAccount(account.token, rotated)).status).toBe(200);
      expect((await getAccount(account.token, later)).status).toBe(401);
      const fresh = (await login(account.email, account.password, freshAddress(), rotated)).body.token;
      expect((await getAccount(fresh, later)).status, 'the new secret signs').toBe(200);
      expect((await getAccount(fresh)).status, 'a process with the old secret rejects it').toBe(401);
      await rotated.call('POST', '/v1/devices', { as: account.key, body: { name: 'x' } });
      const integrity = await rotated.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
        headers: { 'x-api-key': ADMIN_KEY },
      });
      expect(integrity.body.status).toBe('pass');
    } finally {
      await rotated.close();
      await later.close();
    }
  });
});

describe('the security policy', () => {
  const put = (as: string, security_policy: unknown) =>
    service.call('PUT', '/api/console/security-policy', { as, body: { security_policy } });
  const read = async (as: string) => (await service.call('GET', '/api/console/security-policy', { as })).body;

  it('protects identities at first, and is replaced as a whole [http/envelopes] [console/security-policy] [identities/policy] [GET /api/console/security-policy] [PUT /api/console/security-policy]', async () => {
    const { token } = await service.signUp();
    expect(await read(token)).toEqual({ security_policy: { protect_identities: true } });
    const full = {
      require_strong_integrity: true,
      require_device_integrity: false,
      require_basic_integrity: true,
      allow_device_attestation_absent: false,
      allow_unbound_proofs: true,
      deprecated_verify: 'off',
      providers: { did: 'onchain', verification: 'offchain', auditAnchor: 'onchain' },
    };
    for (const policy of [full, { allow_unbound_proofs: false }, { providers: {} }, {}]) {
      expect((await put(token, policy)).body).toEqual({ security_policy: policy });
      expect(await read(token)).toEqual({ security_policy: policy });
    }
  });

  it('rejects unknown fields and wrong types', async () => {
    const { token } = await service.signUp();
    for (const policy of [
      null,
      [],
      'x',
      { require_strong_integrity: 'true' },
      { require_strong_integrity: null },
      { x: 1 },
      { deprecated_verify: false },
      { providers: { did: 'x' } },
      { providers: { chain: 1 } },
      { providers: { auditAnchor: 'offchain' } },
    ]) {
      expect((await put(token, policy)).body.error).toBe('invalid_request');
    }
    expect((await service.call('PUT', '/api/console/security-policy', { as: token, body: {} })).status).toBe(
      400,
    );
    expect(await read(token)).toEqual({ security_policy: { protect_identities: true } });
  });

  it.each(['free', 'starter', 'growth', 'enterprise'] as const)(
    'allows on-chain verification on the %s plan only if the plan includes it [limit: On-chain verification]',
    async (plan) => {
      const { token } = await service.signUp({ plan });
      const reply = await put(token, { providers: { verification: 'onchain' } });
      const allowed = plan === 'growth' || plan === 'enterprise';
      expect(allowed ? reply.status : `${reply.status} ${reply.body.error}`).toBe(
        allowed ? 200 : '403 plan_upgrade_required',
      );
      expect(await read(token)).toEqual({
        security_policy: allowed ? { providers: { verification: 'onchain' } } : { protect_identities: true },
      });
    },
  );
});
