import { createIdentity } from '@svc/zk/phone';
import type { Source } from '@svc/zk/verifier/pool';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { expireSessions } from '../../src/features/registrations/registrations.js';
import { deleteExpired } from '../../src/jobs.js';
import {
  type Ceremony,
  ceremonyBefore,
  commit,
  commitBody,
  completeBody,
  completeCeremony,
  freshFingerprint,
  openCeremony,
  pair,
  pairBody,
  phone,
  type Step,
} from '../support/ceremony.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { countVerifications, wrongProof } from '../support/proofs.js';
import { useRealProofs } from '../support/registered-proofs.js';
import {
  type Account,
  freshAddress,
  type Reply,
  type Service,
  sharedVerifier,
  startService,
} from '../support/service.js';

const MINUTE = 60_000;
const FAILED = {
  'pair-device': 'pair_failed',
  'submit-commitment': 'enroll_failed',
  complete: 'verify_failed',
};
let db: CountingDatabase;
let verifier: ReturnType<typeof countVerifications>;
let full = false;
/** The source of the last reservation at the verifier. */
let lastSource: Source | undefined;
/** Runs while a proof is being verified. */
let duringVerification: (() => Promise<unknown>) | undefined;
let service: Service;
let account: Account;

beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  verifier = countVerifications(await sharedVerifier());
  const reserve = (source: Source) => {
    lastSource = source;
    const slot = full ? null : verifier.reserve(source);
    const verify = async (proof: never) => {
      await duringVerification?.();
      return (slot as NonNullable<typeof slot>).verify(proof);
    };
    return slot && { ...slot, verify };
  };
  const sometimesFull = { ...verifier, reserve };
  service = await startService({ db, verifier: sometimesFull });
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const poll = (c: { id: string }, as = account.key) =>
  service.call('GET', `/v1/registrations/${c.id}`, { as });
const abandon = (c: { id: string }, as = account.key) =>
  service.call('DELETE', `/v1/registrations/${c.id}`, { as });
const stateOf = async (c: { id: string }) => (await poll(c)).body.session.state as string;
const audits = async (as = account.key, limit = 5) =>
  (await service.call('GET', `/v1/audit?limit=${limit}`, { as })).body;
const headSeqOf = async (as = account.key) => (await audits(as)).head.seq as number;
const headSeq = () => headSeqOf();
const deviceOf = async (c: Ceremony) =>
  (await db.query(sql`select * from devices where tenant_id = ${c.tenantId} and id = ${c.deviceId}`))[0];
const rowOf = async (c: Ceremony) =>
  (await db.query(sql`select * from registration_sessions where id = ${c.id}`))[0];
const liveCodes = (c: Ceremony) =>
  db.query(sql`select purpose from one_time_codes where subject_id = ${c.id} and used_at is null`);
const expectFailed = (reply: Reply, step: Step) =>
  expect([reply.status, reply.body.error], reply.text).toEqual([404, FAILED[step]]);
/** For each ceremony, a body with a valid code and a wrong proof, reused for all its attempts. */
const failing = new WeakMap<Ceremony, Promise<object>>();
const failOnce = async (c: Ceremony) => {
  const body = failing.get(c) ?? completeBody(c).then((good) => ({ ...good, proof: wrongProof(good.proof) }));
  failing.set(c, body);
  return phone(service, 'complete', await body);
};

