import { createIdentity } from '@svc/zk/phone';
import { additionDigits, type Rendezvous } from '@svc/zk/rendezvous';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { completeAddition } from '../../src/features/phones/additions/additions.js';
import {
  answerBody,
  hex32,
  joinBody,
  type Meeting,
  meetingAfter,
  onPhone,
  openingBody,
  openMeeting,
  revealBody,
  type Step,
  takeStep,
} from '../support/additions.js';
import { type Person, registerPerson } from '../support/phone.js';
import { countVerifications, wrongProof } from '../support/proofs.js';
import { type Account, type Reply, type Service, sharedVerifier, startService } from '../support/service.js';
import { proveIdentities } from '../support/several-phones.js';

const MINUTE = 60_000;
const UNKNOWN = '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';

let verifier: ReturnType<typeof countVerifications>;
let service: Service;
let account: Account;
let person: Person;
beforeAll(async () => {
  verifier = countVerifications(await sharedVerifier());
  service = await startService({ verifier });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(1);
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});

const outcome = ({ status, body }: Reply) =>
  `${status} ${body.error ?? body.addition.state ?? body.addition.id}`;
const read = (id: string, query = '') => onPhone(service, `/${id}${query}`);
const stateOf = async ({ id }: Meeting) => outcome(await read(id));
const audited = async () =>
  (
    await service.db.query<{ action: string; entity_id: string; metadata: Record<string, unknown> }>(sql`
      select action, entity_id, metadata from audit_events where tenant_id = ${account.tenantId} order by seq`)
  ).filter(({ action }) => action.startsWith('identity.addition'));
const open = async (changes: object = {}, phone = person, use: object = {}, a = hex32()) =>
  onPhone(service, '', {
    ...(await openingBody(service, phone, a, { tenantId: account.tenantId, ...use })),
    ...changes,
  });
const digitsOf = ({ id, old, joining, a, b }: Meeting) =>
  additionDigits({
    rendezvousId: id,
    did: old.did,
    newDid: joining.did,
    newCommitment: joining.commitment,
    a,
    b,
  });

