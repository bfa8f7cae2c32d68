// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../support/phone.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

useRealProofs();

describe('from an account to a verified proof', () => {
  let service: Service;
  let account: Account;

  beforeAll(async () => {
    service = await startService();
    account = await service.signUp();
  });
  afterAll(() => service.close());

  it('a registered person verifies and gets a session that works with me, refresh and logout', async () => {
    const { person, reply } = await openSession(service, account);
    expect(reply.body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600, did: person.did });

    const session = { as: account.key, headers: { 'x-session-token': reply.body.accessToken } };
    const me = await service.call('GET', '/v1/identity/me', session);
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ did: person.did, environment: 'live', sessionId: reply.body.sessionId });
    expect(me.body.user).toMatchObject({ id: person.userId, fullName: 'Unnamed', status: 'active' });

    const refreshed = await service.call('POST', '/v1/identity/refresh', {
      as: account.key,
      body: { refreshToken: reply.body.refreshToken },
    });
    expect(refreshed.status).toBe(200);
    expect(refreshed.body.sessionId).toBe(reply.body.sessionId);

    const out = await service.call('POST', '/v1/identity/logout', session);
    expect(out.body).toEqual({ loggedOut: true });
    expect((await service.call('GET', '/v1/identity/me', session)).body.error).toBe('invalid_session_token');
  });

  it('the verification and the audit events are listed, and the audit chain is intact', async () => {
    const events = await service.call('GET', '/v1/verifications?method=zkp&result=pass', { as: account.key });
    expect(events.body.verifications).toHaveLength(1);
    const audit = await service.call('GET', '/v1/audit', { as: account.key });
    expect(audit.body.audit.map((event: { action: string }) => event.action)).toEqual([
      'session.logged_out',
      'session.refreshed',
      'identity.verify',
      'identity.register',
      'api_key.created',
      'tenant.created',
    ]);
    const integrity = await service.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(integrity.body).toMatchObject({ status: 'pass', partial: false, checked: 6 });
  });
});
