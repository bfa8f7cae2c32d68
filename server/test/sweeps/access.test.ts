import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { Route } from '../../src/http/route.js';
import { SCOPES } from '../../src/model/scopes.js';
import { type Contract, readContract, WITHOUT } from '../support/contract/contract.js';
import { isKeyed, nameOf, type Stage, send } from '../support/contract/examples.js';
import { giveHours } from '../support/members.js';
import { startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
const named = (some: readonly Route[]) => some.map((route) => [nameOf(route), route] as const);
let stage: Stage;
let contract: Contract;

beforeAll(async () => {
  const service = await startService();
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  await giveHours(service, stage.account);
  contract = await readContract(service);
});
afterAll(() => stage.service.close());

/** One of each kind. `routes.test.ts` sends every route one body without a credential. */
describe('a route that requires a credential', () => {
  const guarded = routes.filter((route) =>
    ['POST /v1/devices', 'POST /api/console/keys', 'GET /api/admin/stats'].includes(nameOf(route)),
  );
  const BAD: readonly [string, string | Buffer][] = [
    ['an empty body', ''],
    ['an unknown field', '{"no_such_field":1}'],
    ['malformed JSON', '{'],
    ['another media type', 'a=b'],
    ['a biometric template', '{"biometricTemplate":"AAAA"}'],
    ['a body that is too large', Buffer.alloc(70_000, 0x20)],
  ];

  it.each(named(guarded))('%s returns 401 without it for every body', async (_, route) => {
    for (const [what, raw] of BAD) {
      const headers = { 'content-type': what === 'another media type' ? 'text/plain' : 'application/json' };
      const body = route.method === 'GET' ? {} : { raw };
      const reply = await send(route, stage, { as: null, headers, ...body });
      expect([reply.status, reply.body.error], what).toEqual([401, WITHOUT[route.auth.kind]]);
      contract.expectReply(route, reply);
    }
  });
});

describe('a scope', () => {
  let keys: Map<string, string>;

  beforeAll(async () => {
    // An account has at most ten active keys, so three accounts share the scopes.
    keys = new Map();
    let account = stage.account;
    for (const [index, scope] of SCOPES.entries()) {
      if (index % 9 === 0) account = await stage.service.signUp({ plan: 'enterprise' });
      keys.set(scope, await stage.service.createKey(account, 'live', [scope]));
    }
  });

  const scopeOf = (route: Route) => (route.auth.kind === 'key' ? route.auth.scope : undefined);
  /** `routes.test.ts` sends every route two keys. */
  const scoped = routes
    .filter((route) => ['PATCH /v1/users/:userId', 'GET /v1/audit'].includes(nameOf(route)))
    .map((route) => [scopeOf(route), nameOf(route), route] as const);

  it.each(scoped)('%s is the only one that gives access to %s', async (wanted, _, route) => {
    for (const scope of SCOPES) {
      const raw = route.method === 'GET' ? {} : { raw: '{"no_such_field":1' };
      const headers = { 'content-type': 'application/json' };
      const reply = await send(route, stage, { as: keys.get(scope) as string, headers, ...raw });
      if (scope === wanted) {
        expect(reply.body?.error, `${scope}: ${reply.text}`).not.toBe('insufficient_scopes');
        expect(reply.status).not.toBe(403);
      } else {
        expect(reply.body.error, scope).toBe('insufficient_scopes');
        expect(reply.status).toBe(403);
        expect(reply.headers).toHaveProperty('x-ratelimit-remaining');
        contract.expectReply(route, reply);
      }
    }
  });
});

describe('an inactive account', () => {
  it.each(['suspended', 'deactivated'] as const)(
    '%s: returns 403 tenant_inactive immediately on every API key and console route',
    async (status) => {
      const { service } = stage;
      const account = await service.signUp({ plan: 'enterprise' });
      await service.setStatus(account, status);
      for (const route of routes.filter(({ auth }) => auth.kind === 'key' || auth.kind === 'console')) {
        const reply = await send(route, { service, account });
        expect(reply.body.error, nameOf(route)).toBe('tenant_inactive');
        expect(reply.status).toBe(403);
        if (isKeyed(route)) expect(reply.headers['x-ratelimit-remaining']).toBe('10000');
        contract.expectReply(route, reply);
      }
      const login = { body: { email: account.email, password: account.password } };
      expect((await service.call('POST', '/api/console/login', login)).body.error).toBe('tenant_inactive');
      await service.setStatus(account, 'active');
      expect((await service.call('GET', '/v1/devices', { as: account.key })).status).toBe(200);
    },
  );
});