describe('a completed ceremony', () => {
  it('creates a user, a device and an identity that verifies, and writes exactly five audit events [Registration session: (none) → awaiting_device] [registration.completed] [registrations/device-of-a-registration] [registrations/endpoints-with-a-code] [POST /v1/registrations] [POST /v1/registrations/pair-device] [POST /v1/registrations/submit-commitment] [POST /v1/registrations/complete]', async () => {
    const own = await service.signUp({ companyName: 'Example & Söhne' });
    const profile = {
      fullName: 'Ada',
      externalId: 'ada',
      email: 'a@example.com',
      team: 'x',
      metadata: { y: 1 },
    };
    const c = await openCeremony(service, own, { profile });
    const paired = await pair(service, c);
    expect(paired.body).toEqual({
      session_id: c.id,
      device_id: c.deviceId,
      tenant_id: own.tenantId,
      company_name: 'Example & Söhne',
      accent_color: '#0a6c56',
      logo_url: null,
      environment: 'live',
      next: {
        step: 'enroll',
        code: c.enrollCode,
        expires_at: new Date(service.clock.now() + 15 * MINUTE).toISOString(),
        deeplink: `svc://reg?step=enroll&session=${c.id}&code=${c.enrollCode}`,
        url: expect.stringMatching(/\/phone\/#code=svc:\/\/reg\?step=enroll%26session=/),
      },
    });
    expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'pending', status: 'inactive' });
    const submitted = await phone(service, 'submit-commitment', {
      ...commitBody(c),
      attestation_kind: 'play',
    });
    c.verifyCode = submitted.body.next.code;
    c.challengeNonce = submitted.body.next.challenge_nonce;
    expect(submitted.body).toEqual({
      session_id: c.id,
      next: {
        step: 'verify',
        code: c.verifyCode,
        expires_at: expect.any(String),
        deeplink: `svc://reg?step=verify&session=${c.id}&code=${c.verifyCode}&challenge=${c.challengeNonce}`,
        url: expect.stringMatching(/\/phone\/#code=svc:\/\/reg\?step=verify%26session=/),
        challenge_nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
    const done = await phone(service, 'complete', await completeBody(c));
    expect(done.status, done.text).toBe(201);
    expect(done.body).toEqual({
      session_id: c.id,
      tenant_user: expect.objectContaining({
        fullName: 'Ada',
        externalId: 'ada',
        email: 'a@example.com',
        primaryDeviceId: c.deviceId,
        metadata: { team: 'x', y: 1 },
        status: 'active',
      }),
      device: expect.objectContaining({
        id: c.deviceId,
        enrollment_state: 'enrolled',
        status: 'active',
        fingerprint: c.fingerprint,
        attestation_kind: 'play',
      }),
      state: 'completed',
      enrolment: {
        identityId: expect.any(String),
        userId: done.body.tenant_user.id,
        salt: expect.stringMatching(/^[0-9a-f]{64}$/),
        leaf: expect.stringMatching(/^[0-9a-f]{64}$/),
        seq: await headSeqOf(own.key),
      },
    });
    const { audit } = await audits(own.key);
    expect(audit.map((row: { action: string }) => row.action)).toEqual([
      'registration.completed',
      'device.enrolled',
      'registration.commitment_submitted',
      'registration.device_paired',
      'registration.started',
    ]);
    const text = JSON.stringify(audit);
    for (const personal of ['Ada', c.identity.did, c.identity.commitment, c.fingerprint, c.challengeNonce])
      expect(text).not.toContain(personal);
    const body = await proveFor(service, c.identity, { tenantId: own.tenantId });
    expect((await service.call('POST', '/v1/identity/verify', { as: own.key, body })).status).toBe(200);
    expect((await poll(c, own.key)).body.session).toMatchObject({
      state: 'completed',
      user_id: done.body.tenant_user.id,
    });
    expect(await liveCodes(c)).toEqual([]);
  });

  describe('with a real proof', () => {
    useRealProofs();
    it('lets mcl check its accepted proof too', async () => {
      const before = verifier.stats().opinions.acceptances;
      await completeCeremony(service, account);
      await vi.waitFor(() => expect(verifier.stats().opinions.acceptances).toBeGreaterThan(before));
    });
  });

  it('runs in the test environment separately from live, with an API key and a session', async () => {
    const key = await service.createKey(account, 'test');
    const { reply } = await completeCeremony(service, account, { key });
    expect(reply.body.tenant_user.environment).toBe('test');
    const opened = await service.call('POST', '/v1/registrations?environment=test', {
      session: account.token,
      body: {},
    });
    expect(opened.body.session.environment).toBe('test');
    expect((await poll(opened.body.session)).body.error).toBe('session_not_found');
    expect((await poll(opened.body.session, key)).status).toBe(200);
  });

  it('is found by its person, its phone and the device that opened it [GET /v1/registrations] [records/sessions-of-a-person]', async () => {
    const own = await service.signUp();
    const { reply } = await completeCeremony(service, own);
    const { id: userId, primaryDeviceId } = reply.body.tenant_user;
    await service.call('POST', '/v1/registrations', { as: own.key, body: {} });
    const idsOf = async (query: string) =>
      (await service.call('GET', `/v1/registrations?${query}`, { as: own.key })).body.registrations.map(
        ({ user_id, device_id }: { user_id: string; device_id: string }) => [user_id, device_id],
      );
    const found = [[userId, primaryDeviceId]];
    expect(await idsOf(`userId=${userId}`)).toEqual(found);
    expect(await idsOf(`deviceId=${primaryDeviceId}`)).toEqual(found);
    expect(await idsOf(`userId=${userId}&deviceId=${primaryDeviceId}&state=completed`)).toEqual(found);
    expect(await idsOf(`userId=${userId}&state=abandoned`)).toEqual([]);
    expect(await idsOf(`userId=${primaryDeviceId}`)).toEqual([]);
    expect((await service.call('GET', '/v1/registrations?userId=ada', { as: own.key })).status).toBe(400);
  });

  it('is listed with the name of its person, if the query includes names [GET /v1/registrations] [GET /v1/registrations/:id] [registrations/name-of-the-person]', async () => {
    const { body } = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    const forAda = { userId: body.user.id };
    const opened = [
      await service.call('POST', '/v1/registrations', { as: account.key, body: forAda }),
      await service.call('POST', '/v1/registrations', { as: account.key, body: {} }),
    ];
    const ids = opened.map((reply) => reply.body.session.id);
    const read = async (path: string) => (await service.call('GET', path, { as: account.key })).body;
    const { registrations } = await read('/v1/registrations?limit=2&include=names');
    expect(registrations.map((session: { user_name: unknown }) => session.user_name)).toEqual([null, 'Ada']);
    expect((await read(`/v1/registrations/${ids[0]}?include=names`)).session).toEqual(registrations[1]);
    expect((await read(`/v1/registrations/${ids[0]}`)).session).not.toHaveProperty('user_name');
    expect((await read('/v1/registrations?limit=1')).registrations[0]).not.toHaveProperty('user_name');
  });

  it('never returns a hash, nonce, code or fingerprint when polled, in any state [registrations/failed-steps] [GET /v1/registrations/:id] [GET /v1/registrations]', async () => {
    const c = await ceremonyBefore(service, account, 'complete', { profile: { fullName: 'A' } });
    const secrets = [c.challengeNonce, c.pairCode, c.enrollCode, c.verifyCode, c.fingerprint] as string[];
    const keys = (value: unknown): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([name, inner]) => [name, ...keys(inner)]);
    const look = async () => {
      const path = '/v1/registrations';
      for (const reply of [
        await poll(c),
        await service.call('GET', `${path}/${c.id}`, { session: account.token }),
        await service.call('GET', `${path}?limit=1`, { session: account.token }),
      ]) {
        expect(reply.text).toContain(c.id);
        for (const name of keys(reply.body))
          expect(name).not.toMatch(/hash|nonce|code|fingerprint|challenge/i);
        for (const secret of secrets) expect(reply.text).not.toContain(secret);
      }
    };
    await look();
    expect((await phone(service, 'complete', await completeBody(c))).status).toBe(201);
    await look();
  });
});

describe('every transition from every state', () => {
  const STATES = [
    'awaiting_device',
    'awaiting_commitment',
    'awaiting_verification',
    'completed',
    'abandoned',
    'expired',
  ] as const;
  type Move = 'pair' | 'commit' | 'complete' | 'abandon' | 'expire';
  /** The target state of each legal transition. Any other pair changes nothing. `expire` lets the time pass. */
  const LEGAL: Record<(typeof STATES)[number], Partial<Record<Move, string>>> = {
    awaiting_device: { pair: 'awaiting_commitment', abandon: 'abandoned', expire: 'expired' },
    awaiting_commitment: { commit: 'awaiting_verification', abandon: 'abandoned', expire: 'expired' },
    awaiting_verification: { complete: 'completed', abandon: 'abandoned', expire: 'expired' },
    completed: {},
    abandoned: {},
    expired: {},
  };
  const MOVES: Move[] = ['pair', 'commit', 'complete', 'abandon', 'expire'];
  const table = STATES.flatMap((state) =>
    MOVES.map((move) => [state, LEGAL[state][move] ?? state, move, LEGAL[state][move]] as const),
  );

  /** A ceremony in that state, with all its codes. */
  async function inState(state: (typeof STATES)[number]): Promise<Ceremony> {
    const c = await openCeremony(service, account);
    if (state === 'awaiting_device') return c;
    await pair(service, c);
    if (state === 'awaiting_commitment') return c;
    await commit(service, c);
    if (state === 'completed') await phone(service, 'complete', await completeBody(c));
    if (state === 'abandoned') await abandon(c);
    if (state === 'expired') {
      service.clock.advance(30 * MINUTE);
      await expireSessions(service.app.deps);
    }
    return c;
  }

  /** Where the ceremony has not issued a step’s code yet, the code of the previous step is used. */
  const bodies = {
    pair: async (c: Ceremony) =>
      ['pair-device', { ...pairBody(c), fingerprint: freshFingerprint() }] as const,
    commit: async (c: Ceremony) =>
      ['submit-commitment', { ...commitBody(c), enroll_code: c.enrollCode ?? c.pairCode }] as const,
    complete: async (c: Ceremony) => {
      const known = { ...c, challengeNonce: c.challengeNonce ?? 'ab'.repeat(16) };
      const body = await completeBody(known);
      return ['complete', { ...body, verify_code: c.verifyCode ?? c.enrollCode ?? c.pairCode }] as const;
    },
  };

  it.each(table)('Registration session: %s → %s by %s', async (state, _, move, to) => {
    const c = await inState(state);
    expect(await stateOf(c)).toBe(state);
    const [row, device, seq] = [await rowOf(c), c.deviceId && (await deviceOf(c)), await headSeq()];
    if (move === 'expire') {
      service.clock.advance(30 * MINUTE + 1_000);
      await expireSessions(service.app.deps);
    } else if (move === 'abandon') expect((await abandon(c)).status).toBe(200);
    else {
      const [step, body] = await bodies[move](c);
      const reply = await phone(service, step, body);
      if (to === undefined) expectFailed(reply, step);
      else expect(reply.status, reply.text).toBe(201);
    }
    expect(await stateOf(c)).toBe(to ?? state);
    if (to === undefined) {
      expect(await rowOf(c)).toEqual(row);
      if (c.deviceId) expect(await deviceOf(c)).toEqual(device);
      expect(await headSeq()).toBe(seq);
    } else expect(await headSeq()).toBeGreaterThan(seq);
    if (to === 'abandoned' || to === 'expired') {
      expect(await liveCodes(c)).toEqual([]);
      if (c.deviceId)
        expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'revoked', status: 'retired' });
    }
  });
});

