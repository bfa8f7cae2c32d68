import { randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import type { VerifierPool } from '@svc/zk/verifier/pool';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import {
  type Desk,
  eventsSince,
  HOUR_MS,
  headOf,
  openDesk,
  openRecovery,
  runJob,
} from '../support/recoveries.js';
import { freshAddress, type Reply, type Service, sharedVerifier, startService } from '../support/service.js';
import { proveContest, proveRevocation } from '../support/several-phones.js';

let db: CountingDatabase;
let reserved = 0;
let service: Service;
let desk: Desk;
let person: Person;
let recovery: Awaited<ReturnType<typeof openRecovery>>;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  const pool = await sharedVerifier();
  const verifier: VerifierPool = {
    ...pool,
    reserve(source) {
      reserved += 1;
      return pool.reserve(source);
    },
  };
  service = await startService({ db, verifier });
  desk = await openDesk(service);
});
beforeEach(async () => {
  person = await registerPerson(service, desk.clerk);
  recovery = await openRecovery(service, desk, person.userId, desk.byRecoverer);
});
afterAll(() => service.close());

const call = (method: string, path: string, as = desk.recoverer, body?: object) =>
  service.call(method, path, { as, ...(body && { body }) });
const seen = (reply: Reply) => [reply.status, reply.body.error];
const send = (id: string, body: object, address = freshAddress()) =>
  service.call('POST', `/v1/phone/recoveries/${id}/contest`, { body, address });
const contestBy = async (phone: Person, id = recovery.c.id) =>
  send(id, await proveContest(service, phone, id, { tenantId: desk.tenantId }));
const stateOf = async (id = recovery.c.id) =>
  (await call('GET', `/v1/registrations/${id}`)).body.session.state;
const recoveryOf = async (id = recovery.c.id) =>
  (await call('GET', '/v1/recoveries?limit=100')).body.recoveries.find(
    (row: { id: string }) => row.id === id,
  );
const revoke = (did = person.did) => call('POST', '/v1/identity/revoke', desk.clerk, { did });
const verify = async (phone: Parameters<typeof proveFor>[1]) =>
  (
    await service.call('POST', '/v1/identity/verify', {
      as: desk.clerk,
      body: await proveFor(service, phone, { tenantId: desk.tenantId }),
    })
  ).status;

describe('a phone in use', () => {
  it('ends the recovery of its person, and releases its DID [POST /v1/phone/recoveries/:id/contest] [identity.recovery_contested] [recoveries/contests]', async () => {
    const before = await headOf(service, desk);
    const reply = await contestBy(person);
    expect([reply.status, reply.body]).toEqual([
      200,
      { recovery: { id: recovery.c.id, state: 'abandoned' } },
    ]);
    const events = await eventsSince(service, desk, before);
    expect(events.map(({ action, actor_type }) => `${action} ${actor_type}`)).toEqual([
      'registration.abandoned phone',
      'identity.recovery_contested phone',
    ]);
    expect(events[1]?.metadata).toEqual({ held: false, userId: person.userId });
    service.clock.advance(25 * HOUR_MS);
    await runJob(service);
    expect(await stateOf()).toBe('abandoned');
    expect([await verify(person), await verify(recovery.c.identity)]).toEqual([200, 401]);
    const device = await call('GET', `/v1/devices/${recovery.c.deviceId}`, desk.clerk);
    expect(device.body.device.enrollment_state).toBe('revoked');
    const again = await call('POST', '/v1/identity/register', desk.clerk, {
      did: recovery.c.identity.did,
      commitment: recovery.c.identity.commitment,
    });
    expect(again.status).toBe(201);
  });

  it('can contest until the job has run, also after the cool-down [recoveries/contests]', async () => {
    service.clock.advance(25 * HOUR_MS);
    expect((await contestBy(person)).body.recovery.state).toBe('abandoned');
    await runJob(service);
    expect(await stateOf()).toBe('abandoned');
  });

  it('gets 409 for a recovery that has ended, and its nonce stays unspent [recovery_closed] [recoveries/contests]', async () => {
    await call('POST', `/v1/recoveries/${recovery.c.id}/cancel`);
    const body = await proveContest(service, person, recovery.c.id, { tenantId: desk.tenantId });
    for (let time = 0; time < 2; time++)
      expect(seen(await send(recovery.c.id, body))).toEqual([409, 'recovery_closed']);
    const spent = await db.query(sql`select 1 from spent_nonces where nonce = ${body.nonce}`);
    expect(spent).toEqual([]);
  });

  it('spends its proof: it contests no second recovery by the same nonce [recoveries/contests]', async () => {
    const body = await proveContest(service, person, recovery.c.id, { tenantId: desk.tenantId });
    expect((await send(recovery.c.id, body)).status).toBe(200);
    expect(seen(await send(recovery.c.id, body))).toEqual([401, 'verification_failed']);
  });

  it('also contests a recovery that is held or was confirmed [recoveries/contests]', async () => {
    await db.query(
      sql`update registration_sessions set contested_at = now(), confirmed_at = now() where id = ${recovery.c.id}`,
    );
    expect((await contestBy(person)).body.recovery.state).toBe('abandoned');
  });

  it('of an inactive person contests as well, because the desk could deactivate the person first [recoveries/contests]', async () => {
    await call('PATCH', `/v1/users/${person.userId}`, desk.clerk, { status: 'inactive' });
    expect((await contestBy(person)).body.recovery.state).toBe('abandoned');
  });
});

