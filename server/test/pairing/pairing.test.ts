import { randomUUID } from 'node:crypto';
import { boundSignal, didHash, SCALAR_FIELD } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import {
  type CountingDatabase,
  countStatements,
  databaseKind,
  isByTimer,
  sharedDatabase,
} from '../support/database.js';
import {
  bindPairing,
  openPairing,
  type Pairing,
  poll,
  proveForPairing,
  scanOf,
  submit,
  watch,
} from '../support/pairing.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import {
  countVerifications,
  offCurve,
  outsideSubgroup,
  rerandomised,
  wrongProof,
} from '../support/proofs.js';
import { useRealProofs } from '../support/registered-proofs.js';
import {
  type Account,
  freshAddress,
  type Reply,
  type Service,
  sharedProver,
  sharedVerifier,
  startService,
} from '../support/service.js';

const TTL_MS = 300_000;

let db: CountingDatabase;
let verifier: ReturnType<typeof countVerifications>;
let service: Service;
let account: Account;
let other: Account;
let testKey: string;
let person: Person;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  verifier = countVerifications(await sharedVerifier());
  service = await startService({ db, verifier, env: { BASE_URL: 'https://id.example.com' } });
  account = await service.signUp({ plan: 'enterprise' });
  other = await service.signUp({ plan: 'enterprise' });
  testKey = await service.createKey(account, 'test');
  person = await registerPerson(service, account.key);
});
afterAll(() => service.close());
// Ids from two nodes sort by time only if their milliseconds differ.
beforeEach(() => service.clock.advance(1));

const open = (cookie?: string) => openPairing(service, account.key, cookie);
const prove = ({ id, nonce }: { id: string; nonce: string }, prover = person) =>
  proveForPairing(prover, { tenantId: account.tenantId, sessionId: id, nonce });
const publicRead = (id: string, address = freshAddress()) =>
  service.call('GET', `/v1/proof-pairing/sessions/${id}/public`, { address });
const rowOf = async (id: string) => {
  const [row] = await db.query(sql`select * from proof_pairing_sessions where id = ${id}`);
  return row as Record<string, unknown>;
};
const lastAudit = async (as = account.key) =>
  (await service.call('GET', '/v1/audit?limit=1', { as })).body.audit[0];

describe('opening a pairing session', () => {
  it('returns the session, sets the cookie and writes an audit event [Proof-pairing session: (none) → issued] [limit: Pairing bind cookie] [POST /v1/proof-pairing/sessions]', async () => {
    const { reply, id } = await open();
    const expiresAt = new Date(service.clock.now() + TTL_MS).toISOString();
    expect(reply.body).toEqual({
      session: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        nonce: expect.stringMatching(/^[0-9a-f]{62}$/),
        expiresAt,
        qrPayload: expect.any(String),
        url: expect.stringMatching(/^https:\/\/id\.example\.com\/phone\/#c=[\w-]{22}\.\d+\.[\w-]{16}$/),
        streamUrl: `/v1/proof-pairing/sessions/${id}/stream`,
        state: 'issued',
      },
    });
    const [pair, ...attributes] = String(reply.headers['set-cookie']).split('; ');
    expect(pair).toMatch(new RegExp(`^svc_pair_bind=${id}~[\\w-]{43}$`));
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      'Max-Age=300',
      'Path=/v1/proof-pairing/',
      'SameSite=Strict',
      'Secure',
    ]);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(await lastAudit()).toMatchObject({ action: 'pairing.session_created', entityId: id });
  });

  it('fits everything that a phone needs into a QR code of at most 1500 bytes [limit: QR payload capacity] [pairing/qr-payload]', async () => {
    const { id, nonce, expiresAt, qrPayload } = await open();
    const [scheme, kind, version, ...fields] = qrPayload.split(':');
    expect([scheme, kind, version]).toEqual(['za', 'pair', '1']);
    expect(fields).toEqual([
      id,
      nonce,
      String(Math.floor(Date.parse(expiresAt) / 1000)),
      account.tenantId,
      'live',
      Buffer.from('https://id.example.com').toString('base64url'),
    ]);
    expect(BigInt(`0x${nonce}`) < SCALAR_FIELD).toBe(true);
    const longest = await startService({
      env: { BASE_URL: `https://${'a.'.repeat(125)}example` },
      clock: service.clock,
    });
    const { qrPayload: long } = await openPairing(longest, account.key);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(1500);
    await longest.close();
  });

  it('accepts an empty body or {}, and rejects any field', async () => {
    const call = (body: object) =>
      service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body });
    expect((await call({})).status).toBe(201);
    expect((await call({ ttl: 1 })).status).toBe(400);
  });
});

