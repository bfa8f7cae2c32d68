import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { actsOf } from '../../src/http/access.js';
import { accessOf } from '../../src/http/route.js';
import { nameOf } from '../support/contract/examples.js';
import { addMember } from '../support/members.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const FIVE_MINUTES = 5 * 60_000;
let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
});
afterAll(() => service.close());

const newKey = { name: 'Mine', environment: 'test', scopes: ['users:read'] };
const createKey = (credential: { session: string } | { as: string }) =>
  service.call('POST', '/api/console/keys', { ...credential, body: newKey });
const stepUp = (credential: { session: string } | { as: string }, password = account.password) =>
  service.call('POST', '/api/console/step-up', {
    ...credential,
    body: { password },
    address: freshAddress(),
  });
const logIn = async ({ email, password }: Pick<Account, 'email' | 'password'> = account): Promise<string> =>
  (await service.call('POST', '/api/console/login', { body: { email, password }, address: freshAddress() }))
    .body.token;

describe('a confirmed log-in [POST /api/console/step-up] [step_up_required] [members/confirmed-log-ins]', () => {
  it('is asked for by these routes of the dashboard', () => {
    const routes = routesOf('0.0.0-test').filter((route) => accessOf(route) && actsOf(route).length > 0);
    expect(routes.map(nameOf).sort()).toEqual([
      'DELETE /api/console/devices/:id',
      'DELETE /api/console/keys/:keyId',
      'DELETE /api/console/members/:memberId',
      'DELETE /api/console/oidc/clients/:clientId',
      'DELETE /api/console/passkeys/:passkeyId',
      'DELETE /v1/attestation/keys/:id',
      'DELETE /v1/registrations/:id',
      'DELETE /v1/users/:userId/attendance-pin',
      'DELETE /v1/webhooks/:id',
      'PATCH /api/console/devices/:id',
      'PATCH /api/console/keys/:keyId',
      'PATCH /api/console/members/:memberId',
      'PATCH /api/console/oidc/clients/:clientId',
      'PATCH /api/console/security-policy',
      'PATCH /v1/users/:userId',
      'PATCH /v1/webhooks/:id',
      'POST /api/console/account/confirm-restore',
      'POST /api/console/devices',
      'POST /api/console/devices/:id/regenerate-code',
      'POST /api/console/keys',
      'POST /api/console/keys/:keyId/rotate',
      'POST /api/console/members',
      'POST /api/console/oidc/clients',
      'POST /api/console/oidc/clients/:clientId/rotate-secret',
      'POST /api/console/passkeys',
      'POST /api/console/passkeys/options',
      'POST /api/console/users/:userId/confirm-name',
      'POST /v1/approvals',
      'POST /v1/approvals/:id/cancel',
      'POST /v1/approvals/:id/consume',
      'POST /v1/attendance/corrections',
      'POST /v1/attendance/corrections/:id/decide',
      'POST /v1/attendance/corrections/:id/record',
      'POST /v1/attendance/corrections/:id/withdraw',
      'POST /v1/attendance/inspections',
      'POST /v1/identity/revoke',
      'POST /v1/recoveries/:id/cancel',
      'POST /v1/recoveries/:id/confirm',
      'POST /v1/registrations',
      'POST /v1/users',
      'POST /v1/users/:userId/erase',
      'POST /v1/users/import',
      'POST /v1/webhooks',
      'POST /v1/webhooks/:id/rotate-secret',
      'PUT /api/console/security-policy',
    ]);
  });

  it('lasts exactly five minutes after the log-in, and after each confirmation [member.confirmed]', async () => {
    const session = await logIn();
    service.clock.advance(FIVE_MINUTES);
    expect((await createKey({ session })).status).toBe(201);
    service.clock.advance(1);
    const late = await createKey({ session });
    expect([late.status, late.body.error]).toEqual([403, 'step_up_required']);
    const confirmed = await stepUp({ session });
    expect([confirmed.status, confirmed.body]).toEqual([
      200,
      { until: new Date(service.clock.now() + FIVE_MINUTES).toISOString() },
    ]);
    expect((await createKey({ session })).status).toBe(201);
    service.clock.advance(FIVE_MINUTES + 1_000);
    expect((await createKey({ session })).body.error).toBe('step_up_required');
  });

  it('confirms this log-in only', async () => {
    const [session, other] = [await logIn(), await logIn()];
    service.clock.advance(FIVE_MINUTES + 1);
    expect((await stepUp({ session })).status).toBe(200);
    expect((await createKey({ session: other })).body.error).toBe('step_up_required');
  });

  it('needs the member’s own password, and guesses count as those of a log-in', async () => {
    const grace = await addMember(service, { token: await logIn() }, 'developer');
    const session = await logIn(grace);
    expect((await stepUp({ session }, account.password)).body.error).toBe('invalid_credentials');
    expect((await stepUp({ session }, grace.password)).status).toBe(200);
    const address = freshAddress();
    const guess = (password: string) =>
      service.call('POST', '/api/console/step-up', { session, body: { password }, address });
    for (let n = 0; n < 10; n += 1) expect((await guess('not the password 1')).status).toBe(401);
    expect((await guess(grace.password)).status).toBe(429);
  });

  it('is not asked of programs with a console token, unless the policy says always', async () => {
    const own = await service.signUp();
    const as = own.token;
    service.clock.advance(FIVE_MINUTES + 1);
    expect((await createKey({ as })).status).toBe(201);
    const policy = { security_policy: { console_step_up: 'always' } };
    expect((await service.call('PUT', '/api/console/security-policy', { as, body: policy })).status).toBe(
      200,
    );
    expect((await createKey({ as })).body.error).toBe('step_up_required');
    expect((await stepUp({ as }, own.password)).status).toBe(200);
    expect((await createKey({ as })).status).toBe(201);
  });

  it('is not asked for reading, people or logging out', async () => {
    const session = await logIn();
    service.clock.advance(FIVE_MINUTES + 1);
    const call = (method: string, path: string, body?: object) =>
      service.call(method, `/api/console/${path}`, { session, ...(body && { body }) });
    expect((await call('GET', 'keys')).status).toBe(200);
    const people = { session, body: { users: [{ fullName: 'Ada' }] } };
    expect((await service.call('POST', '/v1/users/import', people)).status).toBe(200);
    expect((await call('POST', 'logout')).status).toBe(200);
  });
});

