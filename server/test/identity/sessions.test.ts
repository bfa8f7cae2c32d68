import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { createTokens } from '../../src/base/crypto/tokens.js';
import { sql } from '../../src/db/sql.js';
import { freshDatabase } from '../support/database.js';
import { openSession, type Person, proveUnbound, registerPerson } from '../support/phone.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SECRET = 'the secret of the tests, 32 bytes and more';

describe('sessions', () => {
  let service: Service;
  let account: Account;
  let person: Person;
  let bare: Awaited<ReturnType<typeof proveUnbound>>;
  let tokens: { accessToken: string; refreshToken: string; sessionId: string };
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
    person = await registerPerson(service, account.key);
    // Generating a proof is the slow part, so all sessions use one unbound proof.
    await service.call('PUT', '/api/console/security-policy', {
      as: account.token,
      body: { security_policy: { allow_unbound_proofs: true } },
    });
    bare = await proveUnbound(service, person);
  });
  beforeEach(async () => {
    const body = { ...bare, nonce: randomUUID(), timestamp: service.clock.now() };
    tokens = (await service.call('POST', '/v1/identity/verify', { as: account.key, body })).body;
  });
  afterAll(() => service.close());

  const me = (token = tokens.accessToken, as = account.key, on = service) =>
    on.call('GET', '/v1/identity/me', { as, headers: { 'x-session-token': token } });
  const refresh = (refreshToken = tokens.refreshToken, retryKey?: string, as = account.key, on = service) =>
    on.call('POST', '/v1/identity/refresh', {
      as,
      body: { refreshToken },
      ...(retryKey && { headers: { 'idempotency-key': retryKey } }),
    });
  const logout = (token = tokens.accessToken, as = account.key) =>
    service.call('POST', '/v1/identity/logout', { as, headers: { 'x-session-token': token } });
  const code = (reply: Reply) => [reply.status, reply.body.error];
  const invalidSession = [401, 'invalid_session_token'];
  const invalidRefresh = [401, 'invalid_refresh_token'];

  describe('an access token', () => {
    it('expires after exactly expiresIn = exp − iat = 3600 seconds [limit: Session access token expiresIn]', async () => {
      const claims = decodeJwt(tokens.accessToken);
      expect((claims.exp as number) - (claims.iat as number)).toBe(3600);
      expect(claims).toMatchObject({
        aud: 'session',
        sub: person.userId,
        tenant: account.tenantId,
        environment: 'live',
        sid: tokens.sessionId,
        did: person.did,
      });
      service.clock.advance(3600_000 - 1);
      expect((await me()).status).toBe(200);
      service.clock.advance(1);
      expect(code(await me())).toEqual(invalidSession);
      expect((await refresh()).body.expiresIn).toBe(3600);
    });

    it('is required, and anything else in its header is rejected', async () => {
      const call = (headers: Record<string, string | string[]>) =>
        service.call('GET', '/v1/identity/me', { as: account.key, headers });
      expect(code(await call({}))).toEqual([401, 'missing_session_token']);
      for (const token of ['', 'x', 'a.b.c', `${tokens.accessToken}x`, tokens.refreshToken, account.key])
        expect(code(await call({ 'x-session-token': token })), token).toEqual(invalidSession);
      expect(code(await service.call('POST', '/v1/identity/logout', { as: account.key }))).toEqual([
        401,
        'missing_session_token',
      ]);
    });

    it('is rejected when it is altered, unsigned, signed by another key or for another audience', async () => {
      const [header, payload, signature] = tokens.accessToken.split('.') as [string, string, string];
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = decodeJwt(tokens.accessToken);
      const keyring = createKeyring(SECRET);
      const kid = keyring.current.kid;
      const sign = (secret: Uint8Array, head: object, body: object) =>
        new SignJWT(body as never).setProtectedHeader({ alg: 'HS256', ...head }).sign(secret);
      const session = keyring.current.symmetric('session');
      const forged = [
        `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
        `${encode({ alg: 'none' })}.${payload}.`,
        `${encode({ alg: 'none', kid })}.${payload}.${signature}`,
        await sign(Buffer.alloc(32), { kid }, claims),
        await sign(session, {}, claims),
        await sign(session, { kid: 'ffffffffffffffff' }, claims),
        await sign(session, { kid }, { ...claims, aud: 'console' }),
        await sign(keyring.current.symmetric('console'), { kid }, claims),
        await sign(session, { kid }, { ...claims, iat: (claims.iat as number) + 2 }),
        await sign(session, { kid }, { ...claims, nbf: (claims.iat as number) + 2 }),
        await sign(session, { kid }, { ...claims, exp: undefined }),
        account.token,
        `${tokens.accessToken}=`,
      ];
      for (const [index, token] of forged.entries())
        expect(code(await me(token)), `${index}`).toEqual(invalidSession);
      expect((await me(await sign(session, { kid }, claims))).status).toBe(200);
    });

    it('is valid only with an API key of its tenant and environment, and never in the console [sessions/tokens]', async () => {
      const stranger = await service.signUp();
      const testKey = await service.createKey(account, 'test');
      for (const as of [stranger.key, testKey]) {
        expect(code(await me(tokens.accessToken, as))).toEqual(invalidSession);
        expect(code(await logout(tokens.accessToken, as))).toEqual(invalidSession);
        expect(code(await refresh(tokens.refreshToken, undefined, as))).toEqual(invalidRefresh);
      }
      const console = await service.call('GET', '/api/console/account', { as: tokens.accessToken });
      expect(code(console)).toEqual([401, 'invalid_console_token']);
      expect((await me()).status).toBe(200);
    });
  });

  it('me returns the user, the DID and the session [GET /v1/identity/me]', async () => {
    expect((await me()).body).toMatchObject({
      user: { id: person.userId, environment: 'live', fullName: 'Unnamed', status: 'active' },
      did: person.did,
      sessionId: tokens.sessionId,
      environment: 'live',
    });
  });

  it('logout ends the session immediately, and a second logout fails [POST /v1/identity/logout]', async () => {
    expect((await logout()).body).toEqual({ loggedOut: true });
    expect(code(await me())).toEqual(invalidSession);
    expect(code(await refresh())).toEqual(invalidRefresh);
    expect(code(await logout())).toEqual(invalidSession);
  });

  it('one of several simultaneous logouts succeeds, and is audited once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => logout()));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const audit = await service.call('GET', '/v1/audit?action=session.logged_out&limit=100', {
      as: account.key,
    });
    const ours = audit.body.audit.filter(
      (event: { entityId: string }) => event.entityId === tokens.sessionId,
    );
    expect(ours).toHaveLength(1);
  });

  describe('a refresh', () => {
    it('returns new tokens of the same session [POST /v1/identity/refresh]', async () => {
      const next = await refresh();
      expect(next.status).toBe(200);
      expect(next.headers['cache-control']).toBe('no-store');
      expect(next.body).toMatchObject({
        tokenType: 'Bearer',
        expiresIn: 3600,
        sessionId: tokens.sessionId,
        did: person.did,
      });
      expect(next.body.refreshToken).not.toBe(tokens.refreshToken);
      expect((await me(next.body.accessToken)).status).toBe(200);
      expect((await refresh(next.body.refreshToken)).status).toBe(200);
    });

    it('with a used token ends the whole session [sessions/tokens]', async () => {
      const next = (await refresh()).body;
      expect(code(await refresh())).toEqual(invalidRefresh);
      expect(code(await refresh(next.refreshToken))).toEqual(invalidRefresh);
      expect(code(await me(next.accessToken))).toEqual(invalidSession);
      expect(code(await me())).toEqual(invalidSession);
      const audit = await service.call('GET', '/v1/audit?action=session.revoked&limit=1', {
        as: account.key,
      });
      expect(audit.body.audit[0]).toMatchObject({ entityId: tokens.sessionId, entityType: 'session' });
    });

    it('sent twenty times simultaneously to two nodes returns at most one new pair', async () => {
      const node = await startService({ clock: service.clock });
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          refresh(tokens.refreshToken, undefined, account.key, i % 2 ? node : service),
        ),
      );
      expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
      // Reuse of a token means that it may be stolen, so the session has ended.
      expect(code(await me())).toEqual(invalidSession);
      await node.close();
    });

    it('with a used token, sent several times simultaneously, ends the session once and is audited once', async () => {
      const audited = async () => {
        const path = '/v1/audit?action=session.revoked&limit=100';
        const { body } = await service.call('GET', path, { as: account.key });
        return body.audit.filter((event: { entityId: string }) => event.entityId === tokens.sessionId);
      };
      await refresh();
      const replies = await Promise.all(Array.from({ length: 10 }, () => refresh()));
      expect(replies.map(code)).toEqual(Array(10).fill(invalidRefresh));
      expect(await audited()).toHaveLength(1);
    });

    it('retried twenty times simultaneously with one key always returns the same response', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => refresh(tokens.refreshToken, 'retry')),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect((await me(replies[0]?.body.accessToken)).status).toBe(200);
    });

    it('retried within 60 seconds with the same key returns the same response while the new token is unused [sessions/tokens]', async () => {
      const first = await refresh(tokens.refreshToken, 'retry');
      service.clock.advance(MINUTE_MS);
      expect((await refresh(tokens.refreshToken, 'retry')).body).toEqual(first.body);
      expect((await refresh(first.body.refreshToken)).status).toBe(200);
    });

    it.each([
      ['after 60 seconds', () => service.clock.advance(MINUTE_MS + 1), 'retry'],
      ['with another key', () => {}, 'other'],
      ['with the key in another case', () => {}, 'RETRY'],
      ['without a key', () => {}, undefined],
    ])('retried %s ends the session', async (_name, prepare, key) => {
      const first = await refresh(tokens.refreshToken, 'retry');
      prepare();
      expect(code(await refresh(tokens.refreshToken, key))).toEqual(invalidRefresh);
      expect(code(await me(first.body.accessToken))).toEqual(invalidSession);
      expect(code(await refresh(first.body.refreshToken))).toEqual(invalidRefresh);
    });

    it('retried after the new token was used ends the session', async () => {
      const first = await refresh(tokens.refreshToken, 'retry');
      const second = await refresh(first.body.refreshToken);
      expect(code(await refresh(tokens.refreshToken, 'retry'))).toEqual(invalidRefresh);
      expect(code(await me(second.body.accessToken))).toEqual(invalidSession);
    });

    it('retried after the logout fails', async () => {
      const first = await refresh(tokens.refreshToken, 'retry');
      await logout(first.body.accessToken);
      expect(code(await refresh(tokens.refreshToken, 'retry'))).toEqual(invalidRefresh);
    });

    it.each([[''], ['x'.repeat(256)], ['\x7f'], ['é']])(
      'rejects the malformed Idempotency-Key %j',
      async (key) => {
        const reply = await service.call('POST', '/v1/identity/refresh', {
          as: account.key,
          body: { refreshToken: tokens.refreshToken },
          headers: { 'idempotency-key': key },
        });
        expect(code(reply)).toEqual([400, 'invalid_request']);
        expect((await refresh()).status).toBe(200);
      },
    );

    it('with a token older than 30 days fails [sessions/tokens]', async () => {
      service.clock.advance(30 * DAY_MS - 1);
      const next = await refresh();
      expect(next.status).toBe(200);
      service.clock.advance(30 * DAY_MS);
      expect(code(await refresh(next.body.refreshToken))).toEqual(invalidRefresh);
    });

    it('never extends a session beyond 90 days after its login', async () => {
      let current = tokens;
      for (let day = 0; day < 90; day += 18) {
        current = (await refresh(current.refreshToken)).body;
        expect(current.sessionId).toBe(tokens.sessionId);
        service.clock.advance(18 * DAY_MS - (day === 72 ? 1 : 0));
      }
      const last = await refresh(current.refreshToken);
      expect(last.status).toBe(200);
      service.clock.advance(1);
      expect(code(await me(last.body.accessToken))).toEqual(invalidSession);
      expect(code(await refresh(last.body.refreshToken))).toEqual(invalidRefresh);
    });

    it.each([['x'], ['x'.repeat(512)], [`${'A'.repeat(43)}`], ["' or 1=1 --"]])(
      'returns 401 for %j, which is not a token',
      async (token) => {
        expect(code(await refresh(token))).toEqual(invalidRefresh);
      },
    );

    it.each([[''], ['x'.repeat(513)], [7], [null], [undefined]])(
      'returns 400 for the malformed token %j',
      async (refreshToken) => {
        const reply = await service.call('POST', '/v1/identity/refresh', {
          as: account.key,
          body: { refreshToken },
        });
        expect(code(reply)).toEqual([400, 'invalid_request']);
      },
    );
  });

  describe('a change of the server secret', () => {
    it('accepts tokens of the previous secret while it is configured, signs with the new one, and then rejects the old ones [sessions/derived-keys]', async () => {
      const NEW = 'another secret of the tests, 32 bytes and more';
      const retried = await refresh(tokens.refreshToken, 'retry');
      const rotated = await startService({
        clock: service.clock,
        secret: NEW,
        env: { SVC_SECRET_PREVIOUS: SECRET },
      });
      const old = retried.body.accessToken;
      const { email, password } = account;
      const login = await service.call('POST', '/api/console/login', { body: { email, password } });
      expect((await me(old, account.key, rotated)).status).toBe(200);
      expect((await rotated.call('GET', '/api/console/account', { as: login.body.token })).status).toBe(200);
      expect((await refresh(tokens.refreshToken, 'retry', account.key, rotated)).body).toEqual(retried.body);
      const fresh = await refresh(retried.body.refreshToken, undefined, account.key, rotated);
      expect(fresh.status).toBe(200);
      const retired = await startService({ clock: service.clock, secret: NEW });
      expect((await me(fresh.body.accessToken, account.key, retired)).status).toBe(200);
      expect(code(await me(old, account.key, retired))).toEqual(invalidSession);
      expect((await retired.call('GET', '/api/console/account', { as: login.body.token })).body.error).toBe(
        'invalid_console_token',
      );
      // The old node has not been restarted and does not have the new key.
      expect(code(await me(fresh.body.accessToken))).toEqual(invalidSession);
      await rotated.close();
      await retired.close();
    });
  });

  it('and logouts survive a restart', async () => {
    const again = await openSession(service, account);
    await logout();
    const restarted = await startService({ clock: service.clock });
    expect((await me(again.reply.body.accessToken, account.key, restarted)).status).toBe(200);
    expect(code(await me(tokens.accessToken, account.key, restarted))).toEqual(invalidSession);
    await restarted.close();
  });

  it('are rejected immediately once the account is suspended or the API key revoked', async () => {
    const other = await service.signUp();
    const { reply } = await openSession(service, other);
    const created = await service.call('POST', '/api/console/keys', {
      as: other.token,
      body: { name: 'Second', environment: 'live' },
    });
    const { id, key } = created.body.apiKey;
    expect((await me(reply.body.accessToken, key)).status).toBe(200);
    await service.call('DELETE', `/api/console/keys/${id}`, { as: other.token });
    expect(code(await me(reply.body.accessToken, key))).toEqual([401, 'invalid_api_key']);
    await service.setStatus(other, 'suspended');
    expect(code(await me(reply.body.accessToken, other.key))).toEqual([403, 'tenant_inactive']);
    expect(code(await refresh(reply.body.refreshToken, undefined, other.key))).toEqual([
      403,
      'tenant_inactive',
    ]);
  });
});

describe('secrets at rest', () => {
  it('are never stored or logged in plain text: tokens, keys and passwords', { tags: ['ci'] }, async () => {
    const { db } = await freshDatabase();
    const service = await startService({ db, clock: manualClock() });
    const account = await service.signUp();
    const { person, reply } = await openSession(service, account);
    const refreshed = await service.call('POST', '/v1/identity/refresh', {
      as: account.key,
      body: { refreshToken: reply.body.refreshToken },
      headers: { 'idempotency-key': 'retry-key-of-the-client' },
    });
    await service.call('POST', '/api/console/login', {
      body: { email: account.email, password: account.password },
    });
    await service.call('GET', '/api/console/usage', { as: account.token });

    const tables = await db.query<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    let dump = '';
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>({
        text: `select t::text as row from ${name} t`,
        values: [],
      });
      dump += rows.map(({ row }) => row).join('\n');
    }
    expect(dump).toContain(account.tenantId);
    expect(dump).toContain(person.commitment);
    const secrets = {
      'API key': account.key,
      'half an API key': account.key.slice(20),
      password: account.password,
      'console token': account.token,
      'access token': reply.body.accessToken,
      'refresh token': reply.body.refreshToken,
      successor: refreshed.body.refreshToken,
      'its access token': refreshed.body.accessToken,
      'retry key': 'retry-key-of-the-client',
      'biometric secret': String(person.biometricSecret),
      salt: String(person.salt),
      'server secret': SECRET,
    };
    const log = service.logged.join('\n');
    for (const [name, secret] of Object.entries(secrets)) {
      expect(dump.includes(secret), `${name} in the database`).toBe(false);
      expect(log.includes(secret), `${name} in the log`).toBe(false);
      const encoded = Buffer.from(secret).toString('hex');
      expect(dump.includes(encoded), `${name} as hex in the database`).toBe(false);
    }
    for (const personal of [account.email, person.did, person.commitment])
      expect(log).not.toContain(personal);
    await service.close();
    await db.close();
  });
});

describe('tokens', () => {
  it('of one audience are rejected for another', async () => {
    const clock = manualClock();
    const tokens = createTokens(createKeyring(SECRET), clock);
    const token = tokens.sign('console', { sub: 'x' }, 60);
    expect(await tokens.verify('session', token)).toBeUndefined();
    expect(await tokens.verify('console', token)).toMatchObject({ sub: 'x', aud: 'console' });
  });
});
