import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { actsOf } from '../../src/http/access.js';
import { accessOf, type ConsoleAccess, type Route, takesSession } from '../../src/http/route.js';
import { type Contract, readContract } from '../support/contract/contract.js';
import { exampleOf, isKeyed, nameOf, type Stage, send } from '../support/contract/examples.js';
import type { Prepared } from '../support/contract/prepared.js';
import { giveHours } from '../support/members.js';
import { type Account, startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
const optedIn = routes.filter(takesSession);
const named = (some: readonly Route[]) => some.map((route) => [nameOf(route), route] as const);

let stage: Stage;
let stranger: Account;
let contract: Contract;

beforeAll(async () => {
  const service = await startService({ env: { CORS_ORIGINS: 'https://app.example.com' } });
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  await giveHours(service, stage.account);
  stranger = await service.signUp({ plan: 'enterprise' });
  contract = await readContract(service);
});
afterAll(() => stage.service.close());

describe('who may use a route with a session of the dashboard [console/one-surface]', () => {
  it('is named by each route that accepts one: reading needs less than writing', () => {
    for (const route of optedIn) {
      const { right, ...access } = accessOf(route) as ConsoleAccess;
      if (right !== undefined) continue;
      expect(route.path, nameOf(route)).toMatch(/^\/v1\//);
      if (route.method === 'GET')
        expect(access, nameOf(route)).toEqual({ role: expect.stringMatching(/^(member|auditor)$/) });
      else
        expect(access, nameOf(route)).toEqual({
          role: expect.stringMatching(/^(reception|developer|owner)$/),
        });
    }
  });

  it('is nobody for the routes of phones, proofs and sessions of people', () => {
    const closed = routes.filter((route) => isKeyed(route) && !takesSession(route)).map(({ path }) => path);
    expect(closed).toEqual(
      expect.arrayContaining([
        '/v1/identity/register',
        '/v1/identity/verify',
        '/v1/identity/refresh',
        '/v1/auth/zkp/verify',
        '/v1/proof-pairing/sessions/:id/submit',
        '/v1/proof-pairing/sessions/:id/redeem',
      ]),
    );
  });

  it('leaves a noun with one surface: no console route repeats one below /v1 but those of the contract', () => {
    const inConsole = routes.filter(({ path }) => path.startsWith('/api/console/'));
    const nounOf = ({ path }: Route) => path.replace(/^\/(v1|api\/console)\//, '').split('/')[0];
    const nouns = new Set(routes.filter(({ path }) => path.startsWith('/v1/')).map(nounOf));
    expect([...new Set(inConsole.filter((route) => nouns.has(nounOf(route))).map(nounOf))].sort()).toEqual([
      'audit',
      'devices',
      // Members change it in the dashboard. Kiosks only read it, to show it [devices/what-a-device-can-do].
      'profile',
      // The dashboard lists a person's sessions, and anybody who may end one does it under /v1.
      'sessions',
      // Only members confirm a name, and no key [users/confirmed-names].
      'users',
    ]);
  });
});

/** Members do some acts in `test` only, so with the records of that environment. */
async function forSession(route: Route, prepared: Prepared): Promise<Prepared> {
  if (!actsOf(route).some(({ guard }) => guard.onlyTest)) return prepared;
  const { service, account } = stage;
  const inTest = await exampleOf(route)({
    service,
    account: { ...account, key: await service.createKey(account, 'test') },
  });
  return { ...inTest, path: `${inTest.path ?? route.path}?environment=test` };
}

describe('a session of the dashboard', () => {
  it.each(named(optedIn))('is a credential of %s', async (_, route) => {
    const { account } = stage;
    const prepared = await exampleOf(route)(stage);
    const replies: (readonly [what: string, status: number, error: string | undefined])[] = [];
    const attempt = async (what: string, options: Parameters<typeof send>[2]) => {
      const reply = await send(route, stage, options);
      contract.expectReply(route, reply);
      expect(reply.headers, what).not.toHaveProperty('access-control-allow-credentials');
      replies.push([what, reply.status, reply.body?.error]);
    };
    const { token, key } = account;
    const json = { 'content-type': 'application/json' };
    // A body that is not valid shows that the credential is judged first.
    const bad = route.method === 'GET' ? {} : { raw: '{', headers: json };
    const from = (headers: Record<string, string>) => ({
      session: token,
      ...bad,
      headers: { ...json, ...headers },
    });
    await attempt('a bad key beside it', { session: token, as: `svc_live_${'0'.repeat(48)}`, ...bad });
    await attempt('X-API-Key beside it', from({ 'x-api-key': `svc_live_${'0'.repeat(48)}` }));
    await attempt('its token as a key', { as: token, ...bad });
    await attempt('another site', from({ 'sec-fetch-site': 'cross-site' }));
    await attempt('a sibling host', from({ 'sec-fetch-site': 'same-site' }));
    await attempt('the address bar', from({ 'sec-fetch-site': 'none' }));
    await attempt('an ended session', { session: `${token}x`, ...bad });
    const missing = ['missing_api_key'];
    const expected = [
      ['a bad key beside it', 401, 'invalid_api_key'],
      ['X-API-Key beside it', 401, 'invalid_api_key'],
      ['its token as a key', 401, 'invalid_api_key'],
      ['another site', 401, ...missing],
      ['a sibling host', 401, ...missing],
      ['the address bar', 401, ...missing],
      ['an ended session', 401, 'invalid_console_token'],
    ];
    if (route.method !== 'GET') {
      await attempt('a write from another origin', from({ origin: 'https://app.example.com' }));
      await attempt('a write without an origin', from({ origin: 'null' }));
      expected.push(
        ['a write from another origin', 401, ...missing],
        ['a write without an origin', 401, ...missing],
      );
    }
    expect(replies).toEqual(expected);
    const path = prepared.path ?? route.path;
    const both = await send(route, stage, {
      as: key,
      prepared: { ...prepared, path: `${path}${path.includes('?') ? '&' : '?'}environment=live` },
    });
    expect([both.status, both.body.error]).toEqual(
      both.status === 403 ? [403, 'insufficient_scopes'] : [400, 'invalid_request'],
    );
    const reply = await send(route, stage, { session: token, prepared: await forSession(route, prepared) });
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.headers).not.toHaveProperty('x-ratelimit-remaining');
  });

  it.each(named(routes.filter((route) => isKeyed(route) && !takesSession(route))))(
    'is none of %s',
    async (_, route) => {
      const reply = await send(route, stage, { session: stage.account.token });
      expect([reply.status, reply.body.error]).toEqual([401, 'missing_api_key']);
    },
  );

  it('of another account or environment finds no record of this one', async () => {
    const { service, account } = stage;
    const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    const path = `/v1/users/${made.body.user.id}`;
    for (const [session, query, status] of [
      [account.token, '', 200],
      [account.token, '?environment=live', 200],
      [account.token, '?environment=test', 404],
      [stranger.token, '', 404],
    ] as const)
      expect((await service.call('GET', path + query, { session })).status, query).toBe(status);
  });

  it('has Idempotency-Keys of its own', async () => {
    const { service, account } = stage;
    const headers = { 'idempotency-key': 'the-same' };
    const body = { profile: { fullName: 'Ada' } };
    const replies = await Promise.all([
      service.call('POST', '/v1/registrations', { as: account.key, headers, body }),
      service.call('POST', '/v1/registrations', { session: account.token, headers, body }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies.every((reply) => reply.headers['idempotent-replayed'] === undefined)).toBe(true);
  });

  it('counts in the window of the dashboard, and not in the plan’s', async () => {
    const { service } = stage;
    const own = await service.signUp();
    const used = async () =>
      (await service.call('GET', '/api/console/usage', { as: own.token })).body.currentMonth.used;
    const before = await used();
    expect((await service.call('GET', '/v1/users', { session: own.token })).status).toBe(200);
    expect(await used()).toBe(before);
  });
});