describe('a code', () => {
  it.each(['pair-device', 'submit-commitment', 'complete'] as const)(
    'of another step is rejected by %s',
    async (step) => {
      const kiosk = await service.call('POST', '/api/console/devices', {
        as: account.token,
        body: { name: 'K' },
      });
      const codes = [
        ['device', kiosk.body.enrollment.code],
        ['pair-device', (await openCeremony(service, account)).pairCode],
        ['submit-commitment', (await ceremonyBefore(service, account, 'submit-commitment')).enrollCode],
        ['complete', (await ceremonyBefore(service, account, 'complete')).verifyCode],
      ];
      const c = await ceremonyBefore(service, account, 'complete');
      for (const [of, code] of codes.filter(([of]) => of !== step)) {
        const body = {
          'pair-device': async () => ({ ...pairBody(c), fingerprint: freshFingerprint(), pair_code: code }),
          'submit-commitment': async () => ({ ...commitBody(c), enroll_code: code }),
          complete: async () => ({ ...(await completeBody(c)), verify_code: code }),
        }[step];
        expectFailed(await phone(service, step, await body()), step);
        expect(of).not.toBe(step);
      }
      expect(
        (
          await service.call('POST', '/v1/devices/enroll', {
            body: { enrollment_code: codes[1]?.[1], fingerprint: freshFingerprint() },
            address: freshAddress(),
          })
        ).status,
      ).toBe(404);
    },
  );

  it.each(['pair-device', 'submit-commitment'] as const)(
    'works once in %s, even if sent twenty times simultaneously',
    async (step) => {
      const c = await ceremonyBefore(service, account, step);
      const body = () =>
        step === 'pair-device' ? { ...pairBody(c), fingerprint: freshFingerprint() } : commitBody(c);
      const replies = await Promise.all(Array.from({ length: 20 }, () => phone(service, step, body())));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(404)]);
      expectFailed(await phone(service, step, body()), step);
    },
  );

  it.each(['pair-device', 'submit-commitment', 'complete'] as const)(
    'of %s is rejected with another session_id than its own [registrations/endpoints-with-a-code]',
    async (step) => {
      const c = await ceremonyBefore(service, account, step);
      const other = await openCeremony(service, account);
      const body = {
        'pair-device': async () => pairBody(c),
        'submit-commitment': async () => commitBody(c),
        complete: () => completeBody(c),
      }[step];
      const sent = await body();
      for (const session_id of [
        other.id,
        crypto.randomUUID(),
        '',
        'x'.repeat(5_000),
        `${c.id} `,
        `{${c.id}}`,
      ])
        expectFailed(await phone(service, step, { ...sent, session_id }), step);
      expect((await phone(service, step, { ...sent, session_id: 1 })).status).toBe(400);
      expect((await phone(service, step, { ...sent, session_id: c.id.toUpperCase() })).status).toBe(201);
    },
  );

  it('of a suspended account is rejected, and works again when the account is active', async () => {
    const own = await service.signUp();
    const c = await openCeremony(service, own);
    await db.query(sql`update tenants set status = 'suspended' where id = ${own.tenantId}`);
    expectFailed(await phone(service, 'pair-device', pairBody(c)), 'pair-device');
    await db.query(sql`update tenants set status = 'active' where id = ${own.tenantId}`);
    expect((await phone(service, 'pair-device', pairBody(c))).status).toBe(201);
  });

  it.each(['pair-device', 'submit-commitment', 'complete'] as const)(
    'of %s is valid for fifteen minutes, to the millisecond',
    async (step) => {
      const send = async (c: Ceremony) => {
        const body = {
          'pair-device': async () => pairBody(c),
          'submit-commitment': async () => commitBody(c),
          complete: () => completeBody(c),
        }[step];
        return phone(service, step, await body());
      };
      const inTime = await ceremonyBefore(service, account, step);
      service.clock.advance(15 * MINUTE - 1);
      expect((await send(inTime)).status).toBe(201);
      const late = await ceremonyBefore(service, account, step);
      const state = await stateOf(late);
      service.clock.advance(15 * MINUTE);
      expectFailed(await send(late), step);
      expect(await stateOf(late)).toBe(state);
      service.clock.advance(1);
      // Deletes up to a thousand rows at a time, including those of other test files.
      await deleteExpired(service.app.deps);
      expect(await liveCodes(late)).toEqual([]);
    },
  );

  it('is rejected if the account is suspended while the proof is being verified', async () => {
    const own = await service.signUp();
    const c = await ceremonyBefore(service, own, 'complete');
    const body = await completeBody(c);
    const setStatus = (status: string) =>
      db.query(sql`update tenants set status = ${status} where id = ${own.tenantId}`);
    duringVerification = () => setStatus('suspended');
    const reply = await phone(service, 'complete', body);
    duringVerification = undefined;
    expectFailed(reply, 'complete');
    expect(await rowOf(c)).toMatchObject({ state: 'awaiting_verification', user_id: null });
    await setStatus('active');
    expect((await phone(service, 'complete', body)).status).toBe(201);
  });
});

