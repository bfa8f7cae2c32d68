import { randomUUID } from 'node:crypto';
import { addBind, joinBind } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { FailureReason } from '../../src/model/failure-reasons.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { type Person, registerPerson, type Use } from '../support/phone.js';
import { countVerifications, wrongProof } from '../support/proofs.js';
import { type Account, type Reply, type Service, sharedVerifier, startService } from '../support/service.js';
import { proveAdd, proveBind, proveRotation, withNewSecret } from '../support/several-phones.js';

interface Observed {
  readonly reply: Reply;
  readonly headerNames: string[];
  readonly verifications: number;
  readonly statements: string[];
}

type Body = Awaited<ReturnType<typeof proveAdd>> | Awaited<ReturnType<typeof proveRotation>>;

let db: CountingDatabase;
let verifier: ReturnType<typeof countVerifications>;
let service: Service;
let account: Account;
let person: Person;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  verifier = countVerifications(await sharedVerifier());
  service = await startService({ db, verifier });
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});
afterAll(() => service.close());

const here = (): Use => ({ tenantId: account.tenantId });

/** What the two claims with a second proof have in common. */
const CLAIMS = {
  add: {
    action: 'identity.added',
    success: 201,
    prove: (use: Use, phone: Person): Promise<Body> => proveAdd(service, phone, createIdentity(), use),
  },
  rotate: {
    action: 'identity.rotated',
    success: 200,
    prove: (use: Use, phone: Person): Promise<Body> =>
      proveRotation(service, phone, withNewSecret(phone), use),
  },
} as const;

type Prove = (use?: Use, phone?: Person) => Promise<Body>;

/** For each cause, a body that provokes it, and the reason that only the account reads. */
const CAUSES: Record<string, readonly [FailureReason, (prove: Prove) => Promise<object>]> = {
  'an unknown DID': ['unknown_identity', (prove) => prove(here(), { ...createIdentity(), userId: '' })],
  'a revoked identity': [
    'revoked',
    async (prove) => {
      const other = await registerPerson(service, account.key);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: other.did } });
      return prove(here(), other);
    },
  ],
  'an identity in its cool-down': [
    'not_in_force',
    async (prove) => {
      const other = await registerPerson(service, account.key);
      await db.query(sql`update identities set in_force_at = ${new Date(service.clock.now() + 1)}
        where tenant_id = ${account.tenantId} and did = ${other.did}`);
      return prove(here(), other);
    },
  ],
  'an inactive user': [
    'inactive_user',
    async (prove) => {
      const other = await registerPerson(service, account.key);
      await service.call('PATCH', `/v1/users/${other.userId}`, {
        as: account.key,
        body: { status: 'inactive' },
      });
      return prove(here(), other);
    },
  ],
  'another secret': ['wrong_secret', (prove) => prove(here(), withNewSecret(person))],
  'an identity of the other environment': [
    'unknown_identity',
    async (prove) => {
      const key = await service.createKey(account, 'test');
      return prove(here(), await registerPerson(service, key));
    },
  ],
  'a proof for another tenant': ['wrong_binding', (prove) => prove({ tenantId: randomUUID() })],
  'a proof for the other environment': [
    'wrong_binding',
    (prove) => prove({ ...here(), environment: 'test' }),
  ],
  'another nonce': ['wrong_binding', async (prove) => ({ ...(await prove()), nonce: randomUUID() })],
  'another time': [
    'wrong_binding',
    async (prove) => ({ ...(await prove()), timestamp: service.clock.now() - 1 }),
  ],
  'an old time': ['stale', (prove) => prove({ ...here(), timestamp: service.clock.now() - 300_001 })],
  'a time ahead': ['stale', (prove) => prove({ ...here(), timestamp: service.clock.now() + 300_001 })],
  'another commitment than was proved': [
    'wrong_binding',
    async (prove) => ({ ...(await prove()), newCommitment: createIdentity().commitment }),
  ],
  'two proofs of two requests': [
    'wrong_binding',
    async (prove) => {
      const [one, two] = [await prove(), await prove()];
      return { ...one, newProof: two.newProof, newPublicSignals: two.newPublicSignals };
    },
  ],
  'the same proof twice': [
    'wrong_binding',
    async (prove) => {
      const body = await prove();
      return { ...body, newProof: body.proof, newPublicSignals: body.publicSignals };
    },
  ],
  'a wrong proof of the phone': [
    'invalid_proof',
    async (prove) => {
      const body = await prove();
      return { ...body, proof: wrongProof(body.proof) };
    },
  ],
  'a wrong proof of the new secret': [
    'invalid_proof',
    async (prove) => {
      const body = await prove();
      return { ...body, newProof: wrongProof(body.newProof) };
    },
  ],
  'all of these together': [
    'invalid_proof',
    async (prove) => {
      const body = await prove({ tenantId: randomUUID(), timestamp: 0 });
      return {
        ...body,
        did: createIdentity().did,
        proof: wrongProof(body.proof),
        newProof: wrongProof(body.newProof),
      };
    },
  ],
};