describe('two phones that meet', () => {
  it('compute the same digits from what they exchanged [GET /v1/phone/additions/:id] [phones/two-phones-meet]', async () => {
    const meeting = await openMeeting(service, account, { old: person });
    const joined = await takeStep(service, meeting, 'join');
    expect(joined.body.addition).toEqual({
      id: meeting.id,
      tenantId: account.tenantId,
      environment: 'live',
      companyName: 'Example',
      accentColor: '#0a6c56',
      logoUrl: null,
      did: person.did,
      expiresAt: new Date(service.clock.now() + 5 * MINUTE).toISOString(),
    });
    await takeStep(service, meeting, 'reveal');
    expect(outcome(await takeStep(service, meeting, 'open'))).toBe('200 opened');
    const { addition } = (await read(meeting.id)).body;
    const body = await answerBody(meeting);
    expect(addition).toMatchObject({ ...revealBody(meeting), ...joinBody(meeting), did: person.did });
    expect(addition).toMatchObject({ newDid: body.newDid, newCommitment: body.newCommitment, b: meeting.b });
    expect(additionDigits({ ...addition, rendezvousId: addition.id } as Rendezvous)).toBe(digitsOf(meeting));
    expect(addition.newPublicSignals).toHaveLength(3);
  });

  it('show nothing of the old phone before the new one has committed [POST /v1/phone/additions/:id/reveal] [phones/two-phones-meet]', async () => {
    const meeting = await openMeeting(service, account);
    expect(outcome(await takeStep(service, meeting, 'reveal'))).toBe('409 addition_closed');
    expect((await read(meeting.id)).body.addition).toMatchObject({ state: 'open', a: null, nonce: null });
    await takeStep(service, meeting, 'join');
    expect((await read(meeting.id)).body.addition).toMatchObject({ state: 'joined', a: null, nonce: null });
    expect(outcome(await takeStep(service, meeting, 'reveal'))).toBe('200 revealed');
    expect((await read(meeting.id)).body.addition).toMatchObject(revealBody(meeting));
  });

  it('cannot change their random bytes or identity after they have committed [POST /v1/phone/additions/:id/open] [phones/two-phones-meet]', async () => {
    const meeting = await meetingAfter(service, account, 'join');
    const other = { ...meeting, a: hex32() };
    expect(outcome(await takeStep(service, other, 'reveal'))).toBe('404 addition_not_found');
    await takeStep(service, meeting, 'reveal');
    for (const changed of [
      { ...meeting, b: hex32() },
      { ...meeting, joining: createIdentity() },
      { ...meeting, joining: { ...meeting.joining, did: createIdentity().did } },
    ])
      expect(outcome(await takeStep(service, changed, 'open'))).toBe('401 verification_failed');
    expect(await stateOf(meeting)).toBe('200 revealed');
    expect(outcome(await takeStep(service, meeting, 'open'))).toBe('200 opened');
  });

  it('accept each step once and in order [phones/two-phones-meet]', async () => {
    const meeting = await openMeeting(service, account);
    for (const step of ['reveal', 'open'] as const)
      expect(outcome(await takeStep(service, meeting, step))).toBe('409 addition_closed');
    for (const step of ['join', 'reveal', 'open'] as const) {
      expect((await takeStep(service, meeting, step)).status).toBeLessThan(300);
      expect(outcome(await takeStep(service, meeting, step))).toBe('409 addition_closed');
    }
  });

  it('end with a rejection, which only the phone that opened can send [POST /v1/phone/additions/:id/reject] [phones/two-phones-meet]', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal', 'open');
    const stranger = { ...meeting, a: hex32() };
    expect(outcome(await takeStep(service, stranger, 'reject'))).toBe('404 addition_not_found');
    expect(outcome(await takeStep(service, meeting, 'reject'))).toBe('200 rejected');
    expect(outcome(await takeStep(service, meeting, 'reject'))).toBe('409 addition_closed');
    const [identity] = await service.db.query<{ id: string }>(
      sql`select id from identities where tenant_id = ${account.tenantId} and did = ${meeting.old.did}`,
    );
    const row = { entity_id: identity?.id, metadata: { additionId: meeting.id, userId: meeting.old.userId } };
    expect(await audited()).toEqual([
      { action: 'identity.addition_opened', ...row },
      { action: 'identity.addition_rejected', ...row },
    ]);
  });

  it('are forgotten after five minutes [phones/opening-an-addition]', async () => {
    const steps: Step[] = ['join', 'reveal', 'open'];
    const meetings = [];
    for (let done = 0; done <= steps.length; done += 1)
      meetings.push(await meetingAfter(service, account, ...steps.slice(0, done)));
    service.clock.advance(5 * MINUTE);
    for (const [done, meeting] of meetings.entries()) {
      expect(outcome(await read(meeting.id))).toBe('404 addition_not_found');
      const next = steps[done] ?? 'reject';
      expect(outcome(await takeStep(service, meeting, next))).toBe('404 addition_not_found');
    }
  });

  it('are found by nobody while the account is suspended', async () => {
    const meeting = await meetingAfter(service, account, 'join');
    await service.setStatus(account, 'suspended');
    for (const step of ['join', 'reveal', 'reject'] as const)
      expect(outcome(await takeStep(service, meeting, step))).toBe('404 addition_not_found');
    expect(outcome(await read(meeting.id))).toBe('404 addition_not_found');
  });
});