describe('a failed step of the phone', () => {
  const observe = async (step: Step, body: unknown) => {
    db.statements.length = 0;
    verifier.calls.count = 0;
    const reply = await phone(service, step, body);
    const statements = db.statements.filter((text) => !isByTimer(text));
    return {
      reply,
      statements,
      verifications: verifier.calls.count,
      names: Object.keys(reply.headers).sort(),
    };
  };
  const abandoned = async (step: Step) => {
    const c = await ceremonyBefore(service, account, step);
    const body = step === 'complete' ? await completeBody(c) : undefined;
    await abandon(c);
    return { c, body };
  };
  const lapsed = async (step: Step, before = 30 * MINUTE) => {
    const c = await ceremonyBefore(service, account, step);
    service.clock.advance(before);
    return c;
  };

  const causes: Record<Step, Record<string, () => Promise<object>>> = {
    'pair-device': {
      'an unknown code': async () => ({ pair_code: 'SV-2222-3333', fingerprint: freshFingerprint() }),
      'no code': async () => ({ pair_code: '', fingerprint: freshFingerprint() }),
      'an expired code': async () => pairBody(await lapsed('pair-device')),
      'an abandoned session': async () => pairBody((await abandoned('pair-device')).c),
      'a used code': async () => {
        const c = await ceremonyBefore(service, account, 'submit-commitment');
        return { ...pairBody(c), fingerprint: freshFingerprint() };
      },
      'a bad fingerprint': async () => ({
        ...pairBody(await openCeremony(service, account)),
        fingerprint: 'short',
      }),
      'a fingerprint of an enrolled device': async () => {
        const { c } = await completeCeremony(service, account);
        return { ...pairBody(await openCeremony(service, account)), fingerprint: c.fingerprint };
      },
      'a fingerprint of a phone in a ceremony': async () => {
        const c = await ceremonyBefore(service, account, 'submit-commitment');
        return { ...pairBody(await openCeremony(service, account)), fingerprint: c.fingerprint };
      },
    },
    'submit-commitment': {
      'an unknown code': async () => ({
        enroll_code: 'SV-2222-3333',
        did: 'did:svc:1f',
        commitment: '0'.repeat(64),
      }),
      'an expired code': async () => commitBody(await lapsed('submit-commitment', 15 * MINUTE)),
      'an abandoned session': async () => commitBody((await abandoned('submit-commitment')).c),
      'a used code': async () => commitBody(await ceremonyBefore(service, account, 'complete')),
    },
    complete: {
      'an unknown code': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return { ...(await completeBody(c)), verify_code: 'SV-2222-3333' };
      },
      'no code': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return { ...(await completeBody(c)), verify_code: 'nothing like a code' };
      },
      'an expired code': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        const body = await completeBody(c);
        service.clock.advance(15 * MINUTE);
        return body;
      },
      'an abandoned session': async () => (await abandoned('complete')).body as object,
      'a wrong challenge': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return { ...(await completeBody(c)), challenge_nonce: 'ab'.repeat(16) };
      },
      'an empty challenge': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return { ...(await completeBody(c)), challenge_nonce: '' };
      },
      'an upper-case challenge': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        // A nonce without letters would not change in upper case.
        const nonce = 'ab'.repeat(16);
        await db.query(sql`update registration_sessions set challenge_nonce = ${nonce} where id = ${c.id}`);
        c.challengeNonce = nonce;
        return { ...(await completeBody(c)), challenge_nonce: nonce.toUpperCase() };
      },
      'another session’s challenge': async () => {
        const [c, other] = [
          await ceremonyBefore(service, account, 'complete'),
          await ceremonyBefore(service, account, 'complete'),
        ];
        return { ...(await completeBody(other)), verify_code: c.verifyCode };
      },
      'a proof for another session': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return completeBody(c, { sessionId: crypto.randomUUID() });
      },
      'a proof for another tenant': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return completeBody(c, { tenantId: crypto.randomUUID() });
      },
      'a proof for another environment': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return completeBody(c, { environment: 'test' });
      },
      'another commitment': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        return completeBody(c, { identity: { ...createIdentity(), did: c.identity.did } });
      },
      'an invalid proof': async () => {
        const body = await completeBody(await ceremonyBefore(service, account, 'complete'));
        return { ...body, proof: wrongProof(body.proof) };
      },
      'a DID registered since the last step': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        const body = { did: c.identity.did, commitment: createIdentity().commitment };
        await service.call('POST', '/v1/identity/register', { as: account.key, body });
        return completeBody(c);
      },
      'a commitment that is already registered': async () => {
        const person = await registerPerson(service, account.key);
        const identity = { ...person, did: createIdentity().did };
        return completeBody(await ceremonyBefore(service, account, 'complete', { identity }));
      },
      'an externalId assigned since the last step': async () => {
        const externalId = crypto.randomUUID();
        const c = await ceremonyBefore(service, account, 'complete', { profile: { externalId } });
        await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'B', externalId } });
        return completeBody(c);
      },
      'a device revoked since the last step': async () => {
        const c = await ceremonyBefore(service, account, 'complete');
        await service.call('DELETE', `/api/console/devices/${c.deviceId}`, { as: account.token });
        return completeBody(c);
      },
    },
  };
  const rows = Object.entries(causes).flatMap(([step, of]) =>
    Object.entries(of).map(([cause, provoke]) => [step as Step, cause, provoke] as const),
  );
  const first: Partial<Record<Step, Awaited<ReturnType<typeof observe>>>> = {};

  it.each(rows)(
    '%s: %s returns the same response at the same cost as any other cause [registrations/device-of-a-registration] [registrations/failed-steps]',
    async (step, _, provoke) => {
      const body = await provoke();
      const seq = await headSeq();
      const seen = await observe(step, body);
      expectFailed(seen.reply, step);
      first[step] ??= seen;
      const reference = first[step];
      expect({ ...seen.reply.body, requestId: '' }).toEqual({ ...reference.reply.body, requestId: '' });
      expect(seen.names).toEqual(reference.names);
      expect(seen.statements).toHaveLength(step === 'complete' ? 3 : 2);
      expect(seen.statements).toEqual(reference.statements);
      expect(seen.verifications).toBe(step === 'complete' ? 1 : 0);
      expect(await headSeq()).toBe(seq);
    },
  );

  it('costs as many verifications as success', async () => {
    const body = await completeBody(await ceremonyBefore(service, account, 'complete'));
    const seen = await observe('complete', body);
    expect([seen.reply.status, seen.verifications]).toEqual([201, 1]);
  });

  it.each<[Step, string, object]>([
    ['pair-device', 'an empty body', {}],
    ['pair-device', 'a code that is not a string', { pair_code: 7, fingerprint: 'f'.repeat(16) }],
    ['pair-device', 'an unknown field', { pair_code: 'a', fingerprint: 'f'.repeat(16), x: 1 }],
    ['pair-device', 'a blank attestation', { pair_code: 'a', fingerprint: 'f', attestation_kind: '' }],
    ['submit-commitment', 'an empty body', {}],
    [
      'submit-commitment',
      'a malformed DID',
      { enroll_code: 'a', did: 'did:other:1', commitment: '0'.repeat(64) },
    ],
    [
      'submit-commitment',
      'a short commitment',
      { enroll_code: 'a', did: 'did:svc:1', commitment: '0'.repeat(62) },
    ],
    [
      'submit-commitment',
      'a commitment beyond the field',
      { enroll_code: 'a', did: 'did:svc:1', commitment: 'f'.repeat(64) },
    ],
    ['complete', 'an empty body', {}],
    [
      'complete',
      'a malformed proof',
      { verify_code: 'a', challenge_nonce: 'b', proof: {}, public_signals: [] },
    ],
  ])('%s: %s returns 400 before any look-up', async (step, _, body) => {
    const seen = await observe(step, body);
    expect([seen.reply.status, seen.reply.body.error]).toEqual([400, 'invalid_request']);
    expect([seen.statements, seen.verifications]).toEqual([[], 0]);
  });

  it('counts towards 20 calls a minute for each address over all steps, including 400s; the 21st keeps its code valid [limit: Phone-side registration endpoints]', async () => {
    const address = freshAddress();
    const c = await openCeremony(service, account);
    const steps: Step[] = ['pair-device', 'submit-commitment', 'complete'];
    for (let call = 0; call < 20; call += 1) {
      const body = call % 2 ? {} : { pair_code: 'x', fingerprint: 'y' };
      expect([400, 404]).toContain((await phone(service, steps[call % 3] as Step, body, address)).status);
    }
    for (const step of steps) {
      const reply = await phone(service, step, pairBody(c), address);
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '60']);
    }
    expect((await phone(service, 'pair-device', pairBody(c))).status).toBe(201);
  });
});

