import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeCeremony } from '../support/ceremony.js';
import { bindPairing } from '../support/pairing.js';
import { openSession, proveFor } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
/** Tokens and environments that must not see the account's live records. */
let strangers: readonly (readonly [token: string, environment: string])[];

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  const other = await service.signUp({ plan: 'enterprise' });
  strangers = [
    [other.token, 'live'],
    [account.token, 'test'],
  ];
});
afterAll(() => service.close());

const get = (path: string, as = account.token) => service.call('GET', `/api/console/${path}`, { as });
const inSession = (method: string, path: string, body?: object, session = account.token) =>
  service.call(method, `/v1/${path}`, { session, body });
async function create(path: string, body: object) {
  const reply = await service.call('POST', `/v1/${path}`, { as: account.key, body });
  expect(reply.status, reply.text).toBe(201);
  return Object.values(reply.body)[0] as { id: string };
}

describe('a record of the console [console/identities-and-sessions]', () => {
  it.each(['users', 'devices', 'verifications', 'attendance'])(
    'is the row of its list, and no stranger’s: %s [GET /v1/users/:userId] [GET /v1/devices/:deviceId] [GET /v1/verifications/:verificationId] [GET /v1/attendance/:attendanceId]',
    async (list) => {
      const device = await create('devices', { name: 'Gate' });
      const user = await create('users', { fullName: 'Ada', primaryDeviceId: device.id });
      const event = { userId: user.id, deviceId: device.id };
      if (list === 'verifications') await create(list, { ...event, method: 'face', result: 'pass' });
      if (list === 'attendance') await create(list, { ...event, type: 'check_in' });
      const include = list === 'devices' ? '' : 'include=names';
      const [row] = (await inSession('GET', `${list}?limit=1&${include}`)).body[list];
      const found = await inSession('GET', `${list}/${row.id}?${include}`);
      expect([found.status, Object.values(found.body)]).toEqual([200, [row]]);
      for (const [as, environment] of strangers)
        expect(
          (await inSession('GET', `${list}/${row.id}?environment=${environment}`, undefined, as)).status,
        ).toBe(404);
    },
  );

  it('changes a person and ends the sessions of one who is deactivated [PATCH /v1/users/:userId]', async () => {
    const { userId } = (await openSession(service, account)).person;
    const changed = await inSession('PATCH', `users/${userId}`, { fullName: 'Ada King', email: null });
    expect([changed.status, changed.body.user.fullName]).toEqual([200, 'Ada King']);
    expect((await get(`sessions?userId=${userId}`)).body.sessions).toHaveLength(1);
    const off = await inSession('PATCH', `users/${userId}`, { status: 'inactive' });
    expect(off.body.user).toMatchObject({ fullName: 'Ada King', status: 'inactive' });
    expect((await get(`sessions?userId=${userId}`)).body.sessions).toEqual([]);
    for (const [as, environment] of strangers) {
      const reply = await inSession(
        'PATCH',
        `users/${userId}?environment=${environment}`,
        { fullName: 'X' },
        as,
      );
      expect([reply.status, reply.body.error]).toEqual([404, 'user_not_found']);
    }
  });
});

async function registered() {
  const { c, reply } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
  const userId = reply.body.tenant_user.id as string;
  const list = `identities?deviceId=${reply.body.device.id}`;
  return { c, userId, list, identity: (await get(list)).body.identities[0] };
}

describe('identities and sessions in the console [console/identities-and-sessions]', () => {
  it('lists the identities of a phone, with the names of their people, and revokes one [GET /api/console/identities] [POST /v1/identity/revoke]', async () => {
    const { c, userId, list, identity } = await registered();
    expect(identity).toMatchObject({ did: c.identity.did, userId, userName: 'Ada', revokedAt: null });
    expect(identity.deviceName).toEqual(expect.any(String));
    expect((await get(list)).body.identities).toEqual([identity]);
    for (const [as, environment] of strangers) {
      expect((await get(`${list}&environment=${environment}`, as)).body.identities).toEqual([]);
      const revoke = `identity/revoke?environment=${environment}`;
      expect((await inSession('POST', revoke, { did: identity.did }, as)).body.error).toBe(
        'identity_not_found',
      );
    }
    const body = () => proveFor(service, c.identity, { tenantId: account.tenantId });
    const verify = async () =>
      service.call('POST', '/v1/identity/verify', { as: account.key, body: await body() });
    expect((await verify()).status).toBe(200);
    expect((await get(`sessions?userId=${userId}`)).body.sessions).toHaveLength(1);
    const revoked = await inSession('POST', 'identity/revoke', { did: identity.did });
    expect(revoked.body.identity).toMatchObject({ did: identity.did, revokedAt: expect.any(String) });
    expect((await get(list)).body.identities[0].revokedAt).not.toBeNull();
    expect((await get(`sessions?userId=${userId}`)).body.sessions).toEqual([]);
    expect((await verify()).status).toBe(401);
  });

  it('lists a person’s sessions from proofs and pairings until they expire [GET /api/console/sessions]', async () => {
    const { person, pairing } = await bindPairing(service, account);
    const { userId } = person;
    const { sessions } = (await get(`sessions?userId=${userId}`)).body;
    // That of the phone and that of the desktop.
    const session = expect.objectContaining({ did: person.did, fromPairing: true, simulated: false });
    expect(sessions).toEqual([session, session]);
    for (const [as, environment] of strangers)
      expect((await get(`sessions?userId=${userId}&environment=${environment}`, as)).body.sessions).toEqual(
        [],
      );
    const [found] = (await inSession('GET', `proof-pairing/sessions?id=${pairing.id}`)).body.sessions;
    expect(found).toMatchObject({ id: pairing.id, state: 'bound', userId });
    service.clock.advance(Date.parse(sessions[0].expiresAt) - service.clock.now());
    const { email, password } = account;
    const login = await service.call('POST', '/api/console/login', { body: { email, password } });
    account = { ...account, token: login.body.token };
    expect((await get(`sessions?userId=${userId}`)).body.sessions).toEqual([]);
  });

  it.each(['sessions', `identities?userId=${randomUUID()}`])(
    'requires the person of sessions and the phone of identities: %s',
    async (path) => {
      const reply = await get(path);
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('the audit list of the console [console/identities-and-sessions]', () => {
  it('finds one entry by its number and the entries about one record', async () => {
    const device = await create('devices', { name: 'Gate' });
    await create('devices', { name: 'Other' });
    await service.call('PATCH', `/v1/devices/${device.id}`, { as: account.key, body: { name: 'Door' } });
    const about = (await get(`audit?entityId=${device.id}`)).body;
    expect(about.audit.map(({ action }: { action: string }) => action)).toEqual([
      'device.updated',
      'device.created',
    ]);
    expect(about).toMatchObject({ total: 2, totalIsExact: true });
    const [{ seq }] = about.audit;
    const one = (await get(`audit?seq=${seq}`)).body;
    expect(one.audit).toEqual([about.audit[0]]);
    expect((await get('audit?seq=999999')).body.audit).toEqual([]);
    expect((await get('audit?seq=0')).status).toBe(400);
  });
});
