import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeCeremony } from '../support/ceremony.js';
import { type CountingDatabase, countStatements, sharedDatabase } from '../support/database.js';
import { deviceToken, enrolWithKey } from '../support/device-keys.js';
import { addMember, logInAgain } from '../support/members.js';
import { createClient } from '../support/oidc/oidc.js';
import {
  type Account,
  type CallOptions,
  freshAddress,
  type Reply,
  type Service,
  startService,
} from '../support/service.js';

const FIVE_MINUTES = 5 * 60_000;
let db: CountingDatabase;
let service: Service;
let account: Account;
/** Keys without and with `users:claims`. */
let plain: string;
let trusted: string;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  service = await startService({ db });
  account = await service.signUp({ plan: 'enterprise' });
  await createClient({ service, account }, { claims: { email: true, site: 'metadata.work.site' } });
  await createClient({ service, account }, { claims: { groups: 'metadata.groups' } });
  const scopes = ['users:read', 'users:write'] as const;
  plain = await service.createKey(account, 'live', scopes);
  trusted = await service.createKey(account, 'live', [...scopes, 'users:claims']);
});
afterAll(() => service.close());

const BEFORE = {
  email: 'ada@example.com',
  metadata: { team: 'A', groups: ['staff'], work: { site: 'Hamburg', desk: 1 } },
};
let userId: string;
async function newPerson(): Promise<void> {
  const body = { fullName: 'Ada', ...BEFORE };
  const reply = await service.call('POST', '/v1/users', { as: trusted, body });
  expect(reply.status, reply.text).toBe(201);
  userId = reply.body.user.id;
}
beforeEach(newPerson);

type By = Pick<CallOptions, 'as' | 'session'>;
const patch = (body: object, by: By) =>
  service.call('PATCH', `/v1/users/${userId}${by.session ? '?environment=live' : ''}`, { ...by, body });
const create = (body: object, by: By) =>
  service.call('POST', '/v1/users', { ...by, body: { fullName: 'Ada', ...body } });
const register = (profile: object, by: By) =>
  service.call('POST', `/v1/registrations${by.session ? '?environment=live' : ''}`, {
    ...by,
    body: { profile },
  });
const importOne = (body: object & { email?: unknown }, by: By) =>
  service.call('POST', `/v1/users/import${by.session ? '?environment=live' : ''}`, {
    ...by,
    body: {
      users: [{ fullName: 'Somebody' }, { fullName: 'Ada', ...(body.email ? { email: body.email } : {}) }],
    },
  });
const lastEntry = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];
const EMAIL = { email: 'root@example.com' };
const GROUPS = { metadata: { ...BEFORE.metadata, groups: ['admins'] } };
const SITE = { metadata: { ...BEFORE.metadata, work: { site: 'Bern', desk: 1 } } };