describe('the bind cookie', () => {
  it('covers four sessions; a fifth replaces the oldest [pairing/bind-cookie]', async () => {
    const tabs: Pairing[] = [];
    for (let tab = 0; tab < 5; tab += 1) tabs.push(await open(tabs.at(-1)?.cookie));
    const cookie = tabs[4]?.cookie as string;
    const statuses: number[] = [];
    for (const { id } of tabs) statuses.push((await poll(service, account.key, { id, cookie })).status);
    expect(statuses).toEqual([403, 200, 200, 200, 200]);
    expect(tabs[3]?.cookie.split('.')).toHaveLength(4);
    expect(cookie.split('.').map((pair) => pair.replace('svc_pair_bind=', '').split('~')[0])).toEqual(
      tabs.slice(1).map(({ id }) => id),
    );
  });

  it('is rejected with another secret, another session’s secret, a hash, or in a malformed form', async () => {
    const mine = await open();
    const theirs = await open();
    const secret = mine.cookie.split('~')[1] as string;
    const { bind_hash: hash } = await rowOf(mine.id);
    const flipped = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
    const wrong = [
      undefined,
      '',
      'svc_pair_bind=',
      theirs.cookie,
      `svc_pair_bind=${mine.id}~${theirs.cookie.split('~')[1]}`,
      `svc_pair_bind=${mine.id}~${flipped}`,
      `svc_pair_bind=${mine.id}~${secret.slice(0, -1)}`,
      `svc_pair_bind=${mine.id}~${secret}x`,
      `svc_pair_bind=${mine.id}~${hash}`,
      `svc_pair_bind=${mine.id}~`,
      `svc_pair_bind=${secret}`,
      `svc_pair_bind="${mine.id}~${secret}`,
      `other=${mine.id}~${secret}`,
      `svc_pair_bind=%E0%A4%A; svc_pair_bind=${mine.id}~${secret}`,
    ];
    for (const cookie of wrong) {
      for (const path of ['', '/stream']) {
        const reply = await service.call('GET', `/v1/proof-pairing/sessions/${mine.id}${path}`, {
          as: account.key,
          headers: { ...(cookie !== undefined && { cookie }) },
        });
        expect([reply.status, reply.body.error], cookie).toEqual([403, 'pairing_bind_mismatch']);
      }
    }
    const withOthers = `a=b; ${mine.cookie}; c="d"`;
    expect((await poll(service, account.key, { id: mine.id, cookie: withOthers })).status).toBe(200);
  });

  it('gives another tenant or environment no access: 404 before the cookie is checked', async () => {
    const pairing = await open();
    for (const as of [other.key, testKey]) {
      for (const cookie of [pairing.cookie, '']) {
        const reply = await poll(service, as, { id: pairing.id, cookie });
        expect([reply.status, reply.body.error]).toEqual([404, 'pairing_session_not_found']);
      }
    }
  });
});

