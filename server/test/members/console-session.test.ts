import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const NAME = '__Host-svc_console';
let service: Service;
let account: Account;
let cookie: string;
const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' };

beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
  cookie = (await openSession()).cookie;
});
afterAll(() => service.close());

async function openSession() {
  const { email, password } = account;
  const reply = await service.call('POST', '/api/console/session', { body: { email, password } });
  const header = String(reply.headers['set-cookie']);
  return { reply, header, cookie: header.split(';', 1)[0] as string };
}
const getAccount = (headers: Record<string, string>) =>
  service.call('GET', '/api/console/account', { headers });

describe('the console’s session cookie', () => {
  it('is HttpOnly, bound to this host and valid for 24 hours; the response body has no token [POST /api/console/session]', async () => {
    const { reply, header } = await openSession();
    expect(reply.status).toBe(201);
    expect(reply.text).not.toContain('eyJ');
    expect(reply.headers['cache-control']).toBe('no-store');
    const [pair = '', ...attributes] = header.split('; ');
    expect(pair).toMatch(new RegExp(`^${NAME}=eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+$`));
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=86400', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  it('is set by a sign-up from our own page, whose log-in it is, and by no other [POST /api/console/signup]', async () => {
    const body = () => ({
      email: `${crypto.randomUUID()}@example.com`,
      password: 'a quite unusual sentence 42',
      companyName: 'Acme',
    });
    const signUp = (headers: Record<string, string>) =>
      service.call('POST', '/api/console/signup', { headers, body: body(), address: freshAddress() });
    expect((await signUp({})).headers['set-cookie']).toBeUndefined();
    const { headers, status } = await signUp(sameOrigin);
    expect(status).toBe(201);
    const own = String(headers['set-cookie']).split(';', 1)[0] as string;
    const { body: listed } = await service.call('GET', '/api/console/login-sessions', {
      headers: { cookie: own, ...sameOrigin },
    });
    expect(listed.loginSessions).toMatchObject([{ current: true }]);
  });

  it('authenticates same-origin requests to the console [console/session-cookie]', async () => {
    const reply = await getAccount({ cookie, ...sameOrigin });
    expect(reply.status).toBe(200);
    expect(reply.body.tenant.email).toBe(account.email);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a client without Sec-Fetch-Site', {}],
  ])('is ignored in a request from %s', async (_, headers) => {
    const reply = await getAccount({ cookie, ...(headers as Record<string, string>) });
    expect([reply.status, reply.body.error]).toEqual([401, 'invalid_console_token']);
  });

  it.each(['Bearer eyJ.eyJ.x', 'Basic eyJ', 'Bearer', ''])(
    'is never used in place of a bad Authorization header: "%s"',
    async (authorization) => {
      const reply = await getAccount({ cookie, ...sameOrigin, authorization });
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_console_token']);
    },
  );

  it('returns the account, or null with status 200 if there is no session, so that browsers log no error [console/session-cookie] [GET /api/console/session]', async () => {
    const none = { tenant: null, limits: null, member: null, confirmedUntil: null };
    const getSession = async (headers: Record<string, string>) =>
      service.call('GET', '/api/console/session', { headers });
    const reply = await getSession({ cookie, ...sameOrigin });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...(await getAccount({ cookie, ...sameOrigin })).body,
      member: {
        ...{ id: account.tenantId, email: account.email, name: null, role: 'owner', hasPassword: true },
        ...{ hours: false, representative: false, siteIds: null },
      },
      confirmedUntil: new Date(service.clock.now() + 5 * 60_000).toISOString(),
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    const { body } = await service.call('POST', '/api/console/login', {
      body: { email: account.email, password: account.password },
    });
    for (const headers of [
      sameOrigin,
      { cookie: `${NAME}=eyJ.eyJ.x`, ...sameOrigin },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie },
      { authorization: `Bearer ${body.token}`, ...sameOrigin },
    ])
      expect([(await getSession(headers)).status, (await getSession(headers)).body]).toEqual([200, none]);
  });

  it('yields null after a logout, and 403 tenant_inactive while the account is suspended', async () => {
    const other = await service.signUp();
    const { email, password } = other;
    const opened = await service.call('POST', '/api/console/session', { body: { email, password } });
    const [own = ''] = String(opened.headers['set-cookie']).split(';', 1);
    const getSession = () =>
      service.call('GET', '/api/console/session', { headers: { cookie: own, ...sameOrigin } });
    expect((await getSession()).body.tenant.id).toBe(other.tenantId);
    await service.setStatus(other, 'suspended');
    expect([(await getSession()).status, (await getSession()).body.error]).toEqual([403, 'tenant_inactive']);
    await service.setStatus(other, 'active');
    await service.call('POST', '/api/console/logout', { as: other.token });
    expect((await getSession()).body).toEqual({
      tenant: null,
      limits: null,
      member: null,
      confirmedUntil: null,
    });
  });

  it('can be read 300 times a minute from one address', async () => {
    const getSession = () => service.call('GET', '/api/console/session', { address: '203.0.113.30' });
    const replies = await Promise.all(Array.from({ length: 301 }, getSession));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(300);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it.each([
    ['another origin', 'https://evil.example'],
    ['an opaque origin', 'null'],
    ['no origin', undefined],
  ])('is ignored in a write from %s [console/session-cookie]', async (_, origin) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', ...(origin && { origin }) };
    const reply = await service.call('POST', '/api/console/logout', { headers });
    expect([reply.status, reply.body.error]).toEqual([401, 'invalid_console_token']);
  });

  it('is accepted in a write from the address that the browser used, also if BASE_URL is another one', async () => {
    const headers = { ...sameOrigin, cookie, host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' };
    const reply = await service.call('PUT', '/api/console/profile', { headers, body: {} });
    expect(reply.status).not.toBe(401);
  });

  it('is not set by a wrong password, which returns the same error as a login', async () => {
    const body = { email: account.email, password: 'not the password' };
    const [session, login] = [
      await service.call('POST', '/api/console/session', { body }),
      await service.call('POST', '/api/console/login', { body }),
    ];
    expect([session.status, session.body.error]).toEqual([401, 'invalid_credentials']);
    expect({ ...session.body, requestId: '' }).toEqual({ ...login.body, requestId: '' });
    expect(session.headers['set-cookie']).toBeUndefined();
  });

  it('is renewed when it changes the password; a change by token sets no cookie', async () => {
    const { cookie: own } = await openSession();
    const change = (headers: Record<string, string>, from: string, to: string) =>
      service.call('POST', '/api/console/password', {
        headers,
        body: { currentPassword: from, newPassword: to },
      });
    const other = 'another sentence that nobody guesses 7';
    const reply = await change({ cookie: own, ...sameOrigin }, account.password, other);
    expect(reply.status).toBe(200);
    const [renewed = ''] = String(reply.headers['set-cookie']).split(';', 1);
    expect((await getAccount({ cookie: own, ...sameOrigin })).status).toBe(401);
    expect((await getAccount({ cookie: renewed, ...sameOrigin })).status).toBe(200);
    const login = { body: { email: account.email, password: other }, address: freshAddress() };
    const { token } = (await service.call('POST', '/api/console/login', login)).body;
    const authorization = `Bearer ${token}`;
    const again = await change({ cookie: renewed, ...sameOrigin, authorization }, other, account.password);
    expect([again.status, again.headers['set-cookie']]).toEqual([200, undefined]);
  });

  it('is no token for programs, and the token of a program is no cookie: the kind of a log-in stays [console/kind-of-a-log-in] [invalid_console_token]', async () => {
    const { email, password } = account;
    const renew = (headers: Record<string, string>) =>
      service.call('POST', '/api/console/password', {
        headers,
        body: { currentPassword: password, newPassword: password },
      });
    const asBearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const asCookie = (token: string) => ({ cookie: `${NAME}=${token}`, ...sameOrigin });
    const refused = async (headers: Record<string, string>) => {
      const { status, body } = await getAccount(headers);
      expect([status, body.error]).toEqual([401, 'invalid_console_token']);
    };
    const { cookie: own } = await openSession();
    await refused(asBearer(own.split('=')[1] as string));
    // What the response to a browser contains besides is the same token.
    const renewed = (await renew({ cookie: own, ...sameOrigin })).body.token;
    expect((await getAccount(asCookie(renewed))).status).toBe(200);
    await refused(asBearer(renewed));
    const signUp = await service.call('POST', '/api/console/signup', {
      headers: sameOrigin,
      body: { email: `${crypto.randomUUID()}@example.com`, password, companyName: 'Acme' },
      address: freshAddress(),
    });
    await refused(asBearer(signUp.body.token));
    const login = await service.call('POST', '/api/console/login', {
      body: { email, password },
      address: freshAddress(),
    });
    expect((await getAccount(asBearer(login.body.token))).status).toBe(200);
    await refused(asCookie(login.body.token));
    const program = (await renew(asBearer(login.body.token))).body.token;
    expect((await getAccount(asBearer(program))).status).toBe(200);
    await refused(asCookie(program));
  });

  it('of the version before works both ways, and as Bearer it needs a confirmation [console/kind-of-a-log-in]', async () => {
    const own = await service.signUp();
    const { tokens } = service.app.deps;
    const { sub = '', acc, sid, ver } = (await tokens.verify('console', own.token)) ?? {};
    const as = tokens.sign('console', { sub, acc, sid, ver }, 3600);
    const invite = () =>
      service.call('POST', '/api/console/members', {
        as,
        body: { email: `${crypto.randomUUID()}@example.com`, role: 'owner' },
      });
    expect((await getAccount({ cookie: `${NAME}=${as}`, ...sameOrigin })).status).toBe(200);
    expect((await invite()).status).toBe(201);
    service.clock.advance(5 * 60_000 + 1);
    const late = await invite();
    expect([late.status, late.body.error]).toEqual([403, 'step_up_required']);
    await service.call('POST', '/api/console/step-up', { as, body: { password: own.password } });
    expect((await invite()).status).toBe(201);
  });

  it('ends with a logout, which deletes the cookie', async () => {
    const { cookie: own } = await openSession();
    const reply = await service.call('POST', '/api/console/logout', {
      headers: { cookie: own, ...sameOrigin },
    });
    expect(reply.status).toBe(200);
    expect(String(reply.headers['set-cookie'])).toMatch(new RegExp(`^${NAME}=; Max-Age=0; Path=/`));
    expect((await getAccount({ cookie: own, ...sameOrigin })).status).toBe(401);
  });

  it('is deleted when this browser logs out, also if it has expired, and other browsers stay logged in [DELETE /api/console/session] [console/logging-out-a-browser]', async () => {
    const close = (headers: Record<string, string>) =>
      service.call('DELETE', '/api/console/session', { headers: { ...headers, ...sameOrigin } });
    const [{ cookie: own }, { cookie: other }] = [await openSession(), await openSession()];
    for (const sent of [own, `${NAME}=eyJ.eyJ.x`]) {
      const reply = await close({ cookie: sent });
      expect([reply.status, reply.body]).toEqual([200, { loggedOut: true }]);
      expect(String(reply.headers['set-cookie'])).toMatch(new RegExp(`^${NAME}=; Max-Age=0; Path=/`));
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expect((await getAccount({ cookie: other, ...sameOrigin })).status).toBe(200);
    // A copy of the cookie does not work either.
    expect((await getAccount({ cookie: own, ...sameOrigin })).status).toBe(401);
    const none = await close({});
    expect([none.status, none.body, none.headers['set-cookie']]).toEqual([
      200,
      { loggedOut: true },
      undefined,
    ]);
  });

  it.each(['cross-site', 'same-site', 'none', undefined])(
    'is not deleted by a request of Sec-Fetch-Site: %s [console/logging-out-a-browser]',
    async (site) => {
      const reply = await service.call('DELETE', '/api/console/session', {
        headers: { cookie, ...(site && { 'sec-fetch-site': site }) },
      });
      expect([reply.status, reply.headers['set-cookie']]).toEqual([200, undefined]);
    },
  );

  it('is not touched by a logout with a token', async () => {
    const { email, password } = account;
    const { body } = await service.call('POST', '/api/console/login', { body: { email, password } });
    const reply = await service.call('POST', '/api/console/logout', { as: body.token });
    expect(reply.headers['set-cookie']).toBeUndefined();
  });
});