describe('opening an addition', () => {
  it('returns a code and a link, and spends its nonce [POST /v1/phone/additions] [phones/opening-an-addition]', async () => {
    const body = await openingBody(service, person, hex32(), { tenantId: account.tenantId });
    const { addition } = (await onPhone(service, '', body)).body;
    expect(addition.code).toMatch(/^SV-[2-9A-Y]{4}-[2-9A-Y]{4}$/);
    expect(addition).toMatchObject({
      expiresAt: new Date(service.clock.now() + 5 * MINUTE).toISOString(),
      deeplink: `svc://add?code=${addition.code}`,
      url: `${service.app.deps.config.baseUrl}/phone/#code=svc://add?code=${addition.code}`,
    });
    expect(outcome(await onPhone(service, '', body))).toBe('401 verification_failed');
    expect(await audited()).toHaveLength(1);
  });

  it('returns one 401 for every cause, after one verification, and writes nothing [phones/opening-an-addition]', async () => {
    const stranger = await service.signUp();
    const testKey = await service.createKey(account, 'test');
    const tester = await registerPerson(service, testKey);
    const revoked = await registerPerson(service, account.key);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: revoked.did } });
    const inactive = await registerPerson(service, account.key);
    await service.call('PATCH', `/v1/users/${inactive.userId}`, {
      as: account.key,
      body: { status: 'inactive' },
    });
    const cooling = await registerPerson(service, account.key);
    await service.db.query(sql`update identities set in_force_at = 'infinity'
      where tenant_id = ${account.tenantId} and did = ${cooling.did}`);
    const suspended = await service.signUp();
    const theirs = await registerPerson(service, suspended.key);
    await service.setStatus(suspended, 'suspended');
    const events = async () =>
      (await service.db.query<{ n: number }>(sql`select count(*)::int as n from audit_events`))[0]!.n;
    const before = await events();
    const list = await proveIdentities(service, person, { tenantId: account.tenantId });
    const causes: Record<string, () => Promise<Reply>> = {
      'an unknown identity': () => open({}, { ...createIdentity(), userId: '' }),
      'another secret': () => open({}, { ...createIdentity(), did: person.did, userId: '' }),
      'a revoked identity': () => open({}, revoked),
      'an inactive person': () => open({}, inactive),
      'an identity in its cool-down': () => open({}, cooling),
      'an identity of the other environment': () => open({}, tester),
      'another tenant': () => open({ tenantId: stranger.tenantId }),
      'another environment': () => open({ environment: 'test' }),
      'an unknown tenant': () => open({}, person, { tenantId: UNKNOWN }),
      'a suspended tenant': () => open({}, theirs, { tenantId: suspended.tenantId }),
      'other random bytes': () => open({ aHash: hex32() }),
      'an old proof': () => open({}, person, { timestamp: service.clock.now() - 5 * MINUTE - 1 }),
      'a proof from the future': () => open({}, person, { timestamp: service.clock.now() + 5 * MINUTE + 1 }),
      'a proof for another purpose': () => open(list),
      'an invalid proof': () => open({ proof: wrongProof(list.proof) }),
    };
    const bodies = new Set<string>();
    for (const [cause, send] of Object.entries(causes)) {
      verifier.calls.count = 0;
      const { status, body } = await send();
      expect(`${cause}: ${status}`).toBe(`${cause}: 401`);
      expect(`${cause}: ${verifier.calls.count}`).toBe(`${cause}: 1`);
      bodies.add(JSON.stringify({ ...body, requestId: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await events()).toBe(before);
  });

  it('is possible five times in five minutes for one identity [phones/opening-an-addition]', async () => {
    for (let call = 0; call < 5; call += 1) expect((await open()).status).toBe(201);
    const sixth = await open();
    expect(outcome(sixth)).toBe('429 rate_limit_exceeded');
    expect(sixth.headers['retry-after']).toBe('300');
    expect((await open({}, await registerPerson(service, account.key))).status).toBe(201);
    service.clock.advance(5 * MINUTE);
    expect((await open()).status).toBe(201);
  });

  it('takes place in one environment only', async () => {
    const key = await service.createKey(account, 'test');
    const meeting = await openMeeting(service, account, { key });
    const joined = await takeStep(service, meeting, 'join');
    expect(joined.body.addition).toMatchObject({ environment: 'test', did: meeting.old.did });
    await takeStep(service, meeting, 'reveal');
    const elsewhere = await answerBody({ ...meeting, environment: 'live' });
    expect(outcome(await onPhone(service, `/${meeting.id}/open`, elsewhere))).toBe('401 verification_failed');
    expect(outcome(await takeStep(service, meeting, 'open'))).toBe('200 opened');
  });
});