/** Brings a session into a state and generates a proof for it. */
const STATES: Record<string, () => Promise<{ pairing: Pairing; body: object; as: string }>> = {
  issued: async () => {
    const pairing = await open();
    return { pairing, body: await prove(pairing), as: account.key };
  },
  bound: async () => {
    const pairing = await open();
    const body = await prove(pairing);
    expect((await submit(service, account.key, pairing.id, body)).status).toBe(200);
    return { pairing, body, as: account.key };
  },
  expired: async () => {
    const pairing = await open();
    const body = await prove(pairing);
    service.clock.advance(TTL_MS);
    return { pairing, body, as: account.key };
  },
  declined: async () => {
    const pairing = await open();
    const path = `/v1/proof-pairing/sessions/${pairing.id}/decline`;
    const body = { reason: 'mistake' };
    expect((await service.call('POST', path, { as: account.key, body })).status).toBe(200);
    return { pairing, body: await prove(pairing), as: account.key };
  },
  rejected: async () => {
    const pairing = await openPairing(service, account.key, undefined, { match: 'type' });
    const numbered = (matchCode: string) =>
      proveForPairing(person, {
        tenantId: account.tenantId,
        sessionId: pairing.id,
        nonce: pairing.nonce,
        matchCode,
      });
    const wrong = await numbered(pairing.matchCode === '00' ? '01' : '00');
    const reply = await submit(service, account.key, pairing.id, { ...wrong, ...scanOf(pairing) });
    expect(reply.body.error).toBe('pairing_match_failed');
    return { pairing, body: await numbered(pairing.matchCode as string), as: account.key };
  },
  'bound, then past its expiry': async () => {
    const state = await (STATES.bound as (typeof STATES)[string])();
    service.clock.advance(TTL_MS);
    return state;
  },
  'of another tenant': async () => {
    const state = await (STATES.issued as (typeof STATES)[string])();
    return { ...state, as: other.key };
  },
  'of the other environment': async () => {
    const state = await (STATES.issued as (typeof STATES)[string])();
    return { ...state, as: testKey };
  },
  'never opened': async () => {
    const state = await (STATES.issued as (typeof STATES)[string])();
    const id = randomUUID();
    const streamUrl = state.pairing.streamUrl.replace(state.pairing.id, id);
    return { ...state, pairing: { ...state.pairing, id, streamUrl } };
  },
};

/** The response to each action in each state. `submit` comes last: it is the only action that changes the state, and only from issued. */
// biome-ignore format: a table
const TABLE: [state: string, publicRead: string, poll: string, stream: string, unbound: string, wrong: string, submit: string][] = [
  ['issued',                      '200 issued', '200 issued',  '200 session_created', '401 pairing_nonce_mismatch',        '401 verification_failed',           '200 bound'],
  ['bound',                       '200 bound',  '200 bound',   '200 session_bound',   '409 pairing_session_already_bound', '409 pairing_session_already_bound', '409 pairing_session_already_bound'],
  ['declined',                    '404',        '200 declined', '200 session_declined', '409 pairing_session_closed',       '409 pairing_session_closed',        '409 pairing_session_closed'],
  ['rejected',                    '404',        '200 rejected', '200 session_rejected', '409 pairing_session_closed',       '409 pairing_session_closed',        '409 pairing_session_closed'],
  ['expired',                     '404',        '200 expired', '200 session_expired', '410 pairing_session_expired',       '410 pairing_session_expired',       '410 pairing_session_expired'],
  ['bound, then past its expiry', '404',        '200 bound',   '200 session_bound',   '410 pairing_session_expired',       '410 pairing_session_expired',       '410 pairing_session_expired'],
  ['of another tenant',           '200 issued', '404',         '404',                 '404 pairing_session_not_found',     '404 pairing_session_not_found',     '404 pairing_session_not_found'],
  ['of the other environment',    '200 issued', '404',         '404',                 '404 pairing_session_not_found',     '404 pairing_session_not_found',     '404 pairing_session_not_found'],
  ['never opened',                '404',        '404',         '404',                 '404 pairing_session_not_found',     '404 pairing_session_not_found',     '404 pairing_session_not_found'],
];

