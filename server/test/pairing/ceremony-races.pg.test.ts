import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { expireSessions } from '../../src/features/registrations/registrations.js';
import {
  ceremonyBefore,
  completeBody,
  freshFingerprint,
  openCeremony,
  pairBody,
  phone,
} from '../support/ceremony.js';
import { sharedDatabase } from '../support/database.js';
import { pausableCommits, WAITING } from '../support/faults/held-commit.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { pausableProofs, wrongProof } from '../support/proofs.js';
import {
  type Account,
  freshAddress,
  manualClock,
  type Service,
  sharedVerifier,
  startService,
} from '../support/service.js';

const ROUNDS = 12;
let holding: ReturnType<typeof pausableCommits>;
let verifier: ReturnType<typeof pausableProofs>;
let one: Service;
let two: Service;
let account: Account;

beforeAll(async () => {
  const { db, url } = await sharedDatabase();
  const clock = manualClock();
  holding = pausableCommits(db);
  verifier = pausableProofs(await sharedVerifier());
  one = await startService({ db: holding.db, clock, verifier });
  two = await startService({ db: openPostgres({ url: url as string }), clock, verifier });
  account = await one.signUp({ plan: 'enterprise' });
});
afterAll(async () => {
  await one.close();
  await two.close();
  await two.db.close();
});

const device = async (id: string) =>
  (await one.db.query(sql`select status, enrollment_state from devices where id = ${id}`))[0];

