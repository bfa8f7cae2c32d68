import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { BASE_FIELD, boundSignal, didHash, pairingBind, registrationBind, SCALAR_FIELD } from '@svc/zk/field';
import { createVerifierPool } from '@svc/zk/verifier/pool';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Person, proveFor, proveUnbound, registerPerson } from '../support/phone.js';
import { countVerifications, rerandomised } from '../support/proofs.js';
import { useRealProofs } from '../support/registered-proofs.js';
import {
  type Account,
  type Service,
  sharedProver,
  sharedVerifier,
  startService,
  zk,
} from '../support/service.js';

useRealProofs();

const SKEW_MS = 300_000;

describe('verifying an identity', () => {
  let verifier: ReturnType<typeof countVerifications>;
  let service: Service;
  let account: Account;
  let other: Account;
  let testKey: string;
  let person: Person;
  beforeAll(async () => {
    verifier = countVerifications(await sharedVerifier());
    service = await startService({ verifier });
    account = await service.signUp({ plan: 'enterprise' });
    other = await service.signUp({ plan: 'enterprise' });
    testKey = await service.createKey(account, 'test');
    person = await registerPerson(service, account.key);
    for (const as of [testKey, other.key]) {
      const { did, commitment } = person;
      await service.call('POST', '/v1/identity/register', { as, body: { did, commitment } });
    }
  });
  afterAll(() => service.close());

  const verify = (body: object, as = account.key, on = service) =>
    on.call('POST', '/v1/identity/verify', { as, body });
  const prove = (use: { nonce?: string; timestamp?: number } = {}) =>
    proveFor(service, person, { tenantId: account.tenantId, ...use });
  const expectFailed = (reply: { status: number; body: { error: string } }) =>
    expect([reply.status, reply.body.error]).toEqual([401, 'verification_failed']);

  it('opens a session for a fresh proof [POST /v1/identity/verify]', async () => {
    const reply = await verify(await prove());
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      did: person.did,
    });
  });

  it('accepts the nonce and timestamp of the nonce endpoint, and the DID and nonce in any letter case', async () => {
    const { body: given } = await service.call('GET', '/v1/auth/zkp/nonce', { as: account.key });
    expect(given).toMatchObject({ expiresIn: 300, tenantId: account.tenantId, environment: 'live' });
    const body = await prove({ nonce: given.nonce, timestamp: given.timestamp });
    const did = `did:svc:${body.did.slice(8).toUpperCase()}`;
    expect((await verify({ ...body, did, nonce: body.nonce.toUpperCase() })).status).toBe(200);
  });

  it('fails for an identity without a commitment, as an erasure leaves it, even if its DID is found', async () => {
    const erased = await registerPerson(service, account.key);
    const body = await proveFor(service, erased, { tenantId: account.tenantId });
    await service.db.query(sql`update identities set commitment = null where did = ${erased.did}`);
    expectFailed(await verify(body));
  });

  describe('a proof is valid for one purpose, tenant and environment', () => {
    it('fails with another nonce, timestamp, DID, tenant or environment [proofs/bound-to-one-use]', async () => {
      const body = await prove();
      const twin = await registerPerson(service, account.key);
      expectFailed(await verify({ ...body, nonce: randomUUID() }));
      expectFailed(await verify({ ...body, timestamp: body.timestamp + 1 }));
      expectFailed(await verify({ ...body, did: twin.did }));
      expectFailed(await verify(body, testKey));
      expectFailed(await verify(body, other.key));
      expect((await verify(body)).status).toBe(200);
    });

    it.each(['pairing', 'registration'])('fails when it is bound to a %s session', async (purpose) => {
      const { nonce, timestamp } = { nonce: randomUUID(), timestamp: service.clock.now() };
      const scope = { tenantId: account.tenantId, environment: 'live', sessionId: nonce };
      const bind =
        purpose === 'pairing'
          ? pairingBind({ ...scope, nonce: String(timestamp) })
          : registrationBind({ ...scope, challengeNonce: String(timestamp) });
      const proved = await (await sharedProver()).prove({
        ...person,
        didHash: boundSignal(didHash(person.did), bind),
      });
      expectFailed(await verify({ did: person.did, ...proved, nonce, timestamp }));
    });
  });

  describe('a nonce is used once', () => {
    it('is consumed by success only, in any letter case, and for every proof of the same statement [proofs/nonces]', async () => {
      const body = await prove();
      const broken = { ...body, publicSignals: ['1', ...body.publicSignals.slice(1)] };
      expectFailed(await verify(broken));
      expect((await verify(body)).status).toBe(200);
      expectFailed(await verify(body));
      expectFailed(await verify({ ...body, nonce: body.nonce.toUpperCase() }));
      expectFailed(await verify({ ...body, proof: rerandomised(body.proof) }));
      expectFailed(await verify(await prove({ nonce: body.nonce })));
    });

    it('opens no session for a second use, and records it as a failure', async () => {
      const body = await prove();
      const newest = async () => {
        const [row] = await service.db.query<{ sessions: number }>(
          sql`select count(*)::int as sessions from sessions where tenant_id = ${account.tenantId}`,
        );
        const list = await service.call('GET', '/v1/verifications?limit=1', { as: account.key });
        return { sessions: row!.sessions, result: list.body.verifications[0].result };
      };
      await verify(body);
      const used = await newest();
      expect(used.result).toBe('pass');
      service.clock.advance(1);
      expectFailed(await verify(body));
      expect(await newest()).toEqual({ ...used, result: 'fail' });
    });

    it('detects replay by the nonce, so a re-randomised proof is accepted once', async () => {
      const body = await prove();
      expect((await verify({ ...body, proof: rerandomised(body.proof) })).status).toBe(200);
      expectFailed(await verify(body));
    });

    it('accepts one of twenty copies sent simultaneously to two nodes', async () => {
      const node = await startService({ clock: service.clock });
      const body = await prove();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => verify(body, account.key, i % 2 ? node : service)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
      await node.close();
    });

    it('accepts one of two people who use the same nonce simultaneously', async () => {
      const nonce = randomUUID();
      const twin = await registerPerson(service, account.key);
      const bodies = [
        await prove({ nonce }),
        await proveFor(service, twin, { tenantId: account.tenantId, nonce }),
      ];
      const replies = await Promise.all(bodies.map((body) => verify(body)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it('stays used after a restart', async () => {
      const body = await prove();
      expect((await verify(body)).status).toBe(200);
      const restarted = await startService({ clock: service.clock });
      expectFailed(await verify(body, account.key, restarted));
      await restarted.close();
    });

    it('can still be used by another tenant and environment', async () => {
      const nonce = randomUUID();
      const bodies = [
        [await prove({ nonce }), account.key],
        [await proveFor(service, person, { tenantId: other.tenantId, nonce }), other.key],
        [
          await proveFor(service, person, { tenantId: account.tenantId, environment: 'test', nonce }),
          testKey,
        ],
      ] as const;
      for (const [body, as] of bodies) expect((await verify(body, as)).status).toBe(200);
    });
  });

  it.each([
    ['a version 1 UUID', 'd9428888-122b-11e1-b85c-61cd3cbb3210'],
    ['a version 7 UUID', '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b'],
    ['a UUID of another variant', '9d2b7c54-1a3f-4c6e-cb90-d1e2f3a4b5c6'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['a UUID without dashes', '9d2b7c541a3f4c6e8b90d1e2f3a4b5c6'],
    ['a UUID in braces', '{9d2b7c54-1a3f-4c6e-8b90-d1e2f3a4b5c6}'],
    ['a URN', 'urn:uuid:9d2b7c54-1a3f-4c6e-8b90-d1e2f3a4b5c6'],
    ['a UUID and a line break', '9d2b7c54-1a3f-4c6e-8b90-d1e2f3a4b5c6\n'],
    ['an empty string', ''],
    ['a number', 4],
  ])('rejects a nonce that is %s', async (_form, nonce) => {
    const body = { ...sample, nonce };
    const reply = await verify(body);
    expect([reply.status, reply.body.error, reply.body.details[0].path]).toEqual([
      400,
      'invalid_request',
      'body.nonce',
    ]);
  });

  describe('a timestamp', () => {
    it.each([
      [-SKEW_MS - 1, 401],
      [-SKEW_MS, 200],
      [-299_000, 200],
      [299_000, 200],
      [SKEW_MS, 200],
      [SKEW_MS + 1, 401],
    ])('%i ms from the server’s time returns %i [limit: Proof timestamp skew]', async (distance, status) => {
      expect((await verify(await prove({ timestamp: service.clock.now() + distance }))).status).toBe(status);
    });

    it('is accepted as Unix milliseconds or as ISO 8601, and the proof binds the milliseconds', async () => {
      const body = await prove();
      expect((await verify({ ...body, timestamp: new Date(body.timestamp).toISOString() })).status).toBe(200);
    });

    it('in seconds fails, as it is decades in the past', async () => {
      const timestamp = Math.floor(service.clock.now() / 1000);
      expectFailed(await verify(await prove({ timestamp })));
    });

    it.each([
      [0],
      [8_640_000_000_000_000],
      ['0000-01-01T00:00:00.000Z'],
      ['0001-01-01T00:00:00.000Z'],
      ['1969-12-31T23:59:59.999Z'],
      ['9999-12-31T23:59:59.999Z'],
    ])('of %j fails as too old or too far ahead, never with a server error', async (timestamp) => {
      expect([400, 401]).toContain((await verify({ ...sample, timestamp })).status);
    });

    it.each([
      [1.5],
      [-1],
      [8_640_000_000_000_001],
      [1e300],
      ['1778578200000'],
      ['2026-05-12T09:30:00Z'],
      ['2026-05-12T09:30:00.00Z'],
      ['2026-05-12T09:30:00.0000Z'],
      ['2026-05-12T09:30:00.000+00:00'],
      ['2026-05-12T11:30:00.000+02:00'],
      ['2026-05-12 09:30:00.000Z'],
      ['2026-02-30T09:30:00.000Z'],
      ['2026-06-30T23:59:60.000Z'],
      ['2026-05-12T24:00:00.000Z'],
      ['+12026-05-12T09:30:00.000Z'],
      ['2026-05-12t09:30:00.000z'],
      ['now'],
      [''],
      [null],
      [[]],
      [{}],
      [true],
    ])('of %j is rejected as malformed', async (timestamp) => {
      const reply = await verify({ ...sample, timestamp });
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
      expect(new Set(reply.body.details.map(({ path }: { path: string }) => path))).toEqual(
        new Set(['body.timestamp']),
      );
    });
  });

  describe('a malformed proof is rejected with 400 before it reaches the curve library', () => {
    const q = String(BASE_FIELD);
    const proofs: readonly [string, unknown][] = [
      ['no proof', undefined],
      ['null', null],
      ['a string', 'x'],
      ['an array', []],
      ['another protocol', { protocol: 'plonk' }],
      ['another curve', { curve: 'bls12381' }],
      ['the curve under another name', { curve: 'bn254' }],
      ['an unknown field', { pi_d: [] }],
      ['two coordinates', { pi_a: ['1', '2'] }],
      ['four coordinates', { pi_a: ['1', '2', '1', '1'] }],
      ['projective A', { pi_a: ['1', '2', '2'] }],
      ['A at infinity', { pi_a: ['0', '1', '0'] }],
      ['A of all zeros', { pi_a: ['0', '0', '1'] }],
      ['C at infinity', { pi_c: ['0', '1', '0'] }],
      [
        'B at infinity',
        {
          pi_b: [
            ['0', '0'],
            ['1', '0'],
            ['0', '0'],
          ],
        },
      ],
      [
        'B of all zeros',
        {
          pi_b: [
            ['0', '0'],
            ['0', '0'],
            ['1', '0'],
          ],
        },
      ],
      [
        'projective B',
        {
          pi_b: [
            ['1', '1'],
            ['1', '1'],
            ['2', '0'],
          ],
        },
      ],
      ['B as a flat array', { pi_b: ['1', '2', '1'] }],
      ['x = q', { pi_a: [q, '2', '1'] }],
      ['x = q + 1', { pi_a: [String(BASE_FIELD + 1n), '2', '1'] }],
      ['hex', { pi_a: ['0x1', '2', '1'] }],
      ['a leading zero', { pi_a: ['01', '2', '1'] }],
      ['a plus sign', { pi_a: ['+1', '2', '1'] }],
      ['a minus sign', { pi_a: ['-1', '2', '1'] }],
      ['an empty string as a coordinate', { pi_a: ['', '2', '1'] }],
      ['a space', { pi_a: [' 1', '2', '1'] }],
      ['an exponent', { pi_a: ['1e3', '2', '1'] }],
      ['a fraction', { pi_a: ['1.0', '2', '1'] }],
      ['numbers', { pi_a: [1, 2, 1] }],
      ['79 digits', { pi_a: ['1'.repeat(79), '2', '1'] }],
      ['50,000 digits', { pi_a: ['1'.repeat(50_000), '2', '1'] }],
      ['non-ASCII digits', { pi_a: ['١', '2', '1'] }],
    ];
    it.each(proofs)('proof: %s', async (_name, part) => {
      const isPart = typeof part === 'object' && part !== null && !Array.isArray(part);
      await expectMalformed({ ...sample, proof: isPart ? { ...sample.proof, ...part } : part });
    });

    const r = String(SCALAR_FIELD);
    it.each([
      ['an empty array', []],
      ['two values', ['1', '2']],
      ['four values', ['1', '2', '3', '4']],
      ['r as the first', [r, '2', '3']],
      ['r as the second', ['1', r, '3']],
      ['r as the third', ['1', '2', r]],
      ['2^256', [String(2n ** 256n), '2', '3']],
      ['numbers', [1, 2, 3]],
      ['hex', ['0x1', '2', '3']],
      ['a minus sign', ['-1', '2', '3']],
      ['a leading zero', ['1', '02', '3']],
      ['an object', { 0: '1', 1: '2', 2: '3', length: 3 }],
      ['null', null],
    ])('public signals: %s', async (_name, publicSignals) => {
      await expectMalformed({ ...sample, publicSignals });
    });

    async function expectMalformed(body: object) {
      const before = verifier.calls.count;
      const reply = await verify(body);
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
      expect(reply.body.details.length).toBeGreaterThan(0);
      for (const { path } of reply.body.details) expect(path).toMatch(/^body\.(proof|publicSignals)/);
      expect(verifier.calls.count).toBe(before);
    }
  });

  describe('an unbound proof', () => {
    const allow = (allow_unbound_proofs: boolean | undefined) =>
      service.call('PUT', '/api/console/security-policy', {
        as: account.token,
        body: { security_policy: { ...(allow_unbound_proofs !== undefined && { allow_unbound_proofs }) } },
      });

    it('is accepted if the tenant allows it, until the identity has used a bound proof [proofs/unbound-proofs]', async () => {
      const mover = await registerPerson(service, account.key);
      const bare = await proveUnbound(service, mover);
      const again = () => ({ ...bare, nonce: randomUUID() });
      expectFailed(await verify(bare));
      await allow(true);
      expect((await verify(bare)).status).toBe(200);
      expectFailed(await verify(bare)); // its nonce has been used
      expect((await verify(again())).status).toBe(200);
      await allow(undefined);
      expectFailed(await verify(again()));
      await allow(true);
      expect((await verify(again())).status).toBe(200);
      expect((await verify(await proveFor(service, mover, { tenantId: account.tenantId }))).status).toBe(200);
      expectFailed(await verify(again()));
      await allow(false);
      expectFailed(await verify(again()));
    });

    it('is rejected after a bound proof that was verified at the same time', async () => {
      await allow(true);
      const mover = await registerPerson(service, account.key);
      const bare = await proveUnbound(service, mover);
      await Promise.all([
        verify(await proveFor(service, mover, { tenantId: account.tenantId })),
        verify(bare),
        verify({ ...bare, nonce: randomUUID() }),
      ]);
      expectFailed(await verify({ ...bare, nonce: randomUUID() }));
      await allow(false);
    });
  });

  describe('a session ends immediately', () => {
    const session = async () => {
      const someone = await registerPerson(service, account.key);
      const { body } = await verify(await proveFor(service, someone, { tenantId: account.tenantId }));
      const headers = { 'x-session-token': body.accessToken };
      return {
        someone,
        me: () => service.call('GET', '/v1/identity/me', { as: account.key, headers }),
        refresh: () =>
          service.call('POST', '/v1/identity/refresh', {
            as: account.key,
            body: { refreshToken: body.refreshToken },
          }),
        again: async () => verify(await proveFor(service, someone, { tenantId: account.tenantId })),
      };
    };

    it('when the identity is revoked', async () => {
      const { someone, me, refresh, again } = await session();
      expect((await me()).status).toBe(200);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: someone.did } });
      expect((await me()).body.error).toBe('invalid_session_token');
      expect((await refresh()).body.error).toBe('invalid_refresh_token');
      expectFailed(await again());
    });

    it('when the user is inactive', async () => {
      const { someone, me, refresh, again } = await session();
      await service.db.query(sql`update tenant_users set status = 'inactive'
        where tenant_id = ${account.tenantId} and id = ${someone.userId}`);
      expect((await me()).body.error).toBe('invalid_session_token');
      expect((await refresh()).body.error).toBe('invalid_refresh_token');
      expectFailed(await again());
    });

    it('when revoking and verifying race: no session outlives the revocation', async () => {
      const someone = await registerPerson(service, account.key);
      const body = await proveFor(service, someone, { tenantId: account.tenantId });
      const [reply] = await Promise.all([
        verify(body),
        service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: someone.did } }),
      ]);
      const token = reply.body.accessToken ?? 'none';
      const me = await service.call('GET', '/v1/identity/me', {
        as: account.key,
        headers: { 'x-session-token': token },
      });
      expect(me.body.error).toBe('invalid_session_token');
    });
  });

  describe('a proof that could not be verified costs nothing', () => {
    /** Expects 503 with Retry-After, and an unchanged rate-limit window, quota and nonce. */
    async function expectUnavailable(on: Service, body: object, attempt: () => Promise<unknown>) {
      const state = async () => {
        const { headers } = await on.call('GET', '/v1/auth/zkp/nonce', { as: account.key });
        const usage = await on.call('GET', '/api/console/usage', { as: account.token });
        return { remaining: Number(headers['x-ratelimit-remaining']), used: usage.body.currentMonth.used };
      };
      const before = await state();
      const reply = (await attempt()) as Awaited<ReturnType<typeof verify>>;
      expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
      expect(reply.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(Number(reply.headers['x-ratelimit-remaining'])).toBe(before.remaining);
      // The request for the state counts as one call.
      expect(await state()).toEqual({ remaining: before.remaining - 1, used: before.used + 1 });
      const events = await on.call('GET', '/v1/audit?limit=1', { as: account.key });
      const head = events.body.head.seq;
      expect((await verify(body, account.key, on)).status).toBe(200);
      expect((await on.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head.seq).toBe(head + 1);
    }

    it('when the verifier’s queue is full', async () => {
      const pool = await createVerifierPool({ key: zk, workers: 1, queueLimit: 1 });
      const on = await startService({ clock: service.clock, verifier: pool });
      const body = await prove();
      await expectUnavailable(on, body, async () => {
        const slot = pool.reserve({ name: 'somebody' });
        const reply = await verify(body, account.key, on);
        slot?.release();
        return reply;
      });
      await on.close();
      await pool.close();
    });

    it('when the verifier dies while it verifies the proof', async () => {
      const pool = await createVerifierPool({ key: zk, workers: 1, queueLimit: 8 });
      const on = await startService({ clock: service.clock, verifier: pool });
      const body = await prove();
      await expectUnavailable(on, body, async () => {
        const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
          void this.terminate();
        });
        const reply = await verify(body, account.key, on);
        spy.mockRestore();
        return reply;
      });
      await on.close();
      await pool.close();
    });
  });
});

/** A well-formed body with a proof of no registered identity. */
const sample = {
  did: 'did:svc:aa',
  proof: {
    protocol: 'groth16',
    curve: 'bn128',
    pi_a: ['1', '2', '1'],
    pi_b: [
      ['1', '0'],
      ['1', '0'],
      ['1', '0'],
    ],
    pi_c: ['1', '2', '1'],
  },
  publicSignals: ['1', '2', '3'],
  nonce: '9d2b7c54-1a3f-4c6e-8b90-d1e2f3a4b5c6',
  timestamp: 1_778_578_200_000,
};