describe('each action returns the documented response for a session that is [Proof-pairing session: issued → expired] [pairing/one-submit-binds]', () => {
  it.each(TABLE)('%s', async (state, ...expected) => {
    const { pairing, body, as } = await (STATES[state] as (typeof STATES)[string])();
    const resultOf = (reply: Reply) =>
      [
        reply.status,
        reply.body.state ??
          reply.body.session?.state ??
          (reply.status === 404 && !reply.body.details ? undefined : reply.body.error),
      ]
        .filter(Boolean)
        .join(' ');
    const outcome = (reply: Reply) => `${reply.status} ${reply.body.error ?? reply.body.session.state}`;
    const stream = await watch(service, as, pairing);
    const streamed = stream.status === 200 ? `200 ${(await stream.next()).event}` : String(stream.status);
    stream.disconnect();
    const before = await rowOf(pairing.id);
    const actual = [
      resultOf(await publicRead(pairing.id)),
      resultOf(await poll(service, as, pairing)),
      streamed,
    ];
    const { proof } = body as { proof: Parameters<typeof wrongProof>[0] };
    const unbound = { ...body, publicSignals: ['1', '2', '3'] };
    actual.push(outcome(await submit(service, as, pairing.id, unbound)));
    actual.push(outcome(await submit(service, as, pairing.id, { ...body, proof: wrongProof(proof) })));
    const errors =
      state === 'issued' ? { error_count: 2, errors: ['pairing_nonce_mismatch', 'verification_failed'] } : {};
    expect(await rowOf(pairing.id)).toEqual(before && { ...before, ...errors });
    actual.push(outcome(await submit(service, as, pairing.id, body)));
    expect(actual).toEqual(expected);
    if (state !== 'issued') expect(await rowOf(pairing.id)).toEqual(before);
  });
});

