import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { Authenticator } from '../support/authenticator.js';
import { completeOn } from '../support/ceremony.js';
import { nameOf, shapeOf } from '../support/contract/examples.js';
import { deviceToken, revokeDevice } from '../support/device-keys.js';
import { addMember, type MemberAccount } from '../support/members.js';
import { addPasskey, signInOptions } from '../support/passkeys.js';
import { registerPerson } from '../support/phone.js';
import { setPolicy } from '../support/recoveries.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { type OpenDesk, openedDesk, staffAt, startStaff } from '../support/staff.js';

let service: Service;
let account: Account;
let reception: MemberAccount;
let desk: OpenDesk;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  account = await service.signUp({ plan: 'enterprise' });
  reception = await addMember(service, account, 'reception');
  desk = await openedDesk(service, account);
  headers = await staffAt(service, desk, reception);
});

const outcome = ({ status, body }: Reply) => [status, body?.error];
const ENDED = [401, 'staff_session_invalid'];
const byStaff = (method: string, path: string, body?: object, own = headers) =>
  service.call(method, `/v1/staff/${path}`, { headers: own, ...(body && { body }) });
const here = async (own = headers) => outcome(await byStaff('GET', 'presence', undefined, own));
const find = (q: string) => byStaff('GET', `people?q=${encodeURIComponent(q)}`);
const events = async (query = '') =>
  (await service.call('GET', `/api/console/audit?limit=5${query}`, { as: account.token })).body.audit;
const setRole = (id: string, role: string) =>
  service.call('PATCH', `/api/console/members/${id}`, { as: account.token, body: { role } });

describe('a member at a desk [reception/staff-at-a-desk] [staff_session_invalid] [POST /v1/staff/session]', () => {
  it('begins with a passkey, or with e-mail and password, and the audit log has the member and the desk [member.staff_started]', async () => {
    const phone = new Authenticator();
    await addPasskey(service, reception.token, phone);
    const credential = phone.get(await signInOptions(service));
    const { status, body } = await service.call('POST', '/v1/staff/session', {
      as: desk.session,
      body: { credential },
    });
    expect([status, body]).toEqual([
      201,
      {
        ...{ token: expect.stringMatching(/^svc_staff_/), expiresIn: 600, idleSeconds: 120 },
        member: { id: reception.id, name: 'Grace Hopper', role: 'reception' },
      },
    ]);
    expect((await events())[0]).toMatchObject({
      ...{ action: 'member.staff_started', actorType: 'member', actorId: reception.id },
      metadata: { deviceId: desk.device.id },
    });
    const again = await service.call('POST', '/v1/staff/session', { as: desk.session, body: { credential } });
    expect(outcome(again)).toEqual([401, 'invalid_credentials']);
  });

  it('is somebody of this account, with the role, and nobody else', async () => {
    const stranger = await service.signUp();
    const auditor = await addMember(service, account, 'auditor');
    const wrong = { email: reception.email, password: 'wrong horse 42 battery' };
    expect(outcome(await startStaff(service, desk, stranger))).toEqual([401, 'invalid_credentials']);
    expect(outcome(await startStaff(service, desk, wrong))).toEqual([401, 'invalid_credentials']);
    expect(outcome(await startStaff(service, desk, auditor))).toEqual([403, 'role_insufficient']);
    const inTest = await openedDesk(service, account, 'test');
    expect(outcome(await startStaff(service, inTest, reception))).toEqual([403, 'role_insufficient']);
    expect(outcome(await startStaff(service, inTest, account))).toEqual([201, undefined]);
    for (const body of [{}, { email: reception.email }, { password: 'x' }])
      expect((await service.call('POST', '/v1/staff/session', { as: desk.session, body })).status).toBe(400);
    for (const as of [account.key, account.token])
      expect(outcome(await service.call('POST', '/v1/staff/session', { as, body: wrong }))).toEqual([
        401,
        'device_session_invalid',
      ]);
  });

  it('has left after two minutes without a request, and after ten in any case [GET /v1/staff/presence]', async () => {
    service.clock.advance(119_000);
    expect(await here()).toEqual([200, undefined]);
    service.clock.advance(120_000);
    expect(await here()).toEqual(ENDED);
    headers = await staffAt(service, desk, reception);
    for (let minute = 1; minute < 10; minute += 1) {
      service.clock.advance(60_000);
      expect(await here(), `${minute}`).toEqual([200, undefined]);
    }
    service.clock.advance(60_000);
    expect(await here()).toEqual(ENDED);
  });

  it('has left when a person begins at the desk, or the next member', async () => {
    for (const path of ['/v1/registrations', '/v1/proof-pairing/sessions']) {
      headers = await staffAt(service, desk, reception);
      const begun = await service.call('POST', path, { as: desk.session, body: {} });
      expect(begun.status, begun.text).toBe(201);
      expect(await here()).toEqual(ENDED);
      expect(await events()).toContainEqual(
        expect.objectContaining({
          action: 'member.staff_ended',
          actorType: 'device',
          entityId: reception.id,
        }),
      );
    }
    const first = await staffAt(service, desk, reception);
    const second = await staffAt(service, desk, account);
    expect([await here(first), await here(second)]).toEqual([ENDED, [200, undefined]]);
  });

  it('ends it [DELETE /v1/staff/session] [member.staff_ended]', async () => {
    expect(outcome(await byStaff('DELETE', 'session'))).toEqual([200, undefined]);
    expect(await here()).toEqual(ENDED);
    expect(outcome(await byStaff('DELETE', 'session'))).toEqual(ENDED);
  });

  it('who was removed, or has a role of which nothing is left, may do nothing more', async () => {
    const developer = await addMember(service, account, 'developer');
    const own = await staffAt(service, await openedDesk(service, account), developer);
    await setRole(developer.id, 'reception');
    expect(await here(own)).toEqual([200, undefined]);
    await setRole(developer.id, 'auditor');
    expect(await here(own)).toEqual(ENDED);
    await service.call('DELETE', `/api/console/members/${reception.id}`, { as: account.token });
    expect(await here()).toEqual(ENDED);
  });

  it('needs the desk: its session, its key and that it is in use', async () => {
    const other = await openedDesk(service, account);
    const elsewhere = { ...headers, 'x-device-session': other.session };
    service.clock.advance(1_000);
    const later = { ...headers, 'x-device-session': await deviceToken(service, desk.device) };
    const { 'x-device-session': _, ...alone } = headers;
    for (const own of [elsewhere, later, alone, { ...headers, 'x-device-session': 'svc_device_x' }])
      expect(await here(own)).toEqual(ENDED);
    expect(await here()).toEqual([200, undefined]);
    await revokeDevice(service, account, desk.device);
    expect(await here()).toEqual(ENDED);
  });

  it('has a token that opens no other route', async () => {
    const keyed = routesOf('0.0.0-test').filter(
      ({ auth, raw }) => !['none', 'legacy', 'staff'].includes(auth.kind) && !raw,
    );
    for (const route of keyed) {
      const reply = await service.call(route.method, shapeOf(route), {
        headers: { ...headers, 'content-type': 'application/json' },
        address: freshAddress(),
      });
      expect(reply.status, nameOf(route)).toBe(401);
    }
    expect(await here()).toEqual([200, undefined]);
  });
});

