import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { expireSessions } from '../../src/features/registrations/registrations.js';
import { completeCeremony } from '../support/ceremony.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import {
  beforeProof,
  complete,
  type Desk,
  eventsSince,
  HOUR_MS,
  headOf,
  openDesk,
  openFor,
  openRecovery,
  runJob,
  setPolicy,
} from '../support/recoveries.js';
import { type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let desk: Desk;
let person: Person;
beforeAll(async () => {
  service = await startService();
  desk = await openDesk(service);
});
beforeEach(async () => {
  person = await registerPerson(service, desk.clerk);
});
afterAll(() => service.close());

/** The clock has moved on, so the console token of the sign-up has expired. */
const logIn = async ({ email, password }: Desk): Promise<Desk> => {
  const { body } = await service.call('POST', '/api/console/login', { body: { email, password } });
  return { ...desk, token: body.token };
};
const call = (method: string, path: string, as = desk.recoverer, body?: object) =>
  service.call(method, path, { as, ...(body && { body }) });
const seen = (reply: Reply) => [reply.status, reply.body.error];
const confirm = (id: string, as?: string) => call('POST', `/v1/recoveries/${id}/confirm`, as);
const cancel = (id: string, as?: string) => call('POST', `/v1/recoveries/${id}/cancel`, as);
const stateOf = async (id: string) => (await call('GET', `/v1/registrations/${id}`)).body.session.state;
const recoveryOf = async (id: string) =>
  (await call('GET', '/v1/recoveries?limit=100')).body.recoveries.find(
    (recovery: { id: string }) => recovery.id === id,
  );
const verify = async (identity: Parameters<typeof proveFor>[1]) =>
  service.call('POST', '/v1/identity/verify', {
    as: desk.clerk,
    body: await proveFor(service, identity, { tenantId: desk.tenantId }),
  });
const identityRow = async (did: string) =>
  (await service.db.query<{ revoked_at: Date | null }>(sql`select * from identities where did = ${did}`))[0];

describe('a registration for an existing person', () => {
  it('needs users:recover if the person ever had an identity and the account protects identities [POST /v1/registrations] [users:recover] [registrations/existing-person]', async () => {
    const refused = await openFor(service, person.userId, desk.byClerk);
    expect(seen(refused)).toEqual([403, 'insufficient_scopes']);
    const opened = await openFor(service, person.userId, desk.byRecoverer);
    expect(opened.status).toBe(201);
    expect(opened.body.session).toMatchObject({
      user_id: person.userId,
      recovers: true,
      completes_at: null,
      contested_at: null,
    });
    await call('POST', '/v1/identity/revoke', desk.clerk, { did: person.did });
    expect(seen(await openFor(service, person.userId, desk.byClerk))).toEqual([403, 'insufficient_scopes']);
    const owner = await openFor(service, person.userId, { session: desk.token });
    expect(seen(owner)).toEqual([201, undefined]);
  });

  it('needs users:write alone for somebody who never had an identity, and is no recovery [registrations/existing-person]', async () => {
    const { body } = await call('POST', '/v1/users', desk.clerk, { fullName: 'Grace' });
    const { id } = body.user;
    const c = await beforeProof(service, desk, id, desk.byClerk);
    const reply = await complete(service, c);
    expect(reply.body).toMatchObject({
      state: 'completed',
      tenant_user: { id, fullName: 'Grace', primaryDeviceId: c.deviceId },
      enrolment: { userId: id },
    });
    expect((await call('GET', `/v1/registrations/${c.id}`)).body.session).toMatchObject({
      state: 'completed',
      recovers: false,
      user_id: id,
    });
    expect((await verify(c.identity)).status).toBe(200);
  });

  it('returns 404 for an unknown person, and 400 beside a profile [user_not_found] [registrations/existing-person]', async () => {
    const stranger = await openDesk(service);
    expect(seen(await openFor(service, person.userId, stranger.byRecoverer))).toEqual([
      404,
      'user_not_found',
    ]);
    const test = await service.createKey(desk, 'test', ['users:write', 'users:recover']);
    expect(seen(await openFor(service, person.userId, { as: test }))).toEqual([404, 'user_not_found']);
    const both = await openFor(service, person.userId, desk.byRecoverer, { profile: { fullName: 'Eve' } });
    expect(seen(both)).toEqual([400, 'invalid_request']);
    expect((await openFor(service, person.userId, desk.byRecoverer, { profile: {} })).status).toBe(201);
  });

  it('adds an identity directly where the account does not protect them, up to max_identities [identity_limit_reached] [registrations/existing-person]', async () => {
    const own = await openDesk(service);
    await setPolicy(service, own, { max_identities: 2 });
    const first = await registerPerson(service, own.clerk);
    const c = await beforeProof(service, own, first.userId, own.byClerk);
    const late = await beforeProof(service, own, first.userId, own.byClerk);
    expect((await complete(service, c)).body).toMatchObject({ state: 'completed' });
    expect(seen(await complete(service, late))).toEqual([404, 'verify_failed']);
    expect(seen(await openFor(service, first.userId, own.byClerk))).toEqual([409, 'identity_limit_reached']);
    expect((await identityRow(first.did))?.revoked_at).toBeNull();
  });

  it('gives no second identity to a person who got one after it was opened [registrations/existing-person]', async () => {
    const { body } = await call('POST', '/v1/users', desk.clerk, { fullName: 'Grace' });
    const first = await beforeProof(service, desk, body.user.id, desk.byClerk);
    const second = await beforeProof(service, desk, body.user.id, desk.byClerk);
    expect((await complete(service, first)).status).toBe(201);
    expect(seen(await complete(service, second))).toEqual([404, 'verify_failed']);
    expect((await verify(second.identity)).status).toBe(401);
  });
});

describe('registering onto a person who ever had an identity', () => {
  it('returns 409 recovery_required where the account protects identities [POST /v1/identity/register] [recovery_required] [registrations/existing-person]', async () => {
    const externalId = `e-${person.userId}`;
    const register = (as: string) => {
      const { did, commitment } = createIdentity();
      return call('POST', '/v1/identity/register', as, { did, commitment, externalId });
    };
    expect((await register(desk.clerk)).status).toBe(201);
    expect(seen(await register(desk.clerk))).toEqual([409, 'recovery_required']);
    const own = await openDesk(service);
    await setPolicy(service, own, {});
    expect((await register(own.clerk)).status).toBe(201);
    expect(seen(await register(own.clerk))).toEqual([409, 'external_id_conflict']);
  });
});

describe('a recovery', () => {
  it('waits, then replaces the identities of the person [Registration session: awaiting_verification → pending_recovery] [Registration session: pending_recovery → completed] [POST /v1/registrations/complete] [identity.recovery_opened] [identity.recovery_completed] [registrations/existing-person] [recoveries/recoveries]', async () => {
    const session = (await verify(person)).body;
    const before = await headOf(service, desk);
    const { c, reply } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const completesAt = new Date(service.clock.now() + 24 * HOUR_MS).toISOString();
    expect(reply.body).toMatchObject({
      session_id: c.id,
      state: 'pending_recovery',
      completesAt,
      tenant_user: { id: person.userId },
      device: { id: c.deviceId, enrollment_state: 'enrolled' },
      enrolment: { userId: person.userId, seq: null },
    });
    const { identityId, leaf } = reply.body.enrolment;
    expect((await call('GET', `/v1/registrations/${c.id}`)).body.session).toMatchObject({
      state: 'pending_recovery',
      recovers: true,
      completes_at: completesAt,
    });
    expect(await recoveryOf(c.id)).toEqual({
      id: c.id,
      userId: person.userId,
      userName: 'Unnamed',
      state: 'pending_recovery',
      openedAt: new Date(service.clock.now()).toISOString(),
      openedBy: null,
      completesAt,
      contestedAt: null,
      confirmedAt: null,
      held: false,
      confirmationsNeeded: 0,
      confirmedBy: [],
      deviceId: c.deviceId,
      did: c.identity.did,
    });
    expect((await verify(c.identity)).status).toBe(401);
    expect((await verify(person)).status).toBe(200);

    service.clock.advance(24 * HOUR_MS - 1);
    await expireSessions(service.app.deps);
    await runJob(service);
    expect(await stateOf(c.id)).toBe('pending_recovery');
    service.clock.advance(1);
    await runJob(service);
    expect(await stateOf(c.id)).toBe('completed');
    expect((await verify(person)).status).toBe(401);
    expect((await verify(c.identity)).status).toBe(200);
    const me = await service.call('GET', '/v1/identity/me', {
      as: desk.clerk,
      headers: { 'x-session-token': session.accessToken },
    });
    expect(me.status).toBe(401);
    const user = (await call('GET', `/v1/users/${person.userId}`, desk.clerk)).body.user;
    expect(user.primaryDeviceId).toBe(c.deviceId);

    const events = (await eventsSince(service, desk, before)).filter(({ action }) =>
      /^(identity\.re|registration\.completed|device\.enrolled)/.test(action),
    );
    const old = await identityRow(person.did);
    const seal = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(events.map(({ metadata, ...event }) => [...Object.values(event), metadata])).toEqual([
      ['device.enrolled', 'phone', 'device', c.deviceId, { seal }],
      [
        'identity.recovery_opened',
        'phone',
        'recovery',
        c.id,
        {
          ...{ userId: person.userId, identityId, deviceId: c.deviceId, pending_leaf: leaf },
          completes_at: completesAt,
        },
      ],
      [
        'registration.completed',
        'system',
        'registration',
        c.id,
        {
          ...{ deviceId: c.deviceId, tries: 1, identityId, userId: person.userId, identity_leaf: leaf },
          ...{ seal, seal_user: seal },
        },
      ],
      ['identity.revoked', 'system', 'identity', (old as unknown as { id: string }).id, { by: 'recovery' }],
      ['identity.recovery_completed', 'system', 'recovery', c.id, { userId: person.userId, identityId }],
    ]);
  });

  it('is one a person at a time: a second proof returns the uniform 404 [recoveries/recoveries]', async () => {
    const first = await beforeProof(service, desk, person.userId, desk.byRecoverer);
    const second = await beforeProof(service, desk, person.userId, desk.byRecoverer);
    expect((await complete(service, first)).status).toBe(201);
    expect(seen(await complete(service, second))).toEqual([404, 'verify_failed']);
    expect((await cancel(first.id)).status).toBe(200);
    expect((await complete(service, second)).body.state).toBe('pending_recovery');
  });

  it('is completed by the next run without a cool-down [recoveries/recoveries]', async () => {
    const own = await openDesk(service);
    await setPolicy(service, own, { protect_identities: true, recovery_cooldown_hours: 0 });
    const other = await registerPerson(service, own.clerk);
    const { c } = await openRecovery(service, own, other.userId, own.byRecoverer);
    await runJob(service);
    expect((await call('GET', `/v1/registrations/${c.id}`, own.recoverer)).body.session.state).toBe(
      'completed',
    );
  });

  it('keeps its time when the policy changes, and when the clock is set back [recoveries/recoveries]', async () => {
    const own = await openDesk(service);
    const other = await registerPerson(service, own.clerk);
    const { c } = await openRecovery(service, own, other.userId, own.byRecoverer);
    await setPolicy(service, own, { protect_identities: true, recovery_cooldown_hours: 0 });
    const state = async () =>
      (await call('GET', `/v1/registrations/${c.id}`, own.recoverer)).body.session.state;
    await runJob(service);
    service.clock.advance(-HOUR_MS);
    await runJob(service);
    service.clock.advance(24 * HOUR_MS);
    await runJob(service);
    expect(await state()).toBe('pending_recovery');
    service.clock.advance(HOUR_MS);
    await runJob(service);
    expect(await state()).toBe('completed');
  });

  it('outlives the ceremony, whose codes are worthless after its proof [recoveries/recoveries]', async () => {
    const c = await beforeProof(service, desk, person.userId, desk.byRecoverer);
    expect((await complete(service, c)).status).toBe(201);
    expect(seen(await complete(service, c))).toEqual([404, 'verify_failed']);
    service.clock.advance(HOUR_MS);
    await expireSessions(service.app.deps);
    expect(await stateOf(c.id)).toBe('pending_recovery');
    const listed = await call('GET', '/v1/registrations?state=pending_recovery&limit=100');
    expect(listed.body.registrations.map(({ id }: { id: string }) => id)).toContain(c.id);
  });

  it.each([
    ['POST /v1/recoveries/:id/cancel', (id: string) => cancel(id)],
    ['DELETE /v1/registrations/:id', (id: string) => call('DELETE', `/v1/registrations/${id}`)],
  ])(
    'is cancelled by %s, which releases its DID and commitment [Registration session: pending_recovery → abandoned] [identity.recovery_cancelled] [recoveries/recoveries]',
    async (_, end) => {
      const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
      const before = await headOf(service, desk);
      const reply = await end(c.id);
      expect(reply.status).toBe(200);
      expect((reply.body.recovery ?? reply.body.session).state).toBe('abandoned');
      expect((await eventsSince(service, desk, before)).map(({ action }) => action).sort()).toEqual([
        'identity.recovery_cancelled',
        'registration.abandoned',
      ]);
      expect(await identityRow(c.identity.did)).toBeUndefined();
      const device = await call('GET', `/v1/devices/${c.deviceId}`, desk.clerk);
      expect(device.body.device.enrollment_state).toBe('revoked');
      service.clock.advance(25 * HOUR_MS);
      await runJob(service);
      expect((await verify(person)).status).toBe(200);
      expect(seen(await cancel(c.id))).toEqual([409, 'recovery_closed']);
      expect(seen(await confirm(c.id))).toEqual([409, 'recovery_closed']);
      const again = await call('POST', '/v1/identity/register', desk.clerk, {
        did: c.identity.did,
        commitment: c.identity.commitment,
      });
      expect(again.status).toBe(201);
    },
  );

  it('keeps its DID and commitment from others until it ends [did_already_registered] [recoveries/recoveries]', async () => {
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const taken = await call('POST', '/v1/identity/register', desk.clerk, {
      did: c.identity.did,
      commitment: createIdentity().commitment,
    });
    expect(seen(taken)).toEqual([409, 'did_already_registered']);
  });

  it('ends without success if its phone is revoked before its time [recoveries/recoveries]', async () => {
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const { token } = await logIn(desk);
    expect((await call('DELETE', `/api/console/devices/${c.deviceId}`, token)).status).toBe(200);
    await runJob(service);
    expect(await stateOf(c.id)).toBe('abandoned');
    expect((await verify(person)).status).toBe(200);
  });

  it('waits while its account is suspended, because nobody can contest it then [recoveries/recoveries]', async () => {
    const own = await openDesk(service);
    const other = await registerPerson(service, own.clerk);
    const { c } = await openRecovery(service, own, other.userId, own.byRecoverer);
    await service.setStatus(own, 'suspended');
    service.clock.advance(25 * HOUR_MS);
    await runJob(service);
    await service.setStatus(own, 'active');
    const state = async () =>
      (await call('GET', `/v1/registrations/${c.id}`, own.recoverer)).body.session.state;
    expect(await state()).toBe('pending_recovery');
    await runJob(service);
    expect(await state()).toBe('completed');
  });

  it('is completed in batches, and one that fails does not stop the others [recoveries/recoveries]', async () => {
    const own = await openDesk(service);
    await setPolicy(service, own, { protect_identities: true, recovery_cooldown_hours: 0 });
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson(service, own.clerk)));
    const opened = [];
    for (const { userId } of people)
      opened.push((await openRecovery(service, own, userId, own.byRecoverer)).c);
    const [broken, ...others] = opened;
    // Somebody with the database puts another commitment into the identity that waits.
    await service.db.query(
      sql`update identities set commitment = ${createIdentity().commitment} where did = ${broken!.identity.did}`,
    );
    const { completeRecoveries } = await import('../../src/features/registrations/recoveries/recoveries.js');
    await completeRecoveries(service.app.deps, 1);
    const states = await Promise.all(
      opened.map(
        async ({ id }) => (await call('GET', `/v1/registrations/${id}`, own.recoverer)).body.session.state,
      ),
    );
    expect(states).toEqual(['pending_recovery', ...others.map(() => 'completed')]);
    expect(service.logged.join('\n')).toContain('a recovery could not be completed');
  });
});