describe('submitting a proof', () => {
  it('opens one session for the phone and one for the desktop, in the documented form [POST /v1/proof-pairing/sessions/:id/submit] [GET /v1/proof-pairing/sessions/:id]', async () => {
    const pairing = await open();
    const reply = await submit(service, account.key, pairing.id, await prove(pairing));
    const tokens = {
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
    };
    const session = {
      id: pairing.id,
      state: 'bound',
      boundAt: new Date(service.clock.now()).toISOString(),
      userId: person.userId,
      did: person.did,
    };
    expect(reply.body).toEqual({ session, tokens });
    const { reply: _, cookie: __, ...opened } = pairing;
    const polled = await poll(service, account.key, pairing);
    expect(polled.body).toEqual({ session: { ...opened, ...session }, tokens });
    expect(polled.body.tokens.refreshToken).not.toBe(reply.body.tokens.refreshToken);
    const me = async (token: string) =>
      service.call('GET', '/v1/identity/me', { as: account.key, headers: { 'x-session-token': token } });
    const [phone, desktop] = [
      await me(reply.body.tokens.accessToken),
      await me(polled.body.tokens.accessToken),
    ];
    expect([phone.body.did, desktop.body.did]).toEqual([person.did, person.did]);
    expect(phone.body.sessionId).not.toBe(desktop.body.sessionId);
  });

  it('opens two sessions that end together, no matter which one logs out [pairing/two-sessions]', async () => {
    for (const ends of ['phone', 'desktop']) {
      const { pairing, tokens: ofPhone } = await bindPairing(service, account);
      const desktop = (await poll(service, account.key, pairing)).body.tokens;
      const tokens = { phone: ofPhone, desktop };
      const headers = { 'x-session-token': tokens[ends as 'phone'].accessToken };
      expect((await service.call('POST', '/v1/identity/logout', { as: account.key, headers })).status).toBe(
        200,
      );
      for (const { accessToken, refreshToken } of Object.values(tokens)) {
        const me = { as: account.key, headers: { 'x-session-token': accessToken } };
        expect((await service.call('GET', '/v1/identity/me', me)).status).toBe(401);
        const refresh = { as: account.key, body: { refreshToken } };
        expect((await service.call('POST', '/v1/identity/refresh', refresh)).status).toBe(401);
      }
      expect((await poll(service, account.key, pairing)).body.tokens).toBeNull();
    }
  });

  it('keeps the person’s other sessions when a pairing ends', async () => {
    const { person: prover, tokens } = await bindPairing(service, account);
    const body = await proveFor(service, prover, { tenantId: account.tenantId });
    const own = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
    const end = { as: account.key, headers: { 'x-session-token': tokens.accessToken } };
    expect((await service.call('POST', '/v1/identity/logout', end)).status).toBe(200);
    const me = { as: account.key, headers: { 'x-session-token': own.body.accessToken } };
    expect((await service.call('GET', '/v1/identity/me', me)).status).toBe(200);
  });

  describe('with real proofs', () => {
    useRealProofs();
    it('binds once when many valid proofs arrive simultaneously at two nodes [Proof-pairing session: issued → bound] [pairing/one-submit-binds]', async () => {
      const node = await startService({ clock: service.clock });
      const pairing = await open();
      const body = await prove(pairing);
      const twin = await registerPerson(service, account.key);
      const theirs = await prove(pairing, twin);
      const bodies = [body, { ...body, proof: rerandomised(body.proof) }, theirs];
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          submit(index % 2 ? node : service, account.key, pairing.id, bodies[index % 3] as object),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
      for (const { body: rejection, status } of replies)
        if (status === 409) expect(rejection.error).toBe('pairing_session_already_bound');
      const sessions = await db.query(sql`select id from sessions where pairing_session_id = ${pairing.id}`);
      expect(sessions).toHaveLength(2);
      expect(await rowOf(pairing.id)).toMatchObject({ state: 'bound', error_count: 0 });
      await node.close();
    });
  });

  it('counts each of several simultaneous rejections', async () => {
    const pairing = await open();
    const body = await prove(pairing);
    const wrong = { ...body, proof: wrongProof(body.proof) };
    await Promise.all(Array.from({ length: 5 }, () => submit(service, account.key, pairing.id, wrong)));
    expect(await rowOf(pairing.id)).toMatchObject({ state: 'issued', error_count: 5 });
    expect((await submit(service, account.key, pairing.id, body)).status).toBe(200);
  });

  it('accepts a proof until the last millisecond, and rejects one if the session expires during verification [pairing/one-submit-binds]', async () => {
    const late = await open();
    const lateBody = await prove(late);
    service.clock.advance(TTL_MS - 1);
    expect((await submit(service, account.key, late.id, lateBody)).status).toBe(200);
    const slow = await open();
    const body = await prove(slow);
    const inner = await sharedVerifier();
    const node = await startService({
      clock: service.clock,
      verifier: {
        ...countVerifications(inner),
        reserve: () => ({
          release: () => {},
          verify: async () => {
            service.clock.advance(TTL_MS);
            return true;
          },
        }),
      },
    });
    const reply = await submit(node, account.key, slow.id, body);
    expect([reply.status, reply.body.error]).toEqual([410, 'pairing_session_expired']);
    expect(await rowOf(slow.id)).toMatchObject({ state: 'issued', error_count: 0 });
    await node.close();
  });

  it('rejects a proof that is not bound to this session [pairing.binding_rejected] [pairing/polling]', async () => {
    const pairing = await open();
    const twin = await open();
    const { id: sessionId, nonce } = pairing;
    const { tenantId } = account;
    const forged = [
      await proveForPairing(person, { tenantId: other.tenantId, sessionId, nonce }),
      await proveForPairing(person, { tenantId, environment: 'test', sessionId, nonce }),
      await proveForPairing(person, { tenantId, sessionId: twin.id, nonce }),
      await proveForPairing(person, { tenantId, sessionId, nonce: twin.nonce }),
      await proveFor(service, person, { tenantId, nonce: sessionId }).then(
        ({ did, proof, publicSignals }) => ({
          did,
          proof,
          publicSignals,
        }),
      ),
      await (await sharedProver())
        .prove({ ...person, didHash: didHash(person.did) })
        .then((proved) => ({ did: person.did, ...proved })),
    ];
    verifier.calls.count = 0;
    for (const body of forged) {
      const reply = await submit(service, account.key, pairing.id, body);
      expect([reply.status, reply.body.error]).toEqual([401, 'pairing_nonce_mismatch']);
    }
    // This is decided before the identity is looked up, so an unknown DID gets the same error.
    const unknown = { ...forged[2], did: createIdentity().did };
    expect((await submit(service, account.key, pairing.id, unknown)).body.error).toBe(
      'pairing_nonce_mismatch',
    );
    expect(verifier.calls.count).toBe(0);
    const event = await lastAudit();
    expect(event).toMatchObject({
      action: 'pairing.binding_rejected',
      entityId: pairing.id,
      status: 'failure',
    });
    expect(JSON.stringify(event)).not.toContain('did:svc');
    expect((await submit(service, account.key, pairing.id, await prove(pairing))).status).toBe(200);
  });

  it('releases an unused slot of the verifier', async () => {
    const pairing = await open();
    const { queued } = verifier.stats();
    const body = { ...(await prove(pairing)), publicSignals: ['1', '2', '3'] };
    for (const id of [pairing.id, randomUUID()]) await submit(service, account.key, id, body);
    expect(verifier.stats().queued).toBe(queued);
  });

  it('returns 503 when the verifier is full, and the same proof works later', async () => {
    const pairing = await open();
    const body = await prove(pairing);
    const full = { ...countVerifications(await sharedVerifier()), reserve: () => null };
    const node = await startService({ clock: service.clock, verifier: full });
    const reply = await submit(node, account.key, pairing.id, body);
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
    expect((await submit(service, account.key, pairing.id, body)).status).toBe(200);
    await node.close();
  });

  it('accepts clientMeta within its limits, and never stores or parses rawScan [pairing/checks-of-a-submit]', async () => {
    const pairing = await open();
    const body = await prove(pairing);
    const rawScan = `za:proof:1:${'A'.repeat(1489)}`;
    const meta = { appVersion: '1.2.3', platform: 'android', model: 'Pixel', proofMs: 412.5 };
    const bad = [
      { rawScan: `${rawScan}A` },
      { rawScan: '' },
      { rawScan: 7 },
      { proofMs: -1 },
      { proofMs: '1' },
      { appVersion: '' },
      { model: 'x'.repeat(129) },
      { battery: 1 },
    ];
    for (const clientMeta of bad)
      expect((await submit(service, account.key, pairing.id, { ...body, clientMeta })).status).toBe(400);
    const clientMeta = { ...meta, deviceAttestationVerdict: 'strong', rawScan };
    expect((await submit(service, account.key, pairing.id, { ...body, clientMeta })).status).toBe(200);
    const [event] = await db.query<{ metadata: object }>(sql`select metadata from verifications
      where tenant_id = ${account.tenantId} order by id desc limit 1`);
    expect(event?.metadata).toEqual({
      pairingSessionId: pairing.id,
      attestation: { verdict: 'strong', evidence: 'claimed' },
      client: meta,
    });
  });
});

