import { randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { FAILURE_REASONS, type FailureReason } from '../../src/model/failure-reasons.js';
import { sharedDatabase } from '../support/database.js';
import { openPairing, type Pairing, proveForPairing, scanOf, setPolicy, submit } from '../support/pairing.js';
import { type Person, proveAnonymously, proveFor, proveUnbound, registerPerson } from '../support/phone.js';
import { wrongProof } from '../support/proofs.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { oidcCallback, oidcResponse, samlCallback, samlResponse, ssoKey } from '../support/sso.js';

let service: Service;
let account: Account;
let person: Person;
/** Runs before the next transaction begins: another request came first. */
let beforeWriting: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  const { db } = await sharedDatabase();
  const racing = {
    ...db,
    async begin() {
      const run = beforeWriting;
      beforeWriting = undefined;
      await run?.();
      return db.begin();
    },
  };
  service = await startService({ db: racing });
});
afterAll(() => service.close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});

const get = async (path: string) => (await service.call('GET', path, { as: account.key })).body;
const post = (path: string, body: object) => service.call('POST', path, { as: account.key, body });
const verify = (body: object) => post('/v1/identity/verify', body);
const prove = (use: { nonce?: string; timestamp?: number } = {}, prover = person) =>
  proveFor(service, prover, { tenantId: account.tenantId, ...use });
const revoke = () => post('/v1/identity/revoke', { did: person.did });
const deactivate = (userId = person.userId) =>
  service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body: { status: 'inactive' } });
const withOtherSecret = (): Person => ({ ...createIdentity(), did: person.did, userId: person.userId });

const open = (body: object = { match: 'type' }) => openPairing(service, account.key, undefined, body);
const otherThan = (number = '') => String((Number(number) + 1) % 100).padStart(2, '0');
/** Submits a proof for a session with its number, or another one. */
async function approve(pairing: Pairing, prover = person, matchCode = pairing.matchCode) {
  const use = { tenantId: account.tenantId, sessionId: pairing.id, nonce: pairing.nonce };
  const body = await proveForPairing(prover, { ...use, ...(matchCode !== undefined && { matchCode }) });
  return { ...body, ...scanOf(pairing) };
}
const send = async ({ id }: Pairing, body: object) => submit(service, account.key, id, body);
const typeWrong = async () => {
  const pairing = await open();
  return send(pairing, await approve(pairing, person, otherThan(pairing.matchCode)));
};
const setStateOf = ({ id }: Pairing, state: string) =>
  service.db.query(sql`update proof_pairing_sessions set state = ${state} where id = ${id}`);

/** A sign-on of a new subject by SAML: its key and user. */
async function signOn(subject: string) {
  const key = await ssoKey(service, account);
  const reply = await samlCallback(service, key, await samlResponse(service, key, subject));
  return { key, userId: decodeJwt(reply.body.accessToken).sub as string };
}

type Cause = () => Promise<Reply>;

/** What provokes a recorded failure, by endpoint and reason. */
const CAUSES: Readonly<Record<string, Partial<Readonly<Record<FailureReason, Cause>>>>> = {
  'POST /v1/identity/verify': {
    invalid_proof: async () => {
      const body = await prove();
      return verify({ ...body, proof: wrongProof(body.proof) });
    },
    stale: async () => verify(await prove({ timestamp: service.clock.now() - 300_001 })),
    wrong_binding: async () => verify({ ...(await prove()), nonce: randomUUID() }),
    unbound: async () => {
      await setPolicy(service, account, { allow_unbound_proofs: true });
      expect((await verify(await prove())).status).toBe(200);
      return verify(await proveUnbound(service, person));
    },
    unknown_identity: async () => verify(await prove({}, { ...createIdentity(), userId: '' })),
    revoked: async () => {
      await revoke();
      return verify(await prove());
    },
    inactive_user: async () => {
      await deactivate();
      return verify(await prove());
    },
    wrong_secret: async () => verify(await prove({}, withOtherSecret())),
    nonce_used: async () => {
      const body = await prove();
      expect((await verify(body)).status).toBe(200);
      return verify(body);
    },
  },
  'POST /v1/auth/zkp/verify': {
    invalid_proof: async () => {
      const body = await proveAnonymously(service);
      return post('/v1/auth/zkp/verify', { ...body, proof: wrongProof(body.proof) });
    },
    stale: async () =>
      post('/v1/auth/zkp/verify', {
        ...(await proveAnonymously(service)),
        timestamp: service.clock.now() - 300_001,
      }),
    nonce_used: async () => {
      const body = await proveAnonymously(service);
      expect((await post('/v1/auth/zkp/verify', body)).status).toBe(200);
      return post('/v1/auth/zkp/verify', body);
    },
  },
  'POST /v1/proof-pairing/sessions/:id/submit': {
    invalid_proof: async () => {
      const pairing = await open();
      const body = await approve(pairing);
      return send(pairing, { ...body, proof: wrongProof(body.proof) });
    },
    unknown_identity: async () => {
      const pairing = await open();
      return send(pairing, await approve(pairing, { ...createIdentity(), userId: '' }));
    },
    revoked: async () => {
      const pairing = await open();
      await revoke();
      return send(pairing, await approve(pairing));
    },
    inactive_user: async () => {
      const pairing = await open();
      await deactivate();
      return send(pairing, await approve(pairing));
    },
    wrong_secret: async () => {
      const pairing = await open();
      return send(pairing, await approve(pairing, withOtherSecret()));
    },
    locked: async () => {
      for (let times = 0; times < 3; times += 1) await typeWrong();
      const pairing = await open();
      return send(pairing, await approve(pairing));
    },
  },
  'POST /v1/proof-pairing/sessions/:id/submit, which ends the session': { wrong_number: typeWrong },
  'POST /v1/proof-pairing/sessions/:id/submit, after another request': {
    expired: async () => {
      const pairing = await open();
      const body = await approve(pairing);
      beforeWriting = () =>
        service.db.query(
          sql`update proof_pairing_sessions set expires_at = created_at where id = ${pairing.id}`,
        );
      return send(pairing, body);
    },
    declined: async () => {
      const pairing = await open();
      const body = await approve(pairing);
      beforeWriting = () => setStateOf(pairing, 'declined');
      return send(pairing, body);
    },
    closed: async () => {
      const pairing = await open();
      const body = await approve(pairing);
      beforeWriting = () => setStateOf(pairing, 'rejected');
      return send(pairing, body);
    },
  },
  'POST /v1/auth/saml/callback': {
    unknown_sign_on: async () => {
      const { key } = await signOn('ada');
      const response = await samlResponse(service, key, 'ada');
      service.clock.advance(600_001);
      return samlCallback(service, key, response);
    },
    invalid_response: async () => {
      const { key } = await signOn('ada');
      const response = await samlResponse(service, key, 'ada');
      return samlCallback(service, key, {
        ...response,
        SAMLResponse: Buffer.from('<a/>').toString('base64'),
      });
    },
    inactive_user: async () => {
      const { key, userId } = await signOn('leaver');
      await deactivate(userId);
      return samlCallback(service, key, await samlResponse(service, key, 'leaver'));
    },
    registered_identity: async () => {
      const { key } = await signOn('mover');
      await registerPerson(service, account.key, { externalId: 'mover' });
      return samlCallback(service, key, await samlResponse(service, key, 'mover'));
    },
  },
  'POST /v1/auth/oidc/callback': {
    unknown_sign_on: async () => {
      const key = await ssoKey(service, account);
      const response = await oidcResponse(service, key, 'ada');
      expect((await oidcCallback(service, key, response)).status).toBe(200);
      return oidcCallback(service, key, response);
    },
  },
};

