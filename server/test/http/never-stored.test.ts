import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
});
afterAll(() => service.close());

describe('the response to a credential is never stored [http/never-stored]', () => {
  it.each(['authorization', 'x-api-key', 'cookie', 'x-session-token', 'x-inbox-token'])(
    'whatever it is, for a request with %s',
    async (name) => {
      const headers = { [name]: name === 'authorization' ? `Bearer ${account.key}` : account.key };
      for (const path of [
        '/v1/users',
        '/v1/users/none',
        '/v1/nothing',
        '/api/health',
        '/v1/auth/zkp/circuit-info',
      ])
        expect((await service.call('GET', path, { headers })).headers['cache-control'], path).toBe(
          'no-store',
        );
      expect((await service.call('PUT', '/v1/users', { headers })).headers['cache-control']).toBe('no-store');
    },
  );

  it('and neither is one that lacks the credential', async () => {
    for (const path of ['/v1/users', '/api/console/account', '/v1/approvals'])
      expect((await service.call('GET', path)).headers['cache-control'], path).toBe('no-store');
  });

  it('but what is the same for everybody keeps its own rule', async () => {
    const headers = { authorization: `Bearer ${account.key}` };
    expect((await service.call('GET', '/openapi.json', { headers })).headers['cache-control']).toBe(
      'no-cache',
    );
  });
});
