import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindPairing } from '../support/pairing.js';
import { openSession } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

// `sweeps/routes.test.ts` tests the actions of every route.
describe('audit actions', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  describe('of a session', () => {
    let account: Account;
    beforeAll(async () => {
      account = await service.signUp({ plan: 'enterprise' });
    });

    it('ended by a reused refresh token include session.revoked, without personal data', async () => {
      const { person, reply } = await openSession(service, account);
      const refresh = () =>
        service.call('POST', '/v1/identity/refresh', {
          as: account.key,
          body: { refreshToken: reply.body.refreshToken },
        });
      expect((await refresh()).status).toBe(200);
      expect((await refresh()).body.error).toBe('invalid_refresh_token');
      const { audit } = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body;
      expect(audit[0]).toMatchObject({ action: 'session.revoked', entityId: reply.body.sessionId });
      expect(JSON.stringify(audit[0])).not.toContain(person.did);
    });

    it('of a pairing are only the pairing’s own actions', async () => {
      const { pairing } = await bindPairing(service, account);
      const { audit } = (await service.call('GET', '/v1/audit?limit=20', { as: account.key })).body;
      const own = audit.filter((event: { entityId: string }) => event.entityId === pairing.id);
      expect(own.map(({ action }: { action: string }) => action)).toEqual([
        'pairing.submit',
        'pairing.session_created',
      ]);
    });
  });
});