describe('log-ins to the console [GET /api/console/login-sessions] [DELETE /api/console/login-sessions/:loginSessionId] [members/log-ins]', () => {
  it('are listed to their own member, with where they came from, and end one by one [member.logged_out]', async () => {
    const own = await service.signUp();
    const grace = await addMember(service, own, 'developer');
    const body = { email: own.email, password: own.password };
    const headers = { 'user-agent': 'Firefox/140 \u00e9 on a laptop' };
    const login = { body, headers, address: '203.0.113.77' };
    const { token } = (await service.call('POST', '/api/console/login', login)).body;
    const list = async (as: string) =>
      (await service.call('GET', '/api/console/login-sessions', { as })).body.loginSessions;
    const listed = await list(token);
    expect(listed).toHaveLength(2);
    expect(listed.find(({ current }: { current: boolean }) => current)).toMatchObject({
      ...{ network: '203.0.113.0/24', userAgent: 'Firefox/140  on a laptop' },
    });
    const other = listed.find(({ current }: { current: boolean }) => !current);
    const end = (as: string, id: string) =>
      service.call('DELETE', `/api/console/login-sessions/${id}`, { as });
    expect((await end(grace.token, other.id)).body.error).toBe('session_not_found');
    expect((await end(token, other.id)).status).toBe(200);
    expect((await end(token, other.id)).body.error).toBe('session_not_found');
    expect((await service.call('GET', '/api/console/account', { as: own.token })).status).toBe(401);
    expect((await service.call('GET', '/api/console/account', { as: token })).status).toBe(200);
    expect(await list(grace.token)).toHaveLength(1);
  });
});