describe('a rejected proof returns the same response at the same cost, whatever the cause', () => {
  const observe = async (body: object, id: string) => {
    db.statements.length = 0;
    verifier.calls.count = 0;
    const reply = await submit(service, account.key, id, body);
    const statements = db.statements.filter((text) => !isByTimer(text));
    return { reply, names: Object.keys(reply.headers).sort(), statements, verified: verifier.calls.count };
  };
  const causes: Record<string, (pairing: Pairing) => Promise<{ body: object; userId: string | null }>> = {
    'unknown DID [Proof-pairing session: issued → unchanged or unspecified]': async (pairing) => ({
      body: await prove(pairing, { ...createIdentity(), userId: '' }),
      userId: null,
    }),
    'revoked identity': async (pairing) => {
      const prover = await registerPerson(service, account.key);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: prover.did } });
      return { body: await prove(pairing, prover), userId: prover.userId };
    },
    'inactive user': async (pairing) => {
      const prover = await registerPerson(service, account.key);
      await db.query(sql`update tenant_users set status = 'inactive' where id = ${prover.userId}`);
      return { body: await prove(pairing, prover), userId: prover.userId };
    },
    'commitment mismatch': async (pairing) => {
      const { biometricSecret, salt } = createIdentity();
      return { body: await prove(pairing, { ...person, biometricSecret, salt }), userId: person.userId };
    },
    'proof off the curve': async (pairing) => {
      const body = await prove(pairing);
      return { body: { ...body, proof: offCurve(body.proof) }, userId: person.userId };
    },
    'proof outside the subgroup': async (pairing) => {
      const body = await prove(pairing);
      return { body: { ...body, proof: outsideSubgroup(body.proof) }, userId: person.userId };
    },
    'proof of another statement': async (pairing) => {
      const body = await prove(pairing);
      return { body: { ...body, publicSignals: ['5', body.publicSignals[1], '1'] }, userId: person.userId };
    },
  };
  let first: Awaited<ReturnType<typeof observe>>;

  it.each(Object.keys(causes))('%s', async (cause) => {
    const pairing = await open();
    const { body, userId } = await (causes[cause] as (typeof causes)[string])(pairing);
    const observed = await observe(body, pairing.id);
    first ??= observed;
    expect(observed.reply.status).toBe(401);
    expect({ ...observed.reply.body, requestId: '' }).toEqual({ ...first.reply.body, requestId: '' });
    expect(observed.reply.body.error).toBe('verification_failed');
    expect(observed.names).toEqual(first.names);
    expect(observed.statements).toEqual(first.statements);
    expect(observed.verified).toBe(1);
    const [event] = await db.query<{ id: string }>(sql`select id, method, result, user_id from verifications
      where tenant_id = ${account.tenantId} order by id desc limit 1`);
    expect(event).toMatchObject({ method: 'zkp', result: 'fail', user_id: userId });
    const audit = await lastAudit();
    expect(audit).toMatchObject({
      action: 'pairing.submit',
      entityType: 'pairing_session',
      entityId: pairing.id,
      status: 'failure',
      metadata: { verificationId: event?.id, result: 'fail', verdict: 'absent', evidence: 'none' },
    });
    const { did } = body as { did: string };
    for (const personal of [did.slice(8), userId ?? did])
      expect(JSON.stringify(audit)).not.toContain(personal);
    expect(await rowOf(pairing.id)).toMatchObject({ state: 'issued', errors: ['verification_failed'] });
  });

  it('success: one verification and the same statements', async () => {
    const pairing = await open();
    const observed = await observe(await prove(pairing), pairing.id);
    expect(observed.reply.status).toBe(200);
    expect(observed.verified).toBe(1);
    expect(observed.statements).toEqual(first.statements);
    expect(await lastAudit()).toMatchObject({
      action: 'pairing.submit',
      status: 'success',
      metadata: { result: 'pass' },
    });
  });
});

