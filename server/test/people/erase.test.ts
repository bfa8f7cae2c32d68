import { randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { completeCeremony, openCeremony, pair } from '../support/ceremony.js';
import { type FullPerson, fullPerson } from '../support/full-person.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { beforeProof, complete, type Desk, openDesk, openRecovery, runJob } from '../support/recoveries.js';
import { ADMIN_KEY, type Reply, type Service, startService } from '../support/service.js';
import {
  addPhone,
  proveAdd,
  proveIdentities,
  proveRotation,
  withNewSecret,
} from '../support/several-phones.js';

let service: Service;
let desk: Desk;
let eraser: string;
beforeAll(async () => {
  service = await startService();
  desk = await openDesk(service);
  eraser = await service.createKey(desk, 'live', ['users:erase']);
});
afterAll(() => service.close());

const erase = (userId: string, body: object = {}, as = eraser) =>
  service.call('POST', `/v1/users/${userId}/erase`, { as, body });
const seen = ({ status, body }: Reply) => [status, body.error];
const call = (method: string, path: string, body?: object) =>
  service.call(method, path, { as: desk.key, body });
const use = () => ({ tenantId: desk.tenantId });
const verify = async (phone: Parameters<typeof proveFor>[1]) =>
  service.call('POST', '/v1/identity/verify', { as: desk.key, body: await proveFor(service, phone, use()) });
const eventsAbout = (entityId: string) =>
  service.db.query<{ action: string; metadata: Record<string, unknown> }>(
    sql`select action, metadata from audit_events where entity_id = ${entityId} order by seq`,
  );

describe('erasing a person', () => {
  let person: FullPerson;
  let reply: Reply;
  beforeAll(async () => {
    person = await fullPerson(service, desk);
    reply = await erase(person.userId, { reason: 'error' });
  });

  it('leaves the id, the times and nothing else of the user [POST /v1/users/:userId/erase] [users:erase] [erasure/erasing-a-person]', async () => {
    const now = new Date(service.clock.now()).toISOString();
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({
      user: {
        ...Object.fromEntries(Object.keys(person.profile).map((field) => [field, null])),
        ...{ id: person.userId, environment: 'live', fullName: '', status: 'inactive' },
        ...{ emailFromDevice: false, nameConfirmation: null, primaryDeviceId: null },
        ...{ siteId: null, attendanceFrom: null },
        ...{ createdAt: reply.body.user.createdAt, updatedAt: now, erasedAt: now },
      },
      erasure: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), erasedAt: now },
    });
    expect((await call('GET', `/v1/users/${person.userId}`)).body.user).toEqual(reply.body.user);
  });

  it('is audited with its reason and how many events lost their text [user.erased] [erasure/erasing-a-person]', async () => {
    const [event] = (await eventsAbout(person.userId)).filter(({ action }) => action === 'user.erased');
    expect(event?.metadata).toEqual({
      ...{ erasureId: reply.body.erasure.id, reason: 'error', events: 'strip' },
      // The sign-in names its pairing as its reference.
      ...{ verifications: 2, attendance: 1 },
    });
    const revoked = await service.db.query(sql`select 1 from audit_events where tenant_id = ${desk.tenantId}
      and action in ('identity.revoked', 'device.revoked') and metadata ->> 'by' = 'erasure'`);
    expect(revoked).toHaveLength(3);
  });

  it('keeps the events with their ids, results and times, and strips their text [erasure/erasing-a-person]', async () => {
    const { verification } = (await call('GET', `/v1/verifications/${person.verificationId}`)).body;
    expect(verification).toMatchObject({
      ...{ userId: person.userId, method: 'fingerprint', result: 'pass' },
      ...{ reason: null, referenceId: null, metadata: null },
    });
    const { attendance } = (await call('GET', `/v1/attendance?userId=${person.userId}`)).body;
    expect(attendance).toMatchObject([{ userId: person.userId, type: 'check_in', metadata: null }]);
  });

  it('returns the same erasure when it is repeated, and writes nothing [erasure/erasing-a-person]', async () => {
    const before = await eventsAbout(person.userId);
    service.clock.advance(1000);
    const again = await erase(person.userId, { reason: 'retention', events: 'keep' });
    expect(again.body).toEqual(reply.body);
    expect(await eventsAbout(person.userId)).toEqual(before);
  });

  it.each<[string, string, (userId: string) => object]>([
    ['PATCH', '/v1/users/:id', () => ({ fullName: 'Ada' })],
    ['POST', '/v1/verifications', (userId) => ({ userId, method: 'manual', result: 'pass' })],
    ['POST', '/v1/attendance', (userId) => ({ userId, type: 'check_in' })],
    ['POST', '/v1/registrations', (userId) => ({ userId })],
  ])(
    '%s %s returns 409 for the person [user_erased] [erasure/erasing-a-person]',
    async (method, path, body) => {
      const { userId } = person;
      expect(seen(await call(method, path.replace(':id', userId), body(userId)))).toEqual([
        409,
        'user_erased',
      ]);
    },
  );

  it('gives the phones of the person the same 401 as strangers, whatever they try [erasure/erasing-a-person]', async () => {
    const old: Person = { ...person, userId: person.userId };
    const pairing = await openPairing(service, desk.key);
    const bound = { ...use(), sessionId: pairing.id, nonce: pairing.nonce };
    const joining = createIdentity();
    const attempts = [
      await verify(old),
      await verify(person.second),
      await submit(service, desk.key, pairing.id, await proveForPairing(old, bound)),
      await service.call('POST', '/v1/identity/add', {
        as: desk.key,
        body: await proveAdd(service, old, joining, use()),
      }),
      await service.call('POST', '/v1/identity/rotate', {
        as: desk.key,
        body: await proveRotation(service, old, withNewSecret(old), use()),
      }),
      await service.call('POST', '/v1/phone/identity/list', {
        body: {
          tenantId: desk.tenantId,
          environment: 'live',
          ...(await proveIdentities(service, old, use())),
        },
      }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('never lets anybody use the DIDs and commitments of the person again [erasure/names-stay-taken]', async () => {
    const fresh = createIdentity();
    const register = (did: string, commitment: string) =>
      call('POST', '/v1/identity/register', { did, commitment });
    expect(seen(await register(person.did, fresh.commitment))).toEqual([409, 'did_already_registered']);
    expect(seen(await register(fresh.did, person.commitment))).toEqual([
      409,
      'commitment_already_registered',
    ]);
    expect((await register(fresh.did, fresh.commitment)).status).toBe(201);
    const other = await registerPerson(service, desk.key);
    const added = await service.call('POST', '/v1/identity/add', {
      as: desk.key,
      body: await proveAdd(service, other, person.second, use()),
    });
    expect(seen(added)).toEqual([409, 'did_already_registered']);
    const rotated = await service.call('POST', '/v1/identity/rotate', {
      as: desk.key,
      body: await proveRotation(service, other, { ...other, ...secretOf(person) }, use()),
    });
    expect(seen(rotated)).toEqual([409, 'commitment_already_registered']);
  });

  it('lets the account register the person again as somebody new, with the same externalId [erasure/erasing-a-person]', async () => {
    const { externalId } = person.profile;
    const created = await call('POST', '/v1/users', { fullName: 'Ada again', externalId });
    expect(created.status).toBe(201);
    expect(created.body.user.id).not.toBe(person.userId);
  });
});

const secretOf = ({ biometricSecret, salt, commitment }: Person) => ({ biometricSecret, salt, commitment });

describe('an erasure', () => {
  it('keeps the text of events if the request says so [erasure/erasing-a-person]', async () => {
    const person = await fullPerson(service, desk);
    expect((await erase(person.userId, { events: 'keep' })).status).toBe(200);
    const { verification } = (await call('GET', `/v1/verifications/${person.verificationId}`)).body;
    expect(verification).toMatchObject({
      reason: expect.stringContaining('reason '),
      metadata: expect.anything(),
    });
  });

  it('keeps the reason codes that the service itself has recorded [erasure/erasing-a-person]', async () => {
    const person = await registerPerson(service, desk.key);
    await service.db.query(sql`update tenant_users set status = 'inactive' where id = ${person.userId}`);
    expect((await verify(person)).status).toBe(401);
    const before = (await call('GET', `/v1/verifications?userId=${person.userId}`)).body.verifications;
    await erase(person.userId);
    const after = (await call('GET', `/v1/verifications?userId=${person.userId}`)).body.verifications;
    expect(after).toEqual(before);
  });

  it('ends the open registration and the open recovery of the person, and the job completes nothing [erasure/erasing-a-person]', async () => {
    const [person, other] = [
      await registerPerson(service, desk.key),
      await registerPerson(service, desk.key),
    ];
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const waiting = await beforeProof(service, desk, other.userId, desk.byRecoverer);
    for (const { userId } of [person, other]) expect((await erase(userId)).status).toBe(200);
    service.clock.advance(25 * 3_600_000);
    await runJob(service);
    const stateOf = async (id: string) => (await call('GET', `/v1/registrations/${id}`)).body.session.state;
    expect([await stateOf(c.id), await stateOf(waiting.id)]).toEqual(['abandoned', 'abandoned']);
    expect((await complete(service, waiting)).status).toBe(404);
    expect((await verify(c.identity)).status).toBe(401);
  });

  it('ends a registration whose time is over, before housekeeping does [erasure/erasing-a-person]', async () => {
    const { userId } = await registerPerson(service, desk.key);
    const waiting = await beforeProof(service, desk, userId, desk.byRecoverer);
    service.clock.advance(31 * 60_000);
    expect((await erase(userId)).status).toBe(200);
    const { session } = (await call('GET', `/v1/registrations/${waiting.id}`)).body;
    expect(session).toMatchObject({ state: 'expired', did: null, commitment: null });
  });

  it('finds the registrations that have the externalId and no user, also open ones, and exports them before [erasure/erasing-a-person] [erasure/exporting-a-person]', async () => {
    const externalId = `external-${randomUUID()}`;
    const profile = { externalId, fullName: 'Ada Lovelace', email: 'ada@example.com' };
    const c = await openCeremony(service, desk, { profile });
    await pair(service, c);
    const created = await call('POST', '/v1/users', { fullName: 'Ada', externalId });
    const userId = created.body.user.id;
    const exported = JSON.parse((await call('GET', `/v1/users/${userId}/export`)).text);
    expect(exported.registrations).toMatchObject([{ profile }]);
    expect(exported.devices).toMatchObject([{ fingerprint: c.fingerprint }]);
    expect((await erase(userId)).status).toBe(200);
    const { session } = (await call('GET', `/v1/registrations/${c.id}`)).body;
    expect(session).toMatchObject({ state: 'abandoned', profile: null });
    const [device] = await service.db.query<{ fingerprint: string | null }>(
      sql`select fingerprint from devices where id = ${c.deviceId ?? null}`,
    );
    expect(device?.fingerprint).toBeNull();
  });

  it('leaves the registration of somebody else who had the same externalId before [erasure/erasing-a-person]', async () => {
    const externalId = `external-${randomUUID()}`;
    const { reply } = await completeCeremony(service, desk, { profile: { externalId, fullName: 'Grace' } });
    const other = reply.body.tenant_user.id;
    await call('PATCH', `/v1/users/${other}`, { externalId: `${externalId}-new` });
    const { user } = (await call('POST', '/v1/users', { fullName: 'Ada', externalId })).body;
    expect((await erase(user.id)).status).toBe(200);
    const exported = JSON.parse((await call('GET', `/v1/users/${other}/export`)).text);
    expect(exported.registrations).toMatchObject([{ profile: { fullName: 'Grace' } }]);
  });

  it('removes what a phone says that was created for the person, but not one that others use too [erasure/erasing-a-person]', async () => {
    const device = async (name: string) =>
      (await call('POST', '/v1/devices', { name, deviceType: 'mobile_ios' })).body.device.id as string;
    const [own, shared] = [await device('Ada’s phone'), await device('Shared phone')];
    const user = async (primaryDeviceId: string) =>
      (await call('POST', '/v1/users', { fullName: 'Ada', primaryDeviceId })).body.user.id as string;
    const [first, second] = [await user(own), await user(shared)];
    await user(shared);
    for (const id of [first, second]) expect((await erase(id)).status).toBe(200);
    const nameOf = async (id: string) => (await call('GET', `/v1/devices/${id}`)).body.device.name;
    expect([await nameOf(own), await nameOf(shared)]).toEqual(['Phone', 'Shared phone']);
  });

  it('ends the sign-ins at OpenID clients, has the clients told, and deletes what the provider keeps of them [erasure/erasing-a-person]', async () => {
    const person = await registerPerson(service, desk.key);
    const [client, grant] = [randomUUID(), randomUUID()];
    const later = new Date(service.clock.now() + 3_600_000);
    await service.db.query(sql`insert into oidc_grants (tenant_id, environment, id, client_id, user_id, identity_id, verification_id,
        scope, created_at, expires_at)
      select tenant_id, environment, ${grant}, ${client}, user_id, id, gen_random_uuid(), 'openid', created_at, ${later}
      from identities where user_id = ${person.userId}`);
    await service.db.query(sql`insert into oidc_state (tenant_id, environment, id, kind, payload, grant_id, expires_at)
      values (${desk.tenantId}, 'live', ${`state-${grant}`}, 'AccessToken', 'v1.sealed', ${grant}, ${later})`);
    expect((await erase(person.userId)).status).toBe(200);
    const [row] = await service.db.query<Record<string, unknown>>(sql`select ended_at is not null as ended,
      logout_at is not null as told, (select count(*)::int from oidc_state where grant_id = ${grant}) as states
      from oidc_grants where id = ${grant}`);
    expect(row).toEqual({ ended: true, told: true, states: 0 });
  });

  it('returns 404 to a repeated registration whose person was erased since [identity_not_found] [erasure/erasing-a-person]', async () => {
    const { did, commitment } = createIdentity();
    const headers = { 'idempotency-key': randomUUID() };
    const register = () =>
      service.call('POST', '/v1/identity/register', { as: desk.key, body: { did, commitment }, headers });
    const { userId } = (await register()).body;
    await erase(userId);
    expect(seen(await register())).toEqual([404, 'identity_not_found']);
  });

  it('needs users:erase, which no default key has, and finds no user of another account or environment [insufficient_scopes] [erasure/erasing-a-person]', async () => {
    const own = await openDesk(service);
    const { userId } = await registerPerson(service, own.key);
    expect(seen(await erase(userId, {}, own.key))).toEqual([403, 'insufficient_scopes']);
    const test = await service.createKey(own, 'test', ['users:erase']);
    expect(seen(await erase(userId, {}, test))).toEqual([404, 'user_not_found']);
    const stranger = await service.signUp({ plan: 'enterprise' });
    const theirs = await service.createKey(stranger, 'live', ['users:erase']);
    expect(seen(await erase(userId, {}, theirs))).toEqual([404, 'user_not_found']);
    for (const body of [{ reason: 'other' }, { events: 'drop' }, { more: 1 }])
      expect(seen(await erase(userId, body))).toEqual([400, 'invalid_request']);
    const untouched = await service.call('GET', `/v1/users/${userId}`, { as: own.key });
    expect(untouched.body.user).toMatchObject({ status: 'active', erasedAt: null });
  });

  it('limit: 100 people a key and day, then 429 with Retry-After [POST /v1/users/:userId/erase] [erasure/erasing-a-person]', {
    tags: ['ci'],
  }, async () => {
    const own = await openDesk(service);
    const [one, other] = [
      await service.createKey(own, 'live', ['users:erase']),
      await service.createKey(own, 'live', ['users:erase']),
    ];
    const created = async () =>
      (await service.call('POST', '/v1/users', { as: own.key, body: { fullName: 'Ada' } })).body.user.id;
    const ids = await Promise.all(Array.from({ length: 101 }, created));
    for (const id of ids.slice(0, 100)) expect((await erase(id, {}, one)).status).toBe(200);
    const refused = await erase(ids[100], {}, one);
    expect([...seen(refused), refused.headers['retry-after']]).toEqual([429, 'rate_limit_exceeded', '86400']);
    expect((await erase(ids[0], {}, one)).status).toBe(200);
    expect((await erase(ids[100], {}, other)).status).toBe(200);
    service.clock.advance(24 * 3_600_000);
    expect((await erase(await created(), {}, one)).status).toBe(200);
  });

  it('is what integrity expects of the audit chain: nothing, unless somebody undoes or fakes it [identity_changed] [erasure_undone] [erasure_unaudited] [erasure/erasing-a-person]', async () => {
    const own = await openDesk(service);
    const key = await service.createKey(own, 'live', ['users:erase']);
    const people = [await registerPerson(service, own.key), await registerPerson(service, own.key)];
    const second = await addPhone(service, own, people[0]!);
    expect(second.userId).toBe(people[0]!.userId);
    await erase(people[0]!.userId, {}, key);
    service.clock.advance(3_600_000);
    await registerPerson(service, own.key);
    const check = async () => {
      const { chains } = (
        await service.call('GET', `/api/admin/audit-integrity?tenantId=${own.tenantId}&environment=live`, {
          headers: { 'x-api-key': ADMIN_KEY },
        })
      ).body;
      return chains[0].reason ?? chains[0].status;
    };
    expect(await check()).toBe('pass');
    const change = (text: ReturnType<typeof sql>) => service.db.query(text);
    await change(sql`update tenant_users set erased_at = null where id = ${people[0]!.userId}`);
    expect(await check()).toBe('erasure_undone');
    const long = new Date(service.clock.now() - 3_600_000);
    await change(sql`update tenant_users set erased_at = ${long} where id = ${people[0]!.userId}`);
    expect(await check()).toBe('pass');
    await change(
      sql`update identities set did = null, commitment = null where user_id = ${people[1]!.userId}`,
    );
    await change(sql`update identity_commitments set commitment = null, salt = null
      where identity_id in (select id from identities where user_id = ${people[1]!.userId})`);
    expect(await check()).toBe('identity_changed');
    await change(sql`update tenant_users set erased_at = ${long} where id = ${people[1]!.userId}`);
    expect(await check()).toBe('erasure_unaudited');
  });
});
