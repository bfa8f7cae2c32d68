import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { type Contract, FIVE, readContract, SAFE_HEADERS } from '../support/contract/contract.js';
import { exampleOf, isKeyed, nameOf, type Stage, send } from '../support/contract/examples.js';
import { giveHours } from '../support/members.js';
import { startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
let stage: Stage;
let contract: Contract;

beforeAll(async () => {
  const service = await startService();
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  await giveHours(service, stage.account);
  contract = await readContract(service);
});
afterAll(() => stage.service.close());

describe('every route', () => {
  it('returns the documented 400 to an unknown query field, with the five headers if it requires an API key [X-Svc-Tenant]', async () => {
    for (const route of routes) {
      const isAtDesk = route.auth.kind === 'device' || route.auth.kind === 'staff';
      const { credentials } = isAtDesk ? await exampleOf(route)(stage) : {};
      const path = `${route.path.replaceAll(/:\w+/g, crypto.randomUUID())}?no_such_field=1`;
      const prepared = { path, ...(credentials && { credentials }) };
      const reply = await send(route, stage, { prepared, body: undefined });
      expect([400, 404], nameOf(route)).toContain(reply.status);
      contract.expectReply(route, reply);
      for (const name of FIVE) {
        // A session at a desk counts against the limits of its account, as a key does.
        if (isKeyed(route) || isAtDesk) expect(reply.headers, nameOf(route)).toHaveProperty(name);
        else expect(reply.headers, nameOf(route)).not.toHaveProperty(name);
      }
    }
  });

  it('generates its own request id, whatever id the client sends [http/single-headers]', async () => {
    const ids = new Set<unknown>();
    const kinds = [...new Map(routes.map((route) => [route.auth.kind, route])).values()];
    for (const route of kinds) {
      for (const theirs of ['019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b', 'x', '']) {
        const reply = await send(route, stage, { as: null, headers: { 'x-request-id': theirs } });
        expect(reply.headers['x-request-id'], nameOf(route)).not.toBe(theirs);
        if (reply.body?.error) expect(reply.body.requestId).toBe(reply.headers['x-request-id']);
        ids.add(reply.headers['x-request-id']);
      }
    }
    expect(ids.size).toBe(kinds.length * 3);
  });

  it('returns 429 beyond the plan’s rate limit, with Retry-After and the five headers', async () => {
    const service = stage.service;
    const free = { service, account: await service.signUp() };
    const [nonce] = routes.filter((route) => route.path === '/v1/auth/zkp/nonce');
    for (let call = 0; call < 100; call += 1) await send(nonce!, free);
    for (const route of routes.filter(isKeyed)) {
      const reply = await send(route, free);
      expect(reply.body.error, nameOf(route)).toBe('rate_limit_exceeded');
      expect(reply.headers['retry-after']).toBe('900');
      for (const name of FIVE) expect(reply.headers).toHaveProperty(name);
      contract.expectReply(route, reply);
    }
  });
});

describe('an unknown path or method', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['POST', '/v1/nothing', 404],
    ['GET', '/V1/devices', 404],
    ['GET', '/v1/audit/', 404],
    ['GET', '//v1/devices', 404],
    ['GET', '/v1//devices', 404],
    ['GET', '/v1/devices;x', 404],
    ['GET', '/v1/devices;/x', 404],
    ['GET', '/v1/devices%00', 404],
    ['GET', `/v1/${'a'.repeat(4000)}`, 404],
    ['OPTIONS', '/v1/devices', 405],
    ['TRACE', '/v1/devices', 405],
    ['PUT', '/v1/devices', 405],
    ['DELETE', '/v1/devices', 405],
    ['PROPFIND', '/v1/devices', 405],
    ['POST', '/v1/devices/019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b', 405],
    ['POST', '/api/health', 405],
    ['HEAD', '/v1/identity/verify', 405],
  ])('%s %s returns %i, with or without a key, and runs no handler', async (method, path, status) => {
    for (const as of [undefined, stage.account.key]) {
      const reply = await stage.service.call(method, path, {
        ...(as && { as }),
        ...(method === 'POST' && { raw: '{ not json', headers: { 'content-type': 'text/plain' } }),
      });
      expect(reply.status, reply.text).toBe(status);
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      if (reply.text !== '')
        expect(reply.body.error).toBe(status === 404 ? 'not_found' : 'method_not_allowed');
      if (status === 405) expect(reply.headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
      expect(reply.headers).not.toHaveProperty('x-svc-tenant');
      expect(reply.headers).toMatchObject(SAFE_HEADERS);
    }
  });
});