describe('with it [reception/what-staff-may]', () => {
  const person = async (fullName: string) => {
    const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName } });
    return made.body.user.id as string;
  };

  it('a person is found by whole words, and a desk finds few of them [GET /v1/staff/people]', async () => {
    const ada = await person('Ada Lovelace');
    await person('Adam Love');
    const found = (await find('lovelace')).body.people;
    expect(found).toEqual([{ id: ada, fullName: 'Ada Lovelace', nameConfirmed: false, phones: [] }]);
    for (const [q, count] of [
      ['ada', 1],
      ['Ada  Lovelace', 1],
      ['love', 1],
      ['lovel', 0],
    ] as const)
      expect((await find(q)).body.people, q).toHaveLength(count);
    for (const q of ['ad', '12345', '  a '])
      expect(outcome(await find(q)), q).toEqual([400, 'invalid_request']);
    for (let n = 5; n < 20; n += 1) expect((await find('ada')).status).toBe(200);
    expect(outcome(await find('ada'))).toEqual([429, 'rate_limit_exceeded']);
  });

  it('a new person is registered, whose name is confirmed and whose e-mail is not [POST /v1/staff/registrations]', async () => {
    const profile = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
    const opened = await byStaff('POST', 'registrations', { how: 'document_seen', profile });
    expect(opened.status, opened.text).toBe(201);
    const at = new Date(service.clock.now()).toISOString();
    const followed = await service.call('GET', `/v1/registrations/${opened.body.session.id}`, {
      as: desk.session,
    });
    expect(followed.body.session.state).toBe('awaiting_device');
    const { reply } = await completeOn(service, opened);
    expect(reply.body.tenant_user).toMatchObject({
      ...{ ...profile, emailFromDevice: true },
      nameConfirmation: { memberId: reception.id, deviceId: desk.device.id, at, how: 'document_seen' },
    });
    expect(await events('&action=registration.started')).toContainEqual(
      expect.objectContaining({
        ...{ actorType: 'member', actorId: reception.id },
        metadata: { deviceId: desk.device.id, how: 'document_seen' },
      }),
    );
    for (const body of [{ profile }, { how: 'known', profile: { ...profile, externalId: 'x' } }])
      expect(outcome(await byStaff('POST', 'registrations', body))).toEqual([400, 'invalid_request']);
  });

  it('a known person gets a phone, and their name is confirmed', async () => {
    const userId = await person('Ada Lovelace');
    const opened = await byStaff('POST', 'registrations', { how: 'list', userId });
    expect(opened.body.session).toMatchObject({ user_id: userId, recovers: false });
    const { body } = await service.call('GET', `/v1/users/${userId}`, { as: account.key });
    expect(body.user.nameConfirmation).toMatchObject({ memberId: reception.id, how: 'list' });
  });

  it('a lost phone is locked, and a recovery is asked for, also by an owner [POST /v1/staff/lock]', async () => {
    await setPolicy(service, account, { protect_identities: true });
    const own = await staffAt(service, await openedDesk(service, account), account);
    const { did, userId } = await registerPerson(service, account.key, { externalId: 'Lovelace' });
    const [found] = (await find('Lovelace')).body.people;
    expect(found).toMatchObject({ id: userId, phones: [{ did }] });
    const locked = await byStaff('POST', 'lock', { did });
    expect([locked.status, locked.body.identity.did]).toEqual([200, did]);
    expect((await find('Lovelace')).body.people[0].phones).toEqual([]);
    const opened = await byStaff('POST', 'registrations', { how: 'known', userId }, own);
    const { c } = await completeOn(service, opened);
    const { body } = await service.call('GET', '/v1/recoveries', { session: account.token });
    expect(body.recoveries).toEqual([
      expect.objectContaining({ id: c.id, held: true, openedBy: account.tenantId }),
    ]);
    const pending = await byStaff('POST', 'lock', { did: body.recoveries[0].did });
    expect(outcome(pending)).toEqual([403, 'role_insufficient']);
    const confirmed = await service.call('POST', `/v1/recoveries/${c.id}/confirm`, {
      session: account.token,
    });
    expect(confirmed.body.recovery.held).toBe(false);
  });
});