describe('the desktop’s tokens', () => {
  it('can be fetched repeatedly until the pairing expires, and are then deleted [pairing/polling]', async () => {
    const { pairing } = await bindPairing(service, account);
    const { tokens: first } = (await poll(service, account.key, pairing)).body;
    service.clock.advance(TTL_MS - 1);
    const { tokens: again } = (await poll(service, account.key, pairing)).body;
    expect(again.refreshToken).toBe(first.refreshToken);
    expect(await service.app.deps.tokens.verify('session', again.accessToken)).toMatchObject({
      iat: Math.floor(service.clock.now() / 1000),
    });
    service.clock.advance(1);
    const late = await poll(service, account.key, pairing);
    expect(late.body).toMatchObject({ session: { state: 'bound' }, tokens: null });
    service.clock.advance(1);
    await deleteExpired(service.app.deps);
    expect(await rowOf(pairing.id)).toMatchObject({ state: 'bound', desktop_refresh_sealed: null });
  });

  it('are never returned after they were used, their identity revoked or their user deactivated', async () => {
    const ends: Record<string, (prover: Person, refreshToken: string) => Promise<unknown>> = {
      used: (_, refreshToken) =>
        service.call('POST', '/v1/identity/refresh', { as: account.key, body: { refreshToken } }),
      revoked: ({ did }) => service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } }),
      inactive: ({ userId }) =>
        db.query(sql`update tenant_users set status = 'inactive' where id = ${userId}`),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { pairing, person: prover } = await bindPairing(service, account);
      const { tokens } = (await poll(service, account.key, pairing)).body;
      await end(prover, tokens.refreshToken);
      expect((await poll(service, account.key, pairing)).body.tokens, name).toBeNull();
      const stream = await watch(service, account.key, pairing);
      expect((await stream.next()).data.tokens, name).toBeNull();
    }
  });

  it('are never in plain text in a table, the log or an error', async () => {
    const { pairing, tokens: ofPhone } = await bindPairing(service, account);
    const { tokens } = (await poll(service, account.key, pairing)).body;
    const secrets: string[] = [tokens, ofPhone].flatMap(({ accessToken, refreshToken }) => [
      accessToken,
      refreshToken,
    ]);
    secrets.push(pairing.cookie.split('~')[1] as string);
    const tables = await db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const [row] = await db.query<{ n: number }>({
        text: `select count(*) as n from ${name} t where to_jsonb(t)::text like any ($1::text[])`,
        values: [secrets.map((secret) => `%${secret}%`)],
      });
      expect(row?.n, name).toBe(0);
    }
    const log = service.logged.join('\n');
    for (const secret of [...secrets, pairing.nonce]) expect(log.includes(secret)).toBe(false);
  });
});