describe('a phone that was revoked', () => {
  it('holds the recovery of a clerk who revoked it first, until somebody confirms [POST /v1/recoveries/:id/confirm] [identity.recovery_confirmed] [recoveries/recoveries] [recoveries/contests]', async () => {
    await revoke();
    const { id } = recovery.c;
    const before = await headOf(service, desk);
    expect((await contestBy(person)).body).toEqual({
      recovery: { id, state: 'pending_recovery', held: true },
    });
    const at = new Date(service.clock.now()).toISOString();
    expect(await recoveryOf()).toMatchObject({ held: true, contestedAt: at, confirmedAt: null });
    expect((await call('GET', `/v1/registrations/${id}`)).body.session.contested_at).toBe(at);
    service.clock.advance(48 * HOUR_MS);
    await runJob(service);
    expect(await stateOf()).toBe('pending_recovery');

    const confirmed = await call('POST', `/v1/recoveries/${id}/confirm`);
    expect(confirmed.body.recovery).toMatchObject({
      held: false,
      state: 'pending_recovery',
      confirmedAt: new Date(service.clock.now()).toISOString(),
    });
    // Confirming twice changes nothing, and neither does contesting again.
    expect((await call('POST', `/v1/recoveries/${id}/confirm`)).body).toEqual(confirmed.body);
    expect((await contestBy(person)).body.recovery).toEqual({ id, state: 'pending_recovery', held: false });
    await runJob(service);
    expect(await stateOf()).toBe('completed');
    expect(await verify(recovery.c.identity)).toBe(200);
    expect((await eventsSince(service, desk, before)).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'identity.recovery_contested',
        'identity.recovery_confirmed',
        'registration.completed',
        'identity.recovery_completed',
      ]),
    );
  });

  it('does not shorten the cool-down by being confirmed [recoveries/recoveries]', async () => {
    await revoke();
    await contestBy(person);
    await call('POST', `/v1/recoveries/${recovery.c.id}/confirm`);
    service.clock.advance(23 * HOUR_MS);
    await runJob(service);
    expect(await stateOf()).toBe('pending_recovery');
  });

  it('holds it within recovery_cooldown_hours and 7 days, and not later [recoveries/contests]', async () => {
    await revoke();
    service.clock.advance((24 + 7 * 24) * HOUR_MS - 1);
    expect((await contestBy(person)).body.recovery.held).toBe(true);
    service.clock.advance(1);
    expect(seen(await contestBy(person))).toEqual([401, 'verification_failed']);
  });

  it('by its own proof does not contest [recoveries/contests]', async () => {
    const body = {
      tenantId: desk.tenantId,
      environment: 'live',
      revoke: person.did,
      ...(await proveRevocation(service, person, person.did, { tenantId: desk.tenantId })),
    };
    const revoked = await service.call('POST', '/v1/phone/identity/revoke', {
      body,
      address: freshAddress(),
    });
    expect(revoked.status, revoked.text).toBe(200);
    expect(seen(await contestBy(person))).toEqual([401, 'verification_failed']);
    expect((await recoveryOf()).held).toBe(false);
  });
});

