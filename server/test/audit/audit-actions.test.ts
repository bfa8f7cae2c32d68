import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { AUDIT_ACTIONS } from '../../src/model/audit-actions.js';
import { exampleOf, nameOf, send } from '../support/contract/examples.js';
import { bindPairing } from '../support/pairing.js';
import { openSession } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

/** The events that each write appends: action, actor and entity. Each route is tested with its own account. */
// biome-ignore format: a table
const TABLE: [route: string, ...events: string[]][] = [
  ['POST /api/console/signup',                         'tenant.created console tenant', 'api_key.created console api_key'],
  ['POST /api/console/login',                          'tenant.logged_in console tenant'],
  ['POST /api/console/logout',                         'tenant.logged_out console tenant'],
  ['POST /api/console/password',                       'tenant.password_changed console tenant'],
  ['PUT /api/console/profile',                         'tenant.profile_changed console tenant'],
  ['PUT /api/console/security-policy',                 'tenant.security_policy_replaced console tenant'],
  ['POST /api/console/keys',                           'api_key.created console api_key'],
  ['DELETE /api/console/keys/:keyId',                  'api_key.revoked console api_key'],
  ['POST /api/console/devices',                        'device.created console device'],
  ['POST /api/console/devices/:id/regenerate-code',    'device.code_regenerated console device'],
  ['PATCH /api/console/devices/:id',                   'device.updated console device'],
  ['DELETE /api/console/devices/:id',                  'device.revoked console device'],
  ['POST /v1/devices',                                 'device.created api_key device'],
  ['PATCH /v1/devices/:deviceId',                      'device.updated api_key device'],
  ['POST /v1/devices/enroll',                          'device.enrolled phone device'],
  ['POST /v1/users',                                   'user.created api_key user'],
  ['PATCH /v1/users/:userId',                          'user.updated api_key user'],
  ['POST /v1/verifications',                           'verification.created api_key verification'],
  ['POST /v1/attendance',                              'attendance.created api_key attendance'],
  ['POST /api/console/registrations',                  'registration.started console registration'],
  ['POST /api/console/pairing',                        'pairing.session_created console pairing_session'],
  ['DELETE /api/console/registrations/:id',            'registration.abandoned console registration'],
  ['POST /v1/registrations',                           'registration.started api_key registration'],
  ['DELETE /v1/registrations/:id',                     'registration.abandoned api_key registration'],
  ['POST /v1/registrations/pair-device',               'registration.device_paired phone registration'],
  ['POST /v1/registrations/submit-commitment',         'registration.commitment_submitted phone registration'],
  ['POST /v1/registrations/complete',                  'device.enrolled phone device', 'registration.completed phone registration'],
  ['POST /v1/webhooks',                                'webhook.created api_key webhook'],
  ['PATCH /v1/webhooks/:id',                           'webhook.updated api_key webhook'],
  ['POST /v1/webhooks/:id/rotate-secret',              'webhook.secret_rotated api_key webhook'],
  ['POST /v1/webhooks/:id/replay',                     'webhook.replayed api_key webhook'],
  ['DELETE /v1/webhooks/:id',                          'webhook.deleted api_key webhook'],
  ['POST /api/console/webhooks',                       'webhook.created console webhook'],
  ['PATCH /api/console/webhooks/:id',                  'webhook.updated console webhook'],
  ['POST /api/console/webhooks/:id/rotate-secret',     'webhook.secret_rotated console webhook'],
  ['POST /api/console/webhooks/:id/replay',            'webhook.replayed console webhook'],
  ['DELETE /api/console/webhooks/:id',                 'webhook.deleted console webhook'],
  ['POST /api/console/oidc/clients',                   'oidc_client.created console oidc_client'],
  ['PATCH /api/console/oidc/clients/:clientId',        'oidc_client.updated console oidc_client'],
  ['POST /api/console/oidc/clients/:clientId/rotate-secret', 'oidc_client.secret_rotated console oidc_client'],
  ['DELETE /api/console/oidc/clients/:clientId',       'oidc_client.deleted console oidc_client'],
  ['POST /v1/identity/register',                       'identity.register api_key identity'],
  ['POST /v1/identity/verify',                         'identity.verify api_key verification'],
  ['POST /v1/identity/refresh',                        'session.refreshed api_key session'],
  ['POST /v1/identity/logout',                         'session.logged_out api_key session'],
  ['POST /v1/identity/revoke',                         'identity.revoked api_key identity'],
  ['POST /v1/auth/zkp/register',                       'zkp.register api_key template'],
  ['POST /v1/auth/zkp/verify',                         'zkp.verify api_key verification'],
  ['POST /v1/proof-pairing/sessions',                  'pairing.session_created api_key pairing_session'],
  ['POST /v1/proof-pairing/sessions/:id/submit',       'pairing.submit api_key pairing_session'],
  ['POST /v1/proof-pairing/sessions/:id/decline',      'pairing.declined api_key pairing_session'],
  ['POST /v1/proof-pairing/sessions/:id/redeem',       'pairing.redeemed api_key pairing_session'],
  ['POST /v1/phone/pairing/:id/submit',                'pairing.submit phone pairing_session'],
  ['POST /v1/phone/pairing/:id/decline',               'pairing.declined phone pairing_session'],
  ['POST /sign-in/:uid/session',                       'pairing.session_created system pairing_session'],
  ['POST /sign-in/:uid/complete',                      'pairing.redeemed system pairing_session'],
  ['GET /oidc/:tenantId/:environment/auth/:uid',       'oidc.authorized system oidc_grant'],
  ['POST /oidc/:tenantId/:environment/token',          'oidc.token_issued system oidc_grant'],
  ['POST /oidc/:tenantId/:environment/revoke',         'oidc.grant_revoked system oidc_grant'],
];

describe('audit actions', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const chain = (tenantId: string) =>
    service.db.query<{ action: string; event: string; summary: string; status: string }>(sql`
      select action, action || ' ' || actor_type || ' ' || entity_type as event, summary, status from audit_events
      where tenant_id = ${tenantId} order by environment, seq`);

  it.each(TABLE)('%s appends %s', async (name, ...events) => {
    const route = routesOf('0.0.0-test').find((one) => nameOf(one) === name);
    if (route === undefined) throw new Error(`${name} is not a route`);
    const account = await service.signUp({ plan: 'enterprise' });
    const prepared = await exampleOf(route)({ service, account });
    const before = await chain(account.tenantId);
    const reply = await send(route, { service, account }, { prepared });
    expect(reply.status, reply.text).toBeLessThan(400);
    const isSignup = name.endsWith('/signup');
    const added = isSignup
      ? await chain(reply.body.tenant.id)
      : (await chain(account.tenantId)).slice(before.length);
    expect(added.map(({ event }) => event)).toEqual(events);
    for (const { action, summary, status } of added)
      expect([summary, status]).toEqual([AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS], 'success']);
  });

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