describe('a failed verification', () => {
  const cases = Object.entries(CAUSES).flatMap(([endpoint, causes]) =>
    Object.entries(causes).map(([reason, cause]) => ({ endpoint, reason, cause })),
  );

  it.each(cases)(
    'stores $reason, for the account only [$endpoint] [proofs/reasons-of-failures]',
    async ({ reason, cause }) => {
      const reply = await cause();
      expect(reply.status).toBeGreaterThanOrEqual(400);
      const [newest] = (await get('/v1/verifications?limit=1')).verifications;
      const { verification } = await get(`/v1/verifications/${newest.id}`);
      expect(verification).toMatchObject({ result: 'fail', reason });
      const [entry] = (await get('/v1/audit?limit=1')).audit;
      expect(entry).toMatchObject({ status: 'failure', metadata: { result: 'fail', reason } });
      const pairingSessionId = verification.metadata?.pairingSessionId;
      expect(entry.entityId).toBe(pairingSessionId ?? verification.id);
      if (pairingSessionId) expect(entry.metadata.verificationId).toBe(verification.id);
    },
  );

  it.each(Object.keys(CAUSES))(
    'gets the same response for every reason [%s] [proofs/reasons-of-failures]',
    async (endpoint) => {
      const replies = new Map<string, object>();
      for (const [reason, cause] of Object.entries(CAUSES[endpoint] ?? {})) {
        account = await service.signUp({ plan: 'enterprise' });
        person = await registerPerson(service, account.key);
        const { status, text, body } = await cause();
        replies.set(reason, { status, text: text.replaceAll(body.requestId, '') });
      }
      // Everybody can ask for the state of a session: expired, or closed.
      const isPublic = endpoint.endsWith('after another request');
      expect(new Set([...replies.values()].map((reply) => JSON.stringify(reply))).size).toBe(
        isPublic ? 2 : 1,
      );
    },
  );

  it('has each reason of the list, except those that other tests provoke [proofs/reasons-of-failures]', () => {
    const provoked = new Set<string>(cases.map(({ reason }) => reason));
    expect(FAILURE_REASONS.filter((reason) => !provoked.has(reason))).toEqual([
      'not_in_force',
      'new_browser',
      'attestation',
      'attestation_level',
    ]);
  });

  it('has no reason if it passed [proofs/reasons-of-failures]', async () => {
    expect((await verify(await prove())).status).toBe(200);
    const [newest] = (await get('/v1/verifications?limit=1')).verifications;
    expect(newest).toMatchObject({ result: 'pass', reason: null });
    const [entry] = (await get('/v1/audit?limit=1')).audit;
    const seal = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(entry.metadata).toEqual({ method: 'zkp', result: 'pass', seal });
  });
});

describe('a proof that a pairing session rejects before it is verified', () => {
  it('has the reason in its audit entry, and no verification [proofs/reasons-of-failures] [pairing.integrity_rejected] [pairing.binding_rejected]', async () => {
    const reasonOf = async () => (await get('/v1/audit?limit=1')).audit[0].metadata.reason;
    const pairing = await open();
    const body = await approve(pairing);
    expect((await send(pairing, { ...body, matchCode: otherThan(body.matchCode) })).status).toBe(401);
    expect(await reasonOf()).toBe('wrong_binding');
    await setPolicy(service, account, { require_strong_integrity: true });
    expect((await send(pairing, body)).status).toBe(400);
    expect(await reasonOf()).toBe('attestation');
    expect((await get('/v1/verifications')).verifications).toEqual([]);
  });
});