describe('everything else', () => {
  const causes: [string, () => Promise<Reply>][] = [
    ['an unknown recovery', () => contestBy(person, randomUUID())],
    ['a wrong secret', () => contestBy({ ...person, ...createIdentity(), did: person.did })],
    ['an unknown identity', () => contestBy({ ...person, ...createIdentity() })],
    ['another person', async () => contestBy(await registerPerson(service, desk.clerk))],
    ['the phone of the recovery itself', () => contestBy({ ...recovery.c.identity, userId: person.userId })],
    [
      'a proof for another recovery',
      async () =>
        send(recovery.c.id, await proveContest(service, person, randomUUID(), { tenantId: desk.tenantId })),
    ],
    [
      'a proof for another account',
      async () =>
        send(recovery.c.id, await proveContest(service, person, recovery.c.id, { tenantId: randomUUID() })),
    ],
    [
      'a proof for the other environment',
      async () =>
        send(
          recovery.c.id,
          await proveContest(service, person, recovery.c.id, {
            tenantId: desk.tenantId,
            environment: 'test',
          }),
        ),
    ],
    [
      'an old proof',
      async () =>
        send(
          recovery.c.id,
          await proveContest(service, person, recovery.c.id, {
            tenantId: desk.tenantId,
            timestamp: service.clock.now() - 5 * 60_000 - 1,
          }),
        ),
    ],
    [
      'a proof of another purpose',
      async () => send(recovery.c.id, await proveFor(service, person, { tenantId: desk.tenantId })),
    ],
    [
      'a suspended account',
      async () => {
        await service.setStatus(desk, 'suspended');
        const reply = await contestBy(person);
        await service.setStatus(desk, 'active');
        return reply;
      },
    ],
  ];

  it.each(causes)(
    '%s returns the same 401, writes nothing and leaves the recovery pending [verification_failed] [recoveries/contests]',
    async (_, attempt) => {
      const before = await headOf(service, desk);
      const reply = await attempt();
      const { requestId: __, ...body } = reply.body;
      expect([reply.status, body]).toEqual([
        401,
        {
          error: 'verification_failed',
          message: expect.any(String),
          docs: '/docs/errors#verification_failed',
        },
      ]);
      expect(await stateOf()).toBe('pending_recovery');
      expect((await recoveryOf()).held).toBe(false);
      const events = await eventsSince(service, desk, before);
      expect(events.filter(({ action }) => !/^(identity.register|tenant\.)/.test(action))).toEqual([]);
    },
  );

  it('verifies every proof, and looks up as much for a recovery that exists as for one that does not [recoveries/contests]', async () => {
    const bodyFor = async (id: string, phone: Person) =>
      proveContest(service, phone, id, { tenantId: desk.tenantId });
    const unknown = randomUUID();
    const costs: [number, number][] = [];
    for (const [id, phone] of [
      [unknown, person],
      [recovery.c.id, { ...person, ...createIdentity() }],
      [recovery.c.id, { ...person, ...createIdentity(), did: person.did }],
    ] as const) {
      const body = await bodyFor(id, phone);
      reserved = 0;
      db.statements.length = 0;
      expect((await send(id, body)).status).toBe(401);
      costs.push([db.statements.filter((text) => !isByTimer(text)).length, reserved]);
    }
    expect(new Set(costs.map(String))).toEqual(new Set(['3,1']));
  });

  it('returns 404 for an id that is no UUID, and 400 for a malformed body [recoveries/contests]', async () => {
    const body = await proveContest(service, person, recovery.c.id, { tenantId: desk.tenantId });
    expect(seen(await send('x', body))).toEqual([404, 'recovery_not_found']);
    expect(seen(await send(recovery.c.id, { ...body, did: 'x' }))).toEqual([400, 'invalid_request']);
    expect(seen(await send(recovery.c.id, { ...body, publicSignals: ['1'] }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('is limited: the 21st call for one recovery from an address in a minute returns 429 [recoveries/contests]', async () => {
    const address = freshAddress();
    for (let time = 0; time < 20; time++) expect((await send(recovery.c.id, {}, address)).status).toBe(400);
    expect((await send(recovery.c.id, {}, address)).status).toBe(429);
    expect((await send(randomUUID(), {}, address)).status).toBe(400);
  });
});
