import { randomUUID } from 'node:crypto';
import { boundSignal, didHash, pairingBind, verifyBind } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { FailureReason } from '../../src/model/failure-reasons.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { type Person, proveFor, proveUnbound, registerPerson } from '../support/phone.js';
import { countVerifications, offCurve, outsideSubgroup, wrongProof } from '../support/proofs.js';
import { useRealProofs } from '../support/registered-proofs.js';
import {
  type Account,
  type Reply,
  type Service,
  sharedProver,
  sharedVerifier,
  startService,
} from '../support/service.js';

useRealProofs();

interface Observed {
  readonly reply: Reply;
  readonly headerNames: string[];
  readonly verifications: number;
  readonly statements: string[];
}

describe('a failed verification returns the same response at the same cost, whatever the cause', () => {
  let db: CountingDatabase;
  let verifier: ReturnType<typeof countVerifications>;
  let service: Service;
  let account: Account;
  let person: Person;
  /** The result that every cause is compared with. */
  let first: Observed;
  beforeAll(async () => {
    db = countStatements((await sharedDatabase()).db);
    verifier = countVerifications(await sharedVerifier());
    service = await startService({ db, verifier });
    account = await service.signUp({ plan: 'enterprise' });
    person = await registerPerson(service, account.key);
    await verify(await prove()); // loads counters and prepares statements
    first = await observe(
      await prove({ nonce: randomUUID() }).then((body) => ({ ...body, nonce: randomUUID() })),
    );
  });
  afterAll(() => service.close());

  const verify = (body: object) => service.call('POST', '/v1/identity/verify', { as: account.key, body });
  const prove = (use: { nonce?: string; timestamp?: number } = {}, prover = person) =>
    proveFor(service, prover, { tenantId: account.tenantId, ...use });

  async function observe(body: object): Promise<Observed> {
    db.statements.length = 0;
    verifier.calls.count = 0;
    const reply = await verify(body);
    return {
      reply,
      headerNames: Object.keys(reply.headers).sort(),
      verifications: verifier.calls.count,
      statements: db.statements.filter((text) => !isByTimer(text)),
    };
  }

  const inactive = async () => {
    const other = await registerPerson(service, account.key);
    await db.query(sql`update tenant_users set status = 'inactive'
      where tenant_id = ${account.tenantId} and id = ${other.userId}`);
    return other;
  };
  const revoked = async () => {
    const other = await registerPerson(service, account.key);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: other.did } });
    return other;
  };

  /** For each cause, the body that provokes it and the user of its DID (undefined when the DID is unknown). */
  const causes: Record<string, () => Promise<{ body: object; userId?: string | undefined }>> = {
    'unknown DID': async () => ({
      body: await proveFor(service, createIdentity(), { tenantId: account.tenantId }),
    }),
    'revoked identity [identities/revoking]': async () => {
      const other = await revoked();
      return { body: await prove({}, other), userId: other.userId };
    },
    'inactive user': async () => {
      const other = await inactive();
      return { body: await prove({}, other), userId: other.userId };
    },
    'commitment mismatch': async () => {
      const { biometricSecret, salt } = createIdentity();
      const body = await prove({}, { ...person, biometricSecret, salt });
      return { body, userId: person.userId };
    },
    'binding mismatch: nonce': async () => ({
      body: { ...(await prove()), nonce: randomUUID() },
      userId: person.userId,
    }),
    'binding mismatch: another tenant': async () => ({
      body: await proveFor(service, person, { tenantId: randomUUID() }),
      userId: person.userId,
    }),
    'binding mismatch: a pairing session': async () => {
      const nonce = randomUUID();
      const scope = { tenantId: account.tenantId, environment: 'live', sessionId: randomUUID() };
      const bind = pairingBind({ ...scope, nonce });
      const proved = await (await sharedProver()).prove({
        ...person,
        didHash: boundSignal(didHash(person.did), bind),
      });
      return {
        body: { did: person.did, ...proved, nonce, timestamp: service.clock.now() },
        userId: person.userId,
      };
    },
    'unbound proof': async () => ({ body: await proveUnbound(service, person), userId: person.userId }),
    replay: async () => {
      const body = await prove();
      expect((await verify(body)).status).toBe(200);
      return { body, userId: person.userId };
    },
    'stale timestamp': async () => ({
      body: await prove({ timestamp: service.clock.now() - 300_001 }),
      userId: person.userId,
    }),
    'timestamp ahead': async () => ({
      body: await prove({ timestamp: service.clock.now() + 300_001 }),
      userId: person.userId,
    }),
    'timestamp before the Unix epoch': async () => ({
      body: { ...(await prove()), timestamp: '1969-12-31T23:59:59.999Z' },
      userId: person.userId,
    }),
    'proof off the curve': async () => {
      const body = await prove();
      return { body: { ...body, proof: offCurve(body.proof) }, userId: person.userId };
    },
    'proof outside the subgroup': async () => {
      const body = await prove();
      return { body: { ...body, proof: outsideSubgroup(body.proof) }, userId: person.userId };
    },
    'invalid proof': async () => {
      const body = await prove();
      return { body: { ...body, proof: wrongProof(body.proof) }, userId: person.userId };
    },
    'proof of another statement': async () => {
      const body = await prove();
      const bind = verifyBind({
        tenantId: account.tenantId,
        environment: 'live',
        nonce: body.nonce,
        timestampMs: body.timestamp,
      });
      const signals = [body.publicSignals[0], String(boundSignal(didHash(person.did), bind)), '1'];
      return { body: { ...body, publicSignals: signals }, userId: person.userId };
    },
    'all of these together': async () => ({
      body: {
        ...(await prove()),
        did: createIdentity().did,
        publicSignals: ['123456789123456789', '2', '3'],
        timestamp: 0,
      },
    }),
  };

  const reasons: Record<string, FailureReason> = {
    'unknown DID': 'unknown_identity',
    'revoked identity [identities/revoking]': 'revoked',
    'inactive user': 'inactive_user',
    'commitment mismatch': 'wrong_secret',
    'binding mismatch: nonce': 'wrong_binding',
    'binding mismatch: another tenant': 'wrong_binding',
    'binding mismatch: a pairing session': 'wrong_binding',
    'unbound proof': 'unbound',
    replay: 'nonce_used',
    'stale timestamp': 'stale',
    'timestamp ahead': 'stale',
    'timestamp before the Unix epoch': 'stale',
    'proof off the curve': 'invalid_proof',
    'proof outside the subgroup': 'invalid_proof',
    'invalid proof': 'invalid_proof',
    'proof of another statement': 'invalid_proof',
    'all of these together': 'invalid_proof',
  };

  it.each(Object.keys(causes))('%s', async (cause) => {
    const { body, userId = null } = await (causes[cause] as (typeof causes)[string])();
    const events = async () =>
      db.query<
        Record<string, unknown>
      >(sql`select id, method, result, user_id, reason, metadata from verifications
        where tenant_id = ${account.tenantId} order by id`);
    const before = (await events()).length;
    const observed = await observe(body);

    expect(observed.reply.status).toBe(401);
    expect({ ...observed.reply.body, requestId: '' }).toEqual({
      error: 'verification_failed',
      message: 'The verification failed.',
      docs: '/docs/errors#verification_failed',
      requestId: '',
    });
    expect(observed.reply.text.length).toBe(first.reply.text.length);
    expect(observed.headerNames).toEqual(first.headerNames);
    expect(observed.verifications).toBe(1);
    expect(observed.statements).toEqual(first.statements);

    const added = (await events()).slice(before);
    expect(added).toEqual([
      {
        id: expect.any(String),
        method: 'zkp',
        result: 'fail',
        user_id: userId,
        reason: reasons[cause],
        metadata: null,
      },
    ]);
    const { body: list } = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(list.audit[0]).toMatchObject({
      action: 'identity.verify',
      actorType: 'api_key',
      actorId: account.keyId,
      entityType: 'verification',
      entityId: added[0]?.id,
      status: 'failure',
      summary: 'A proof was checked against a registered identity',
      metadata: { method: 'zkp', result: 'fail', reason: reasons[cause] },
    });
    const { did, publicSignals } = body as { did: string; publicSignals: string[] };
    for (const personal of [did, did.slice(8), publicSignals[0] as string, userId ?? did])
      expect(JSON.stringify(list.audit[0])).not.toContain(personal);
  });

  it('success: one verification and the same statements [proofs/one-failure-for-all]', async () => {
    const observed = await observe(await prove());
    expect(observed.reply.status).toBe(200);
    expect(observed.verifications).toBe(1);
    expect(observed.statements).toEqual(first.statements);
  });
});
