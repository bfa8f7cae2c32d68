import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { nameOf } from '../support/contract/examples.js';
import { type Account, type Service, startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService({ env: { CORS_ORIGINS: 'https://app.example.com' } });
  account = await service.signUp({ plan: 'enterprise' });
  for (let row = 0; row < 20; row += 1) {
    const body = { fullName: `Ada Lovelace ${row}`, externalId: `e-${row}` };
    expect((await service.call('POST', '/v1/users', { as: account.key, body })).status).toBe(201);
  }
});
afterAll(() => service.close());

const get = (url: string, accepted: string) =>
  service.app.http.inject({
    url,
    headers: { authorization: `Bearer ${account.key}`, 'accept-encoding': accepted },
  });

describe('compression of JSON responses [http/compression]', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('makes a list a fifth of its size with %s, and loses nothing', async (encoding, decompress) => {
    const plain = await get('/v1/users', 'identity');
    const small = await get('/v1/users', encoding);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(small.headers['content-encoding']).toBe(encoding);
    expect(small.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(small.headers['content-length'])).toBe(small.rawPayload.length);
    expect(decompress(small.rawPayload).toString()).toBe(plain.body);
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  });

  it('leaves short responses and errors as they are, and names Accept-Encoding in Vary for all', async () => {
    for (const [url, status] of [
      ['/v1/users?externalId=nobody', 200],
      ['/v1/users?limit=0', 400],
    ] as const) {
      const reply = await get(url, 'gzip, br');
      expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([status, undefined]);
      expect(reply.headers.vary).toBe('Origin, accept-encoding');
    }
  });

  it('leaves exports and their streams as they are', async () => {
    const reply = await get('/v1/audit/export', 'gzip, br');
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, undefined]);
    expect(reply.body.split('\n').length).toBeGreaterThan(20);
  });

  it('applies to every list, and never to a route with a secret or for one moment only', () => {
    const lists = routes.filter((route) => JSON.stringify(route.schemas?.query ?? {}).includes('"cursor"'));
    expect(lists.filter((route) => !route.compress).map(nameOf)).toEqual([]);
    const unsafe = routes.filter((route) => route.compress && (route.secret || route.noStore));
    expect(unsafe.map(nameOf)).toEqual([]);
  });

  it('leaves a response with a secret as it is', async () => {
    const reply = await service.app.http.inject({
      method: 'POST',
      url: '/api/console/login',
      headers: { 'accept-encoding': 'gzip, br' },
      payload: { email: account.email, password: account.password },
    });
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, undefined]);
    expect(reply.headers.vary).toBe('Origin');
  });
});