describe('failed proofs', () => {
  it('keep the ceremony open up to the fourth; the fifth abandons it, revokes its device and is audited [registrations/completing]', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    for (let failure = 1; failure <= 4; failure += 1) {
      expectFailed(await failOnce(c), 'complete');
      expect(await stateOf(c)).toBe('awaiting_verification');
    }
    expectFailed(await failOnce(c), 'complete');
    expect(await stateOf(c)).toBe('abandoned');
    expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'revoked' });
    expect((await audits()).audit[0]).toMatchObject({
      action: 'registration.abandoned',
      status: 'failure',
      entityId: c.id,
      metadata: { reason: 'five_failures', tries: 5 },
    });
    expectFailed(await phone(service, 'complete', await completeBody(c)), 'complete');
  });

  it('allow a fifth attempt that succeeds', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    for (let failure = 1; failure <= 4; failure += 1) await failOnce(c);
    expect((await phone(service, 'complete', await completeBody(c))).status).toBe(201);
    expect((await audits()).audit[0]).toMatchObject({ entityId: c.id, metadata: { tries: 5 } });
  });

  it('are counted in the audit event that ends the ceremony', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    for (let failure = 1; failure <= 2; failure += 1) await failOnce(c);
    await abandon(c);
    expect((await audits()).audit[0]).toMatchObject({
      action: 'registration.abandoned',
      status: 'success',
      entityId: c.id,
      metadata: { tries: 2 },
    });
  });

  it('do not include wrong codes and malformed proofs', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    for (let call = 0; call < 6; call += 1) {
      await phone(service, 'complete', { ...body, verify_code: 'SV-2222-3333' });
      await phone(service, 'complete', { ...body, proof: {} });
      await phone(service, 'complete', { ...body, session_id: crypto.randomUUID() });
    }
    expect((await phone(service, 'complete', body)).status).toBe(201);
  });

  it('sent twelve times simultaneously count five times and abandon the ceremony once', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    const wrong = { ...body, proof: wrongProof(body.proof) };
    const replies = await Promise.all(Array.from({ length: 12 }, () => phone(service, 'complete', wrong)));
    for (const reply of replies) expectFailed(reply, 'complete');
    expect((await rowOf(c))?.failures).toBe(5);
    const { audit } = await audits(account.key, 50);
    expect(
      audit.filter(
        (row: { entityId: string; action: string }) =>
          row.entityId === c.id && row.action === 'registration.abandoned',
      ),
    ).toHaveLength(1);
  });

  it('do not affect a ceremony that completes while another proof is failing', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    for (let failure = 1; failure <= 3; failure += 1) await failOnce(c);
    const body = await completeBody(c);
    const wrong = { ...body, proof: wrongProof(body.proof) };
    const [good] = await Promise.all([phone(service, 'complete', body), phone(service, 'complete', wrong)]);
    expect([good.status, await stateOf(c)]).toEqual([201, 'completed']);
    expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'enrolled' });
  });

  it('are limited at the verifier by the network of the phone, as it has no API key', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    await phone(service, 'complete', body, '2001:db8:5:6::7');
    expect(lastSource).toEqual({ name: '2001:db8:5::/48', keyless: true, confirm: true });
  });

  it('do not include a 503 of a full verifier, which also keeps the code valid', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    full = true;
    for (let call = 0; call < 6; call += 1) {
      const reply = await phone(service, 'complete', body);
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    }
    full = false;
    expect((await rowOf(c))?.failures).toBe(0);
    expect((await phone(service, 'complete', body)).status).toBe(201);
  });

  it('do not include a 503 after a database error', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    // On a cluster a trigger must be permitted. Elsewhere the setting has no effect.
    const unsafe = 'set local citus.enable_unsafe_triggers to on';
    await db.script(`${unsafe}; create function reject_device() returns trigger language plpgsql as $$
      begin raise exception 'no' using errcode = '53100'; end $$;
      create trigger reject_device before update on devices for each row
      when (new.id = '${c.deviceId}') execute function reject_device()`);
    for (let call = 0; call < 6; call += 1) expect((await phone(service, 'complete', body)).status).toBe(503);
    await db.script(`${unsafe}; drop function reject_device() cascade`);
    expect((await rowOf(c))?.failures).toBe(0);
    expect((await phone(service, 'complete', body)).status).toBe(201);
  });
});