const seal = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('what becomes a claim of an application [users/writing-claims] [users:claims]', () => {
  it.each([
    ['PATCH /v1/users/:userId', 'an e-mail', patch, EMAIL],
    ['PATCH /v1/users/:userId', 'no e-mail', patch, { email: null }],
    ['PATCH /v1/users/:userId', 'other groups', patch, GROUPS],
    ['PATCH /v1/users/:userId', 'no groups', patch, { metadata: { work: BEFORE.metadata.work } }],
    ['PATCH /v1/users/:userId', 'another site', patch, SITE],
    ['PATCH /v1/users/:userId', 'no metadata', patch, { metadata: null }],
    ['POST /v1/users', 'an e-mail', create, EMAIL],
    ['POST /v1/users', 'groups', create, { metadata: { groups: [] } }],
    ['POST /v1/users', 'a site', create, { metadata: { work: { site: 'Bern' } } }],
    ['POST /v1/users/import', 'an e-mail', importOne, EMAIL],
    ['POST /v1/registrations', 'an e-mail', register, EMAIL],
    ['POST /v1/registrations', 'groups', register, { metadata: { groups: 'admins' } }],
    ['POST /v1/registrations', 'groups beside the known fields', register, { groups: ['admins'] }],
  ])(
    '%s with %s needs the scope of a key, and is in the audit log [insufficient_scopes]',
    async (_, __, send, body) => {
      const before = await lastEntry();
      const refused = await send(body, { as: plain });
      expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scopes']);
      expect(refused.body.message).toContain('users:claims');
      expect(await lastEntry()).toEqual(before);
      const { user } = (await service.call('GET', `/v1/users/${userId}`, { as: plain })).body;
      expect(user).toMatchObject(BEFORE);
      const reply = await send(body, { as: trusted });
      expect(reply.status, reply.text).toBeLessThan(300);
      expect((await lastEntry()).metadata.claims).toBe(true);
    },
  );

  it.each([
    ['PATCH /v1/users/:userId', 'an e-mail', patch, EMAIL],
    ['PATCH /v1/users/:userId', 'groups', patch, GROUPS],
    ['POST /v1/users/import', 'an e-mail', importOne, EMAIL],
    ['POST /v1/registrations', 'groups', register, { groups: ['admins'] }],
  ])(
    '%s with %s in the dashboard needs a developer who confirmed lately [step_up_required] [role_insufficient]',
    async (_, __, send, body) => {
      for (const role of ['developer', 'owner'] as const) {
        await newPerson();
        const { email, password } = role === 'owner' ? account : await addMember(service, account, role);
        const login = { body: { email, password }, address: freshAddress() };
        const session = (await service.call('POST', '/api/console/login', login)).body.token;
        service.clock.advance(FIVE_MINUTES + 1);
        const refused = await send(body, { session });
        expect([refused.status, refused.body.error]).toEqual([403, 'step_up_required']);
        const confirm = { session, body: { password }, address: freshAddress() };
        expect((await service.call('POST', '/api/console/step-up', confirm)).status).toBe(200);
        const reply = await send(body, { session });
        expect(reply.status, reply.text).toBeLessThan(300);
      }
      const auditor = await addMember(service, account, 'auditor');
      expect((await send(body, { session: auditor.token })).body.error).toBe('role_insufficient');
    },
  );

  it.each([
    ['the same values', BEFORE],
    [
      'a name, contacts and ids',
      { fullName: 'Grace', phone: '1', employeeCode: '2', externalId: randomUUID() },
    ],
    [
      'metadata that no application reads',
      { metadata: { ...BEFORE.metadata, team: 'B', work: { site: 'Hamburg', desk: 2 } } },
    ],
  ])('does not guard %s', async (_, body) => {
    const reply = await patch(body, { as: plain });
    expect([reply.status, reply.body.user]).toMatchObject([200, body]);
    expect((await lastEntry()).metadata.claims).toBe(false);
  });

  it('leaves out a line of an import whose person is there already', async () => {
    const users = [{ fullName: 'Ada', externalId: randomUUID() }];
    await service.call('POST', '/v1/users/import', { as: plain, body: { users } });
    const again = { users: [{ ...users[0], ...EMAIL }, { fullName: 'Bo' }] };
    const reply = await service.call('POST', '/v1/users/import', { as: plain, body: again });
    expect([reply.status, reply.body.users]).toEqual([200, [{ id: null }, { id: expect.any(String) }]]);
  });

  it('counts for the environment of the application alone, and only while it exists', async () => {
    const test = await service.createKey(account, 'test', ['users:write']);
    expect((await create({ ...EMAIL, metadata: { groups: ['admins'] } }, { as: test })).status).toBe(201);
    const own = await service.signUp();
    const { clientId } = await createClient({ service, account: own }, { claims: ['email'] });
    expect((await create(EMAIL, { as: own.key })).body.error).toBe('insufficient_scopes');
    await service.call('DELETE', `/api/console/oidc/clients/${clientId}`, { as: own.token });
    expect((await create(EMAIL, { as: own.key })).status).toBe(201);
  });

  it('costs no look-up where neither an e-mail nor metadata are written', async () => {
    const lookups = async (send: Promise<{ status: number }>) => {
      db.statements.length = 0;
      expect((await send).status).toBeLessThan(300);
      return db.statements.filter((text) => text.includes('oidc_clients')).length;
    };
    const by = { as: trusted };
    const others = { fullName: 'Grace', phone: '1', status: 'active' };
    for (const send of [() => create({ phone: '1' }, by), () => importOne({}, by), () => patch(others, by)])
      expect(await lookups(send())).toBe(0);
    expect(await lookups(register({ fullName: 'Ada' }, by))).toBe(0);
    expect(await lookups(patch(BEFORE, by)), 'the same values').toBe(0);
    expect(await lookups(importOne(EMAIL, by))).toBe(1);
    expect(await lookups(patch(EMAIL, by))).toBe(1);
  });
});

describe('an e-mail that a device sent [users/what-a-device-says]', () => {
  async function fromDevice(email: string) {
    const key = await deviceToken(service, await enrolWithKey(service, account));
    const { reply } = await completeCeremony(service, account, { profile: { fullName: 'Ada', email }, key });
    userId = reply.body.tenant_user.id;
    expect(reply.body.tenant_user).toMatchObject({ email, emailFromDevice: true });
  }
  const userOf = async (reply: Promise<Reply>) => {
    const { status, body } = await reply;
    return { status, email: body.user?.email, emailFromDevice: body.user?.emailFromDevice };
  };

  it('is confirmed by the same one from somebody who may write claims, and by nobody else [PATCH /v1/users/:userId]', async () => {
    await fromDevice('kiosk@example.com');
    const same = { email: 'kiosk@example.com', phone: '1' };
    expect((await patch(same, { as: plain })).status).toBe(200);
    expect(await userOf(patch({ phone: '2' }, { as: trusted }))).toMatchObject({ emailFromDevice: true });
    const confirmed = await userOf(patch(same, { as: trusted }));
    expect(confirmed).toEqual({ status: 200, email: 'kiosk@example.com', emailFromDevice: false });
    expect((await lastEntry()).metadata).toEqual({ fields: 'emailFromDevice phone', claims: true, seal });
  });

  it('asks a member who sends the same one to confirm who they are [PATCH /v1/users/:userId] [step_up_required]', async () => {
    await fromDevice('kiosk@example.com');
    const developer = await addMember(service, account, 'developer');
    service.clock.advance(FIVE_MINUTES + 1);
    const same = { email: 'kiosk@example.com' };
    expect((await patch(same, { session: developer.token })).body.error).toBe('step_up_required');
    const fresh = await logInAgain(service, developer);
    expect(await userOf(patch(same, { session: fresh.token }))).toMatchObject({ emailFromDevice: false });
  });

  it('is replaced by another, which is a claim, and may be removed by anybody who changes people', async () => {
    await fromDevice('kiosk@example.com');
    expect((await patch(EMAIL, { as: plain })).body.error).toBe('insufficient_scopes');
    expect(await userOf(patch(EMAIL, { as: trusted }))).toEqual({
      status: 200,
      ...EMAIL,
      emailFromDevice: false,
    });
    await fromDevice('other@example.com');
    expect(await userOf(patch({ email: null }, { as: plain }))).toEqual({
      ...{ status: 200, email: null, emailFromDevice: false },
    });
    expect((await lastEntry()).metadata).toEqual({ fields: 'email emailFromDevice', claims: false, seal });
  });
});