describe('joining an addition', () => {
  it('accepts the code as people type it, from the first phone only [POST /v1/phone/additions/:code/join] [phones/opening-an-addition]', async () => {
    const meeting = await openMeeting(service, account);
    const typed = meeting.code.toLowerCase().replaceAll('-', '');
    expect((await onPhone(service, `/${typed}/join`, joinBody(meeting))).status).toBe(201);
    expect(outcome(await takeStep(service, meeting, 'join'))).toBe('409 addition_closed');
  });

  it('returns 404 for an unknown or malformed code, and counts it as a guess [phones/opening-an-addition]', async () => {
    const own = await startService();
    try {
      for (let call = 0; call < 100; call += 1)
        expect((await onPhone(own, '/SV-2222-3333/join', { c: hex32() })).status).toBe(404);
      const health = async () => (await own.call('GET', '/api/health')).body.subsystems.codes.guarded;
      expect(await health()).toBe(false);
      expect((await onPhone(own, '/SV-2222-3333/join', { c: hex32() })).status).toBe(404);
      expect(await health()).toBe(true);
      for (const code of ['SV-2222', UNKNOWN, '%E2%84%AA'])
        expect((await onPhone(own, `/${code}/join`, { c: hex32() })).status).toBe(404);
    } finally {
      await own.close();
    }
  });

  it('does not accept the code of a registration', async () => {
    const { body } = await service.call('POST', '/v1/registrations', { as: account.key, body: {} });
    const reply = await onPhone(service, `/${body.pair.code}/join`, { c: hex32() });
    expect(outcome(reply)).toBe('404 addition_not_found');
  });
});

