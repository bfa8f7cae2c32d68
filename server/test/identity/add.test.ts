import { createHash, randomUUID } from 'node:crypto';
import { hashEnrolment, tagOf, wordOf } from '@svc/chain/leaves';
import { addBind, didHash, joinBind } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { answerBody, type Meeting, meetingAfter, onPhone, takeStep } from '../support/additions.js';
import { setPolicy } from '../support/pairing.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';
import { accountOf, addPhone, proveAdd, proveBind, rotatePhone } from '../support/several-phones.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const add = (body: object) => service.call('POST', '/v1/identity/add', { as: account.key, body });
const addKeyless = (body: object) =>
  service.call('POST', '/v1/phone/identity/add', { body: { ...accountOf(account), ...body } });
const use = () => ({ tenantId: account.tenantId });
const verify = async (phone: Person | ReturnType<typeof createIdentity>) =>
  service.call('POST', '/v1/identity/verify', {
    as: account.key,
    body: await proveFor(service, phone, use()),
  });
const lastEvent = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];

describe('adding a phone [phones/several-phones]', () => {
  it.each([
    ['POST /v1/identity/add', add, 'api_key'],
    ['POST /v1/phone/identity/add', addKeyless, 'phone'],
  ] as const)('%s adds an identity to the same person, which both can use', async (_, send, actorType) => {
    const old = await registerPerson(service, account.key);
    const joining = createIdentity();
    const body = await proveAdd(service, old, joining, use());
    const reply = await send(body);
    expect(reply.status, reply.text).toBe(201);
    const { did, commitment } = joining;
    const { userId } = old;
    expect(reply.body.identity).toEqual({
      did,
      userId,
      commitment,
      createdAt: expect.any(String),
      inForceAt: null,
    });
    expect(reply.body.userId).toBe(userId);
    const { identityId, salt, leaf, seq } = reply.body.enrolment;
    const tag = tagOf(account.tenantId, 'live');
    const hashed = hashEnrolment({
      tag,
      identityId,
      userId,
      didHash: wordOf(didHash(did)),
      commitment,
      salt,
    });
    expect(leaf).toBe(hashed);
    const { proof, publicSignals } = body;
    const { curve, pi_a, pi_b, pi_c, protocol } = proof;
    const text = JSON.stringify({ proof: { curve, pi_a, pi_b, pi_c, protocol }, publicSignals });
    const event = await lastEvent();
    expect(event).toMatchObject({
      ...{ action: 'identity.added', status: 'success', actorType, seq },
      ...{ entityType: 'identity', entityId: identityId },
      metadata: {
        ...{ identityId, userId, identity_leaf: leaf, authorizer: expect.any(String) },
        authorizedBy: createHash('sha256').update(text).digest('hex'),
      },
    });
    for (const secret of [did, commitment, old.did, salt])
      expect(JSON.stringify(event)).not.toContain(secret);
    expect([(await verify(old)).status, (await verify(joining)).status]).toEqual([200, 200]);
  });

  it('stores the proof that authorized it, so that the hash in the audit log can be opened', async () => {
    const old = await registerPerson(service, account.key);
    const body = await proveAdd(service, old, createIdentity(), use());
    const { enrolment } = (await add(body)).body;
    const [row] = await service.db.query<{ authorization_proof: object }>(sql`select authorization_proof
      from identity_commitments where tenant_id = ${account.tenantId} and identity_id = ${enrolment.identityId}`);
    const { did, nonce, timestamp, proof, publicSignals } = body;
    expect(row?.authorization_proof).toEqual({ did, nonce, timestamp, proof, publicSignals });
  });

  it('an identity that was added can add the next one', async () => {
    const first = await registerPerson(service, account.key);
    const second = await addPhone(service, account, first);
    expect((await addPhone(service, account, second)).userId).toBe(first.userId);
  });

  it('400 for the DID of the phone itself, in any case, and for a commitment that is no field element', async () => {
    const old = await registerPerson(service, account.key);
    const body = await proveAdd(service, old, createIdentity(), use());
    const own = await add({ ...body, newDid: old.did.replace(/[a-f]/g, (digit) => digit.toUpperCase()) });
    expect([own.status, own.body.details[0].path]).toEqual([400, 'body.newDid']);
    const large = await add({ ...body, newCommitment: 'f'.repeat(64) });
    expect([large.status, large.body.details[0].path]).toEqual([400, 'body.newCommitment']);
    const malformed = await add({ ...body, newPublicSignals: ['0', '0', `1${'0'.repeat(77)}`] });
    expect([malformed.status, malformed.body.details[0].path]).toEqual([400, 'body.newPublicSignals[2]']);
  });

  it('accepts both spellings of a commitment and a DID, and binds the stored form', async () => {
    const old = await registerPerson(service, account.key);
    const joining = createIdentity();
    const body = await proveAdd(service, old, joining, use());
    const reply = await add({
      ...body,
      nonce: body.nonce.toUpperCase(),
      newDid: `did:svc:${joining.did.slice(8).toUpperCase()}`,
      newCommitment: `0x${joining.commitment.toUpperCase()}`,
    });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.identity).toMatchObject({ did: joining.did, commitment: joining.commitment });
  });

  it('did_already_registered and commitment_already_registered only after both proofs hold, and spends no nonce', async () => {
    const [old, other] = [
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
    ];
    const taken = await proveAdd(service, old, other, use());
    const same = await add(taken);
    expect([same.status, same.body.error]).toEqual([409, 'did_already_registered']);
    const wrong = await add({ ...taken, newPublicSignals: taken.publicSignals });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'verification_failed']);
    const copy = { ...other, did: createIdentity().did };
    const copied = await add(await proveAdd(service, old, copy, use()));
    expect([copied.status, copied.body.error]).toEqual([409, 'commitment_already_registered']);
    const joining = createIdentity();
    const { nonce, timestamp } = taken;
    expect((await add(await proveAdd(service, old, joining, { ...use(), nonce, timestamp }))).status).toBe(
      201,
    );
  });

  it('a commitment that was rotated away stays taken', async () => {
    const old = await registerPerson(service, account.key);
    await rotatePhone(service, account, old);
    const other = await registerPerson(service, account.key);
    const copied = await add(await proveAdd(service, other, { ...old, did: createIdentity().did }, use()));
    expect([copied.status, copied.body.error]).toEqual([409, 'commitment_already_registered']);
  });

  it('identity_limit_reached at max_identities, which a revoked identity does not count for', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await setPolicy(service, own, { max_identities: 2 });
    const first = await registerPerson(service, own.key);
    const second = await addPhone(service, own, first);
    const third = async () =>
      service.call('POST', '/v1/identity/add', {
        as: own.key,
        body: await proveAdd(service, first, createIdentity(), { tenantId: own.tenantId }),
      });
    const full = await third();
    expect([full.status, full.body.error]).toEqual([409, 'identity_limit_reached']);
    await service.call('POST', '/v1/identity/revoke', { as: own.key, body: { did: second.did } });
    expect((await third()).status).toBe(201);
  });

  it('limit: 20 identities of a person in 24 hours, also if they are revoked, then 429 with Retry-After after both proofs hold [POST /v1/identity/add] [identities/identities-in-a-day]', async () => {
    const first = await registerPerson(service, account.key);
    const send = async () => add(await proveAdd(service, first, createIdentity(), use()));
    for (let identities = 1; identities < 20; identities++) {
      const { did } = await addPhone(service, account, first);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } });
    }
    const wrong = await proveAdd(service, first, createIdentity(), { ...use(), tenantId: randomUUID() });
    expect((await add(wrong)).status).toBe(401);
    const { status, body, headers } = await send();
    expect([status, body.error, headers['retry-after']]).toEqual([429, 'rate_limit_exceeded', '86400']);
    service.clock.advance(24 * 60 * 60_000);
    expect((await send()).status).toBe(201);
  });

  it('an identity in its cool-down can’t verify, and counts for the limit [identities/policy]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await setPolicy(service, own, { addition_cooldown_hours: 2, max_identities: 2 });
    const first = await registerPerson(service, own.key);
    const joining = createIdentity();
    const tenant = { tenantId: own.tenantId };
    const send = (body: object) => service.call('POST', '/v1/identity/add', { as: own.key, body });
    const added = await send(await proveAdd(service, first, joining, tenant));
    const inForceAt = new Date(service.clock.now() + 2 * 3_600_000).toISOString();
    expect(added.body.identity.inForceAt).toBe(inForceAt);
    const prove = async () =>
      service.call('POST', '/v1/identity/verify', {
        as: own.key,
        body: await proveFor(service, joining, tenant),
      });
    expect((await prove()).status).toBe(401);
    const { audit } = (await service.call('GET', '/v1/audit?limit=1', { as: own.key })).body;
    expect(audit[0].metadata).toMatchObject({ reason: 'not_in_force' });
    const full = await send(await proveAdd(service, first, createIdentity(), tenant));
    expect([full.status, full.body.error]).toEqual([409, 'identity_limit_reached']);
    service.clock.advance(2 * 3_600_000);
    expect((await prove()).status).toBe(200);
  });
});