describe('the public read', () => {
  it('returns id, state and expiry to anyone with the id [GET /v1/proof-pairing/sessions/:id/public]', async () => {
    const { id, expiresAt } = await open();
    const reply = await publicRead(id);
    expect(reply.body).toEqual({ id, state: 'issued', expiresAt });
    expect(reply.headers['cache-control']).toBe('no-store');
    for (const name of ['x-svc-tenant', 'x-svc-plan', 'x-ratelimit-limit', 'set-cookie'])
      expect(reply.headers).not.toHaveProperty(name);
  });

  it('returns the same 404 for every session that it does not show', async () => {
    const expired = await open();
    service.clock.advance(TTL_MS);
    const idle = await service.signUp();
    const theirs = await openPairing(service, idle.key);
    await db.query(sql`update tenants set status = 'suspended' where id = ${idle.tenantId}`);
    const ids = [expired.id, theirs.id, randomUUID(), 'x', `${expired.id}0`, '..%2f', '%00', 'null'];
    const seen = [];
    for (const id of ids) {
      const { status, headers, body } = await publicRead(id);
      seen.push({
        status,
        names: Object.keys(headers).sort(),
        cache: headers['cache-control'],
        body: { ...body, requestId: '' },
      });
    }
    expect(seen[0]).toMatchObject({
      status: 404,
      cache: 'no-store',
      body: { error: 'pairing_session_not_found' },
    });
    for (const reply of seen) expect(reply).toEqual(seen[0]);
  });

  it('is limited to thirty calls a minute for each address [limit: Public pairing freshness read]', async () => {
    const { id } = await open();
    const address = freshAddress();
    const statuses: number[] = [];
    for (let call = 0; call < 31; call += 1)
      statuses.push((await publicRead(call % 2 ? id : randomUUID(), address)).status);
    expect(statuses.slice(0, 30).every((status) => status === 200 || status === 404)).toBe(true);
    expect(statuses[30]).toBe(429);
    const rejected = await publicRead(id, address);
    expect(rejected.headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
    expect((await publicRead(id)).status).toBe(200);
    service.clock.advance(60_000);
    expect((await publicRead(id, address)).status).toBe(200);
  });
});

it(`computes the bound signal as documented in docs/proofs.md (on ${databaseKind})`, async () => {
  const { id: sessionId, nonce } = await open();
  const { publicSignals } = await proveForPairing(person, { tenantId: account.tenantId, sessionId, nonce });
  const { pairingBind } = await import('@svc/zk/field');
  const bind = pairingBind({ tenantId: account.tenantId, environment: 'live', sessionId, nonce });
  expect(publicSignals[1]).toBe(String(boundSignal(didHash(person.did), bind)));
});