describe.each(['add', 'rotate'] as const)('a failed POST /v1/identity/%s', (name) => {
  const { action, success, prove: proveWith } = CLAIMS[name];
  const prove: Prove = (use = here(), phone = person) => proveWith(use, phone);
  const keyed = (body: object) => service.call('POST', `/v1/identity/${name}`, { as: account.key, body });
  const keyless = (body: object, of: object = { tenantId: account.tenantId, environment: 'live' }) =>
    service.call('POST', `/v1/phone/identity/${name}`, { body: { ...of, ...body } });

  async function observe(send: () => Promise<Reply>): Promise<Observed> {
    db.statements.length = 0;
    verifier.calls.count = 0;
    const reply = await send();
    return {
      reply,
      headerNames: Object.keys(reply.headers).sort(),
      verifications: verifier.calls.count,
      statements: db.statements.filter((text) => !isByTimer(text)),
    };
  }

  function expectSame(observed: Observed, first: Observed) {
    expect(observed.reply.status, observed.reply.text).toBe(401);
    expect({ ...observed.reply.body, requestId: '' }).toEqual({ ...first.reply.body, requestId: '' });
    expect(observed.reply.body.error).toBe('verification_failed');
    expect(observed.reply.text.length).toBe(first.reply.text.length);
    expect(observed.headerNames).toEqual(first.headerNames);
    expect(observed.verifications).toBe(2);
    expect(observed.statements).toEqual(first.statements);
  }

  const events = () =>
    db.query<{ metadata: object; action: string; status: string }>(
      sql`select action, status, metadata, entity_id from audit_events where tenant_id = ${account.tenantId} and environment = 'live' order by seq`,
    );

  let first: Observed;
  let firstKeyless: Observed;
  beforeAll(async () => {
    const wrong = await CAUSES['an unknown DID']![1](prove);
    await keyed(wrong);
    await keyless(wrong);
    first = await observe(() => keyed(wrong));
    firstKeyless = await observe(() => keyless(wrong));
  });

  it.each(Object.keys(CAUSES))(
    '%s: the same response at the same cost [phones/several-phones]',
    async (cause) => {
      const [reason, provoke] = CAUSES[cause]!;
      const body = await provoke(prove);
      expectSame(await observe(() => keyed(body)), first);
      const recorded = await events();
      expect(recorded.at(-1)).toEqual({ action, status: 'failure', entity_id: null, metadata: { reason } });
      // A stranger's failure costs the account nothing.
      expectSame(await observe(() => keyless(body)), firstKeyless);
      expect(await events()).toEqual(recorded);
    },
  );

  it('a replay, also after what it did was undone', async () => {
    const other = await registerPerson(service, account.key);
    const body = await prove(here(), other);
    expect((await keyed(body)).status).toBe(success);
    expectSame(await observe(() => keyless(body)), firstKeyless);
    if ('newDid' in body)
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: body.newDid } });
    expectSame(await observe(() => keyed(body)), first);
  });

  it('a suspended account and an unknown one, without an API key', async () => {
    const suspended = await service.signUp({ plan: 'enterprise' });
    const their = await registerPerson(service, suspended.key);
    await service.setStatus(suspended, 'suspended');
    const use = { tenantId: suspended.tenantId };
    expectSame(
      await observe(() => prove(use, their).then((body) => keyless(body, { ...use, environment: 'live' }))),
      firstKeyless,
    );
    const unknown = { tenantId: randomUUID(), environment: 'live' };
    const body = await prove(unknown as Use);
    expectSame(await observe(() => keyless(body, unknown)), firstKeyless);
  });

  it('spends no nonce', async () => {
    const other = await registerPerson(service, account.key);
    const body = await prove(here(), other);
    expect((await keyed({ ...body, newProof: wrongProof(body.newProof) })).status).toBe(401);
    expect((await keyed(body)).status).toBe(success);
  });

  it('returns 503 and does nothing while the verifier has one slot left', async () => {
    const body = await prove();
    const real = verifier.reserve;
    let reserved = 0;
    let released = 0;
    const full = await startService({
      db,
      verifier: {
        ...verifier,
        reserve: (source) => {
          const slot = reserved < 1 ? real(source) : null;
          reserved += 1;
          const release = () => {
            released += 1;
            slot?.release();
          };
          return slot && { ...slot, release };
        },
      },
    });
    const reply = await full.call('POST', `/v1/identity/${name}`, { as: account.key, body });
    expect([reply.status, reply.body.error]).toEqual([503, 'service_unavailable']);
    expect(released).toBe(1);
    await full.close();
  });
});

it('a proof of the new secret for somebody else’s phone adds nothing [POST /v1/identity/add] [phones/several-phones]', async () => {
  const [victim, attacker] = [await registerPerson(service, account.key), createIdentity()];
  const use = {
    nonce: randomUUID(),
    timestampMs: service.clock.now(),
    tenantId: account.tenantId,
    environment: 'live',
  };
  const { did: newDid, commitment: newCommitment } = attacker;
  // The victim approves the attacker's phone, which has joined another person.
  const approved = await proveBind(victim, addBind({ ...use, newDid, newCommitment }));
  const joined = await proveBind(attacker, joinBind({ ...use, did: person.did, newCommitment }));
  const body = {
    ...{ ...approved, nonce: use.nonce, timestamp: use.timestampMs, newDid, newCommitment },
    ...{ newProof: joined.proof, newPublicSignals: joined.publicSignals },
  };
  const reply = await service.call('POST', '/v1/identity/add', { as: account.key, body });
  expect([reply.status, reply.body.error]).toEqual([401, 'verification_failed']);
});