describe('adding the phone of a rendezvous [phones/several-phones]', () => {
  /** What the old phone sends after the right digits. */
  async function bodyOf(meeting: Meeting) {
    const { old, joining, use: revealed, tenantId, environment } = meeting;
    const bound = { tenantId, environment, nonce: revealed.nonce, timestampMs: revealed.timestamp };
    const { did: newDid, commitment: newCommitment } = joining;
    const { b: _, ...opened } = await answerBody(meeting);
    return {
      ...(await proveBind(old, addBind({ ...bound, newDid, newCommitment }))),
      ...revealed,
      ...opened,
      additionId: meeting.id,
    };
  }
  const stateOf = async ({ id }: Meeting) => (await onPhone(service, `/${id}`)).body.addition.state;

  it('completes the addition in the same write', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal', 'open');
    const body = await bodyOf(meeting);
    const reply = await addKeyless(body);
    expect(reply.status, reply.text).toBe(201);
    expect(await stateOf(meeting)).toBe('completed');
    expect((await addKeyless(body)).status).toBe(401);
  });

  it('tells the new phone from when it can be used [identities/policy]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await setPolicy(service, own, { addition_cooldown_hours: 2 });
    const meeting = await meetingAfter(service, own, 'join', 'reveal', 'open');
    const { body } = await addKeyless({ ...accountOf(own), ...(await bodyOf(meeting)) });
    const { addition } = (await onPhone(service, `/${meeting.id}`)).body;
    expect(addition.inForceAt).toBe(new Date(service.clock.now() + 2 * 3_600_000).toISOString());
    expect(addition.inForceAt).toBe(body.identity.inForceAt);
  });

  it('addition_rejected after wrong digits, addition_closed and addition_not_found otherwise', async () => {
    const rejected = await meetingAfter(service, account, 'join', 'reveal', 'open', 'reject');
    const one = await addKeyless(await bodyOf(rejected));
    expect([one.status, one.body.error]).toEqual([409, 'addition_rejected']);
    const early = await meetingAfter(service, account, 'join', 'reveal');
    const two = await addKeyless(await bodyOf(early));
    expect([two.status, two.body.error]).toEqual([409, 'addition_closed']);
    await takeStep(service, early, 'open');
    const unknown = await addKeyless({ ...(await bodyOf(early)), additionId: crypto.randomUUID() });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'addition_not_found']);
    // Nothing was spent.
    expect((await addKeyless(await bodyOf(early))).status).toBe(201);
  });

  it('does not complete an addition with another identity than was opened, or by another phone', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal', 'open');
    const other = createIdentity();
    const { nonce, timestamp } = meeting.use;
    const body = await proveAdd(service, meeting.old, other, { ...use(), nonce, timestamp });
    const reply = await addKeyless({ ...body, additionId: meeting.id });
    expect([reply.status, reply.body.error]).toEqual([409, 'addition_closed']);
    const stranger = await registerPerson(service, account.key);
    const theirs = await addKeyless({
      ...(await proveAdd(service, stranger, createIdentity(), use())),
      additionId: meeting.id,
    });
    expect([theirs.status, theirs.body.error]).toEqual([404, 'addition_not_found']);
    expect(await stateOf(meeting)).toBe('opened');
  });
});

it('a proof of joining one person joins no other [phones/several-phones]', async () => {
  const [victim, person] = [
    await registerPerson(service, account.key),
    await registerPerson(service, account.key),
  ];
  const attacker = createIdentity();
  const bound = {
    tenantId: account.tenantId,
    environment: 'live',
    nonce: crypto.randomUUID(),
    timestampMs: service.clock.now(),
  };
  const { did: newDid, commitment: newCommitment } = attacker;
  const approved = await proveBind(victim, addBind({ ...bound, newDid, newCommitment }));
  const joined = await proveBind(attacker, joinBind({ ...bound, did: person.did, newCommitment }));
  const reply = await add({
    ...{ ...approved, nonce: bound.nonce, timestamp: bound.timestampMs, newDid, newCommitment },
    ...{ newProof: joined.proof, newPublicSignals: joined.publicSignals },
  });
  expect([reply.status, reply.body.error]).toEqual([401, 'verification_failed']);
});