describe('a ceremony after 30 minutes', () => {
  it.each(['pair-device', 'submit-commitment', 'complete'] as const)(
    'fails at %s even with a valid code, is expired immediately, and is closed by housekeeping [limit: Registration session TTL] [registration.expired] [registrations/expiry-and-abandoning]',
    async (step) => {
      const c = await ceremonyBefore(service, account, step);
      const body = {
        'pair-device': async () => pairBody(c),
        'submit-commitment': async () => commitBody(c),
        complete: () => completeBody(c),
      }[step];
      const sent = await body();
      service.clock.advance(30 * MINUTE + 1_000);
      // Codes are still valid if the previous step was late.
      await db.query(sql`update one_time_codes set expires_at = ${new Date(service.clock.now() + 10 * MINUTE)}
        where subject_id = ${c.id}`);
      db.statements.length = 0;
      expectFailed(await phone(service, step, sent), step);
      // An expired session starts no write.
      expect(db.statements.filter((text) => !isByTimer(text))).toHaveLength(step === 'complete' ? 3 : 2);
      const polled = await poll(c);
      expect(polled.body.session.state).toBe('expired');
      const seen = async (state: string) =>
        (
          await service.call('GET', `/v1/registrations?limit=100&state=${state}`, {
            session: account.token,
          })
        ).body.registrations.some(({ id }: { id: string }) => id === c.id);
      expect([
        await seen('expired'),
        await seen('awaiting_device'),
        await seen('awaiting_verification'),
      ]).toEqual([true, false, false]);
      expect((await abandon(c)).body).toEqual(polled.body);
      await expireSessions(service.app.deps);
      const seq = await headSeq();
      await expireSessions(service.app.deps);
      expect(await headSeq()).toBe(seq);
      const { audit } = await audits(account.key, 50);
      const mine = audit.filter((row: { entityId: string }) => row.entityId === c.id);
      expect(mine[0]).toMatchObject({ action: 'registration.expired', actorType: 'system', actorId: null });
      expect(mine.filter((row: { action: string }) => row.action === 'registration.expired')).toHaveLength(1);
      expect(await liveCodes(c)).toEqual([]);
      if (c.deviceId)
        expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'revoked', status: 'retired' });
      expectFailed(await phone(service, step, sent), step);
    },
  );

  it('expires every overdue session in one run, however many batches they fill', async () => {
    const sessions = [];
    for (let i = 0; i < 5; i += 1) sessions.push(await openCeremony(service, account));
    service.clock.advance(30 * MINUTE + 1_000);
    await expireSessions(service.app.deps, 2);
    for (const { id } of sessions) {
      const [row] = await db.query(sql`select state from registration_sessions where id = ${id}`);
      expect(row).toEqual({ state: 'expired' });
    }
  });

  it('can complete until the last millisecond', async () => {
    for (const [early, status, state] of [
      [1, 201, 'completed'],
      [0, 404, 'expired'],
    ] as const) {
      const c = await openCeremony(service, account);
      service.clock.advance(10 * MINUTE);
      await pair(service, c);
      service.clock.advance(10 * MINUTE);
      await commit(service, c);
      const body = await completeBody(c);
      service.clock.advance(10 * MINUTE - early);
      expect((await phone(service, 'complete', body)).status).toBe(status);
      expect(await stateOf(c)).toBe(state);
    }
  });

  it('expires to the millisecond, and its phone can start again immediately', async () => {
    const c = await openCeremony(service, account);
    service.clock.advance(10 * MINUTE);
    await pair(service, c);
    service.clock.advance(10 * MINUTE);
    await commit(service, c);
    service.clock.advance(10 * MINUTE - 1);
    expect(await stateOf(c)).toBe('awaiting_verification');
    service.clock.advance(1);
    expect(await stateOf(c)).toBe('expired');
    const again = await openCeremony(service, account);
    expect(
      (await phone(service, 'pair-device', { ...pairBody(again), fingerprint: c.fingerprint })).status,
    ).toBe(201);
    expect(await deviceOf(c)).toMatchObject({ enrollment_state: 'revoked' });
  });
});