describe('the answer of the new phone', () => {
  it('returns one 401 for every cause, and stays possible [POST /v1/phone/additions/:id/open] [phones/two-phones-meet]', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal');
    const body = await answerBody(meeting);
    const other = await answerBody({ ...meeting, joining: createIdentity() });
    const causes = {
      'another nonce': answerBody(meeting, { ...meeting.use, nonce: UNKNOWN.replace('-7', '-4') }),
      'another time': answerBody(meeting, { ...meeting.use, timestamp: meeting.use.timestamp + 1 }),
      'another old phone': answerBody({ ...meeting, old: person }),
      'another tenant': answerBody({ ...meeting, tenantId: UNKNOWN }),
      'the proof of another phone': {
        ...body,
        newProof: other.newProof,
        newPublicSignals: other.newPublicSignals,
      },
      'an invalid proof': { ...body, newProof: wrongProof(body.newProof) },
      'other random bytes': { ...body, b: hex32() },
    };
    const bodies = new Set<string>();
    for (const [cause, sent] of Object.entries(causes)) {
      verifier.calls.count = 0;
      const reply = await onPhone(service, `/${meeting.id}/open`, await sent);
      expect(`${cause}: ${reply.status} ${verifier.calls.count}`).toBe(`${cause}: 401 1`);
      bodies.add(JSON.stringify({ ...reply.body, requestId: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(outcome(await onPhone(service, `/${meeting.id}/open`, body))).toBe('200 opened');
  });

  it('names another DID and a commitment below r', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal');
    const body = await answerBody(meeting);
    const send = (changes: object) => onPhone(service, `/${meeting.id}/open`, { ...body, ...changes });
    expect(
      (await send({ newDid: meeting.old.did.toUpperCase().replace('DID:SVC', 'did:svc') })).body,
    ).toMatchObject({
      error: 'invalid_request',
      details: [{ path: 'body.newDid' }],
    });
    expect((await send({ newCommitment: 'f'.repeat(64) })).body).toMatchObject({
      error: 'invalid_request',
      details: [{ path: 'body.newCommitment' }],
    });
  });
});

describe('waiting for an addition', () => {
  it('returns when the state changes [GET /v1/phone/additions/:id] [phones/waiting-for-an-addition]', async () => {
    const meeting = await openMeeting(service, account);
    const reply = read(meeting.id, '?wait=25');
    await expect.poll(() => service.app.deps.bus.size).toBe(1);
    await takeStep(service, meeting, 'join');
    expect(outcome(await reply)).toBe('200 joined');
    expect(service.app.deps.streams.size).toBe(0);
  });

  it('returns immediately if the state is no longer the one that the phone knows [phones/waiting-for-an-addition]', async () => {
    const meeting = await meetingAfter(service, account, 'join');
    expect(outcome(await read(meeting.id, '?wait=25&state=open'))).toBe('200 joined');
  });

  it('returns the present state after that many seconds, and 404 once the addition has expired [phones/waiting-for-an-addition]', async () => {
    const meeting = await openMeeting(service, account);
    const reply = read(meeting.id, '?wait=2');
    await expect.poll(() => service.app.deps.bus.size).toBe(1);
    await expect.poll(() => service.clock.pendingTimers).toBeGreaterThan(1);
    service.clock.advance(2_000);
    expect(outcome(await reply)).toBe('200 open');
    service.clock.advance(5 * MINUTE - 3_000);
    const last = read(meeting.id, '?wait=25');
    await expect.poll(() => service.app.deps.bus.size).toBe(1);
    service.clock.advance(1_000);
    expect(outcome(await last)).toBe('404 addition_not_found');
  });

  it('does not wait when four requests for the addition do [phones/waiting-for-an-addition]', async () => {
    const meeting = await openMeeting(service, account);
    const waits = Array.from({ length: 4 }, () => read(meeting.id, '?wait=25'));
    await expect.poll(() => service.app.deps.streams.size).toBe(4);
    expect(outcome(await read(meeting.id, '?wait=25'))).toBe('200 open');
    await takeStep(service, meeting, 'join');
    expect((await Promise.all(waits)).map(outcome)).toEqual(Array(4).fill('200 joined'));
    expect(service.app.deps.streams.size).toBe(0);
    expect(service.app.deps.bus.size).toBe(0);
  });

  it.each(['wait=26', 'wait=-1', 'wait=1.5', 'wait=a', 'state=done'])('rejects ?%s', async (query) => {
    const { id } = await openMeeting(service, account);
    expect((await read(id, `?${query}`)).status).toBe(400);
  });
});

describe('completing an addition', () => {
  const complete = (meeting: Meeting, changes: object = {}, tenantId = account.tenantId) =>
    service.app.deps.write(
      {
        scope: { tenantId, environment: 'live' },
        actor: { type: 'phone', id: null },
        action: 'identity.added',
      },
      async (w) => {
        w.audit({ entityType: 'identity', entityId: null });
        const { id, old, joining } = meeting;
        const values = { id, did: old.did, newDid: joining.did, newCommitment: joining.commitment };
        return completeAddition(w, { ...values, ...changes }, new Date(service.clock.now()));
      },
    );

  it('is possible once, for what the new phone has opened [phones/two-phones-meet]', async () => {
    const meeting = await meetingAfter(service, account, 'join', 'reveal', 'open');
    const other = createIdentity();
    expect(await complete(meeting, { newDid: other.did })).toBe('closed');
    expect(await complete(meeting, { newCommitment: other.commitment })).toBe('closed');
    expect(await complete(meeting, { did: person.did })).toBe('unknown');
    expect(await complete(meeting, { id: UNKNOWN })).toBe('unknown');
    expect(await complete(meeting, {}, (await service.signUp()).tenantId)).toBe('unknown');
    expect(await complete(meeting)).toBe('completed');
    expect(await complete(meeting)).toBe('closed');
    expect(await stateOf(meeting)).toBe('200 completed');
    expect(outcome(await takeStep(service, meeting, 'reject'))).toBe('409 addition_closed');
  });

  it('is not possible after a rejection, before an answer, or later [phones/two-phones-meet]', async () => {
    const rejected = await meetingAfter(service, account, 'join', 'reveal', 'open', 'reject');
    expect(await complete(rejected)).toBe('rejected');
    expect(await complete(await meetingAfter(service, account, 'join', 'reveal'))).toBe('closed');
    const late = await meetingAfter(service, account, 'join', 'reveal', 'open');
    service.clock.advance(5 * MINUTE);
    expect(await complete(late)).toBe('unknown');
  });
});

describe('any order of steps', () => {
  const NEXT: Record<string, Partial<Record<Step, string>>> = {
    open: { join: 'joined', reject: 'rejected' },
    joined: { reveal: 'revealed', reject: 'rejected' },
    revealed: { open: 'opened', reject: 'rejected' },
    opened: { reject: 'rejected' },
    rejected: {},
  };

  it('moves an addition as its states allow, and never back [phones/two-phones-meet]', async () => {
    const steps = fc.array(
      fc.record({
        step: fc.constantFrom<Step>('join', 'reveal', 'open', 'reject'),
        honest: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const meeting = await openMeeting(service, account);
        const forged = { ...meeting, a: hex32(), b: hex32() };
        let state = 'open';
        for (const { step, honest } of sequence) {
          const reply = await takeStep(service, honest || step === 'join' ? meeting : forged, step);
          const next = honest || step === 'join' ? NEXT[state]?.[step] : undefined;
          expect(reply.status < 300).toBe(next !== undefined);
          state = next ?? state;
          expect(await stateOf(meeting)).toBe(`200 ${state}`);
        }
      }),
      { seed: 12104, numRuns: 25 },
    );
  });
});