describe('recoveries', () => {
  it('are listed newest first, by state, in pages, with users:recover only [GET /v1/recoveries] [recoveries/recoveries]', async () => {
    const own = await openDesk(service);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      const { userId } = await registerPerson(service, own.clerk);
      ids.unshift((await openRecovery(service, own, userId, own.byRecoverer)).c.id);
    }
    await cancel(ids[1] as string, own.recoverer);
    const list = async (query: string, as = own.recoverer) => call('GET', `/v1/recoveries${query}`, as);
    const idsOf = (reply: Reply) => reply.body.recoveries.map(({ id }: { id: string }) => id);
    expect(idsOf(await list(''))).toEqual(ids);
    expect(idsOf(await list('?state=pending_recovery'))).toEqual([ids[0], ids[2]]);
    expect(idsOf(await list('?state=abandoned'))).toEqual([ids[1]]);
    const page = await list('?limit=2');
    expect(idsOf(await list(`?limit=2&cursor=${page.body.nextCursor}`))).toEqual([ids[2]]);
    expect(seen(await list('', own.clerk))).toEqual([403, 'insufficient_scopes']);
    expect(idsOf(await list('', desk.recoverer))).not.toContain(ids[0]);
    const test = await service.createKey(own, 'test', ['users:recover']);
    expect(idsOf(await list('', test))).toEqual([]);
  });

  it('belong to their account and environment, and a ceremony is none [POST /v1/recoveries/:id/confirm] [POST /v1/recoveries/:id/cancel] [recovery_not_found] [recoveries/recoveries]', async () => {
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const stranger = await openDesk(service);
    const test = await service.createKey(await logIn(desk), 'test', ['users:recover']);
    const { c: ordinary } = await completeCeremony(service, desk);
    for (const act of [confirm, cancel]) {
      expect(seen(await act(c.id, stranger.recoverer))).toEqual([404, 'recovery_not_found']);
      expect(seen(await act(c.id, test))).toEqual([404, 'recovery_not_found']);
      expect(seen(await act(ordinary.id))).toEqual([404, 'recovery_not_found']);
      expect(seen(await act('x'))).toEqual([404, 'recovery_not_found']);
      expect(seen(await act(c.id, desk.clerk))).toEqual([403, 'insufficient_scopes']);
    }
    expect(await stateOf(c.id)).toBe('pending_recovery');
  });

  it('that nobody has contested are not confirmed in advance [recoveries/recoveries]', async () => {
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const before = await headOf(service, desk);
    expect((await confirm(c.id)).body.recovery).toMatchObject({ confirmedAt: null, held: false });
    expect(await headOf(service, desk)).toBe(before);
  });
});