describe('abandoning a ceremony', () => {
  it('twice returns the same response, and the second changes nothing [Registration session: non-terminal state → abandoned] [registrations/expiry-and-abandoning] [DELETE /v1/registrations/:id]', async () => {
    const c = await ceremonyBefore(service, account, 'submit-commitment');
    const first = await abandon(c);
    expect(first.body.session.state).toBe('abandoned');
    service.clock.advance(1_000);
    const seq = await headSeq();
    const second = await abandon(c);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await headSeq()).toBe(seq);
    expectFailed(await phone(service, 'submit-commitment', commitBody(c)), 'submit-commitment');
    const again = await openCeremony(service, account);
    expect(
      (await phone(service, 'pair-device', { ...pairBody(again), fingerprint: c.fingerprint })).status,
    ).toBe(201);
  });

  it('is possible only for its owner', async () => {
    const c = await openCeremony(service, account);
    const stranger = await service.signUp();
    const test = await service.createKey(account, 'test');
    for (const as of [stranger.key, test]) {
      expect((await abandon(c, as)).body.error).toBe('session_not_found');
      expect((await poll(c, as)).body.error).toBe('session_not_found');
    }
    expect(await stateOf(c)).toBe('awaiting_device');
  });
});

describe('a profile', () => {
  const open = (profile: unknown) =>
    service.call('POST', '/v1/registrations', { as: account.key, body: { profile } });

  it.each([
    ['a string', 'x', 'body.profile'],
    ['a blank name', { fullName: ' ' }, 'body.profile.fullName'],
    ['a number as externalId', { externalId: 7 }, 'body.profile.externalId'],
    ['metadata that is not an object', { metadata: 'x' }, 'body.profile.metadata'],
    ['a device id that is not a UUID', { primaryDeviceId: 'x' }, 'body.profile.primaryDeviceId'],
    ['more than 16 KiB', { blob: 'x'.repeat(17_000) }, 'body.profile'],
  ])('with %s returns 400 when the ceremony is opened', async (_, profile, path) => {
    const reply = await open(profile);
    expect([reply.status, reply.body.details?.[0]?.path]).toEqual([400, path]);
  });

  it('with a biometric field at any depth is rejected', async () => {
    expect((await open({ a: { face_template: 'x' } })).body.error).toBe('biometric_data_rejected');
  });

  it('with an assigned externalId returns 409, and with an unknown device 404, when the ceremony is opened', async () => {
    const externalId = crypto.randomUUID();
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'B', externalId } });
    const seq = await headSeq();
    expect((await open({ externalId })).body.error).toBe('external_id_conflict');
    const test = await service.createKey(account, 'test');
    const stranger = await service.signUp();
    for (const as of [test, stranger.key]) {
      const { body } = await service.call('POST', '/v1/devices', { as, body: { name: 'Theirs' } });
      const reply = await open({ primaryDeviceId: body.device.id });
      expect([reply.status, reply.body.error]).toEqual([404, 'device_not_found']);
    }
    expect((await open({ primaryDeviceId: crypto.randomUUID() })).body.error).toBe('device_not_found');
    expect(await headSeq()).toBe(seq);
  });

  it('sets the user’s name and primary device; without one the user is Unnamed [registrations/completing]', async () => {
    const bare = await completeCeremony(service, account);
    expect(bare.reply.body.tenant_user).toMatchObject({
      fullName: 'Unnamed',
      metadata: null,
      externalId: null,
    });
    const gate = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'G' } });
    const profile = { externalId: crypto.randomUUID(), primaryDeviceId: gate.body.device.id, status: 'x' };
    const named = await completeCeremony(service, account, { profile });
    expect(named.reply.body.tenant_user).toMatchObject({
      fullName: profile.externalId,
      primaryDeviceId: gate.body.device.id,
      status: 'active',
      metadata: { status: 'x' },
    });
  });
});