describe('simultaneous requests to two nodes', () => {
  it('claim a device or regenerate its code: one succeeds, at most one code stays valid, and neither deadlocks', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const created = await one.call('POST', '/api/console/devices', {
        as: account.token,
        body: { name: 'K' },
      });
      const { id } = created.body.device;
      const claim = (on: Service, code: string) =>
        on.call('POST', '/v1/devices/enroll', {
          body: { enrollment_code: code, fingerprint: freshFingerprint() },
          address: freshAddress(),
        });
      const [claimed, renewed] = await Promise.all([
        claim(one, created.body.enrollment.code),
        two.call('POST', `/api/console/devices/${id}/regenerate-code`, { as: account.token }),
      ]);
      expect([
        [201, 409],
        [404, 201],
      ]).toContainEqual([claimed.status, renewed.status]);
      expect((await claim(two, created.body.enrollment.code)).status).toBe(404);
      if (renewed.status === 201) expect((await claim(two, renewed.body.enrollment.code)).status).toBe(201);
    }
  });

  it('pair a phone and abandon its session: the phone is revoked in either order', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const c = await openCeremony(one, account);
      const [paired, abandoned] = await Promise.all([
        phone(one, 'pair-device', pairBody(c)),
        two.call('DELETE', `/v1/registrations/${c.id}`, { as: account.key }),
      ]);
      expect([201, 404]).toContain(paired.status);
      expect([abandoned.status, abandoned.body.session.state]).toEqual([200, 'abandoned']);
      if (paired.status === 201)
        expect(await device(paired.body.device_id)).toEqual({
          status: 'retired',
          enrollment_state: 'revoked',
        });
      const codes = await one.db.query(
        sql`select 1 from one_time_codes where subject_id = ${c.id} and used_at is null`,
      );
      expect(codes).toEqual([]);
    }
  });

  it('send a proof, a fifth failure and a DELETE: session and device end once, in matching states', async () => {
    for (let round = 0; round < 4; round += 1) {
      const c = await ceremonyBefore(one, account, 'complete');
      const body = await completeBody(c);
      const wrong = { ...body, proof: wrongProof(body.proof) };
      for (let failure = 1; failure <= 3; failure += 1) await phone(one, 'complete', wrong);
      const replies = await Promise.all([
        phone(one, 'complete', body),
        phone(two, 'complete', wrong),
        ...(round % 2 ? [two.call('DELETE', `/v1/registrations/${c.id}`, { as: account.key })] : []),
      ]);
      for (const { status } of replies) expect([200, 201, 404]).toContain(status);
      const [session] = await one.db.query<{ state: string }>(
        sql`select state from registration_sessions where id = ${c.id}`,
      );
      const ended = session?.state === 'completed' ? 'enrolled' : 'revoked';
      expect(['completed', 'abandoned']).toContain(session?.state);
      expect(await device(c.deviceId as string)).toMatchObject({ enrollment_state: ended });
      const endings = await one.db.query(sql`select action from audit_events where entity_id = ${c.id}
        and action in ('registration.completed', 'registration.abandoned')`);
      expect(endings).toHaveLength(1);
    }
  });

  /** Holds one proof at the verifier while the ceremony’s four other attempts fail. */
  const fourFailuresDuring = async (choose: (body: Awaited<ReturnType<typeof completeBody>>) => object) => {
    const c = await ceremonyBefore(one, account, 'complete');
    const body = await completeBody(c);
    const wrong = { ...body, proof: wrongProof(body.proof) };
    const { reached, release } = verifier.hold();
    const held = phone(one, 'complete', choose(body));
    await reached;
    for (let failure = 1; failure <= 4; failure += 1)
      expect((await phone(two, 'complete', wrong)).body.error).toBe('verify_failed');
    expect((await phone(two, 'complete', body)).body.error, 'a sixth attempt').toBe('verify_failed');
    release();
    const { status } = await held;
    const audited = await one.db.query<{ action: string }>(sql`select action from audit_events
      where entity_id = ${c.id} and action in ('registration.completed', 'registration.abandoned')`);
    return {
      status,
      endings: audited.map(({ action }) => action),
      device: await device(c.deviceId as string),
    };
  };

  it('complete the ceremony with a valid proof even if other attempts fail while it is being verified [registrations/completing]', async () => {
    expect(await fourFailuresDuring((body) => body)).toEqual({
      status: 201,
      endings: ['registration.completed'],
      device: { status: 'active', enrollment_state: 'enrolled' },
    });
  });

  it('abandon the ceremony when the last of five failures returns, in any order', async () => {
    const outcome = await fourFailuresDuring((body) => ({ ...body, proof: wrongProof(body.proof) }));
    expect(outcome).toEqual({
      status: 404,
      endings: ['registration.abandoned'],
      device: { status: 'retired', enrollment_state: 'revoked' },
    });
  });

  it('expire an overdue session once', async () => {
    const c = await ceremonyBefore(one, account, 'submit-commitment');
    one.clock.advance(30 * 60_000);
    await Promise.all([expireSessions(one.app.deps), expireSessions(two.app.deps)]);
    const events = await one.db.query(sql`select 1 from audit_events where entity_id = ${c.id}
      and action = 'registration.expired'`);
    expect(events).toHaveLength(1);
    expect(await device(c.deviceId as string)).toMatchObject({ enrollment_state: 'revoked' });
  });

  it('verify and deactivate a user: no session stays open', async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await registerPerson(one, account.key);
      const body = await proveFor(one, person, { tenantId: account.tenantId });
      const [verified] = await Promise.all([
        one.call('POST', '/v1/identity/verify', { as: account.key, body }),
        two.call('PATCH', `/v1/users/${person.userId}`, { as: account.key, body: { status: 'inactive' } }),
      ]);
      expect([200, 401]).toContain(verified.status);
      const open = await one.db.query(
        sql`select 1 from sessions where user_id = ${person.userId} and revoked_at is null`,
      );
      expect(open).toEqual([]);
    }
  });

  it('pair one phone in two ceremonies: one succeeds', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [left, right] = [await openCeremony(one, account), await openCeremony(one, account)];
      const replies = await Promise.all([
        phone(one, 'pair-device', pairBody(left)),
        phone(two, 'pair-device', { ...pairBody(right), fingerprint: left.fingerprint }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 404]);
    }
  });

  it('never give a tenant more than 2,000 live codes', async () => {
    const own = await one.signUp({ plan: 'enterprise' });
    await one.db.query(sql`insert into one_time_codes (code_hash, purpose, tenant_id, environment, subject_id, expires_at)
      select encode(sha256((${own.tenantId} || n)::bytea), 'hex'), 'device', ${own.tenantId}::uuid, 'test', gen_random_uuid(),
        ${new Date(one.clock.now() + 900_000)}::timestamptz from generate_series(1, 1999) n`);
    const createDevice = (node: Service, environment: string) =>
      node.call('POST', `/api/console/devices?environment=${environment}`, {
        as: own.token,
        body: { name: 'K' },
      });
    const { reached, release } = holding.hold();
    const first = createDevice(one, 'live');
    await reached;
    let hasResponse = false;
    const second = createDevice(two, 'test').finally(() => {
      hasResponse = true;
    });
    // Wait until the second request waits for the first, or has already returned.
    await vi.waitUntil(async () => hasResponse || (await two.db.query(WAITING)).length > 0);
    release();
    expect([(await first).status, (await second).status]).toEqual([201, 429]);
  });
});
