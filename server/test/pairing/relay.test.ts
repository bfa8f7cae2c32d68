import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type CountingDatabase, countStatements, sharedDatabase } from '../support/database.js';
import {
  bindOnSameDevice,
  contextOf,
  openPairing,
  type Pairing,
  phone,
  poll,
  proveForDecline,
  proveForPairing,
  scanOf,
  setPolicy,
  watch,
} from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { wrongProof } from '../support/proofs.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const SECOND = 1000;
const HOUR = 3_600_000;

let db: CountingDatabase;
/** Runs before the next transaction begins. */
let beforeWriting: (() => Promise<unknown>) | undefined;
let service: Service;
let account: Account;
let person: Person;
beforeAll(async () => {
  const { db: raw } = await sharedDatabase();
  db = countStatements({
    ...raw,
    async begin() {
      const run = beforeWriting;
      beforeWriting = undefined;
      await run?.();
      return raw.begin();
    },
  });
  service = await startService({ db });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(1);
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});

const open = (body: object = { match: 'type' }) => openPairing(service, account.key, undefined, body);
const prove = (
  { id, nonce }: Pairing,
  matchCode?: string,
  prover: Parameters<typeof proveForPairing>[0] = person,
) =>
  proveForPairing(prover, {
    tenantId: account.tenantId,
    sessionId: id,
    nonce,
    ...(matchCode !== undefined && { matchCode }),
  });
const ticketOf = async (pairing: Pairing) =>
  (await contextOf(service, pairing.id, scanOf(pairing))).body.scanTicket as string;
const otherThan = (number = '') => String((Number(number) + 1) % 100).padStart(2, '0');
/** Submits with a number and a fresh scan, without an API key. */
const approve = async (pairing: Pairing, matchCode: string | undefined, body = prove(pairing, matchCode)) =>
  phone(service, pairing.id, 'submit', { ...(await body), ...scanOf(pairing) });
const outcome = ({
  status,
  body,
}: {
  status: number;
  body: { error?: string; session?: { state: string } };
}) => `${status} ${body.error ?? body.session?.state}`;
const stateOf = async (pairing: Pairing) =>
  (await poll(service, account.key, pairing)).body.session.state as string;
const audited = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];

describe('a session that asks for a number', () => {
  it('returns two digits when it is created and nowhere else, and binds with them [pairing/number-match] [Proof-pairing session: issued → bound]', async () => {
    const pairing = await open();
    const number = pairing.matchCode as string;
    expect(number).toMatch(/^[0-9]{2}$/);
    expect(pairing.qrPayload).toMatch(/^za:pair:2:/);
    const stream = await watch(service, account.key, pairing);
    const polled = await poll(service, account.key, pairing);
    expect(polled.body.session).not.toHaveProperty('matchCode');
    const read = await contextOf(service, pairing.id, scanOf(pairing));
    expect(read.body.context).toMatchObject({ company: expect.any(String), match: 'type' });
    const listed = await service.call('GET', '/v1/proof-pairing/sessions', { session: account.token });
    expect(listed.body.sessions[0]).toMatchObject({ id: pairing.id, match: 'type' });
    const [row] = await db.query<{ match_hash: string }>(
      sql`select match_hash from proof_pairing_sessions where id = ${pairing.id}`,
    );
    expect(row?.match_hash).toMatch(/^[0-9a-f]{64}$/);
    const reply = await approve(pairing, number);
    expect(outcome(reply)).toBe('200 bound');
    expect(reply.body.session.userId).toBe(person.userId);
    expect((await stream.next()).event).toBe('session_created');
    expect((await stream.next()).event).toBe('session_bound');
  });

  it('ends with a wrong number beside a valid proof, and then accepts nothing [pairing.match_failed] [pairing/number-match]', async () => {
    const pairing = await open();
    const number = pairing.matchCode as string;
    const stream = await watch(service, account.key, pairing);
    await stream.next();
    expect(outcome(await approve(pairing, otherThan(number)))).toBe('401 pairing_match_failed');
    expect(await stream.next()).toMatchObject({
      event: 'session_rejected',
      data: { id: pairing.id, state: 'rejected' },
    });
    expect(await stream.ended()).toBe(true);
    expect(await audited()).toMatchObject({
      action: 'pairing.match_failed',
      entityId: pairing.id,
      status: 'failure',
    });
    expect(outcome(await approve(pairing, number))).toBe('409 pairing_session_closed');
    expect(outcome(await contextOf(service, pairing.id, scanOf(pairing)))).toBe('409 pairing_session_closed');
    const decline = { reason: 'mistake' };
    const declined = await service.call('POST', `/v1/proof-pairing/sessions/${pairing.id}/decline`, {
      as: account.key,
      body: decline,
    });
    expect(outcome(declined)).toBe('409 pairing_session_closed');
    const publicRead = await service.call('GET', `/v1/proof-pairing/sessions/${pairing.id}/public`, {
      address: freshAddress(),
    });
    expect(publicRead.status).toBe(404);
    expect((await poll(service, account.key, pairing)).body).toMatchObject({
      session: { state: 'rejected' },
      tokens: null,
    });
  });

  it('opens no session for a wrong number, and records why it failed [proofs/reasons-of-failures]', async () => {
    const pairing = await open();
    await approve(pairing, otherThan(pairing.matchCode));
    const rows = await db.query(sql`select 1 from sessions where tenant_id = ${account.tenantId}`);
    expect(rows).toEqual([]);
    const { body } = await service.call('GET', '/v1/verifications', { as: account.key });
    expect(body.verifications).toEqual([
      expect.objectContaining({ result: 'fail', reason: 'wrong_number', userId: person.userId }),
    ]);
  });

  it('lives on after every failure that is not a wrong number of a registered person [pairing/number-match]', async () => {
    const pairing = await open();
    const number = pairing.matchCode as string;
    const wrong = otherThan(number);
    const bodies = {
      'right number, proof bound to another': { ...(await prove(pairing, wrong)), matchCode: number },
      'wrong number, proof bound to the right one': { ...(await prove(pairing, number)), matchCode: wrong },
      'wrong number, invalid proof': await prove(pairing, wrong).then((body) => ({
        ...body,
        proof: wrongProof(body.proof),
      })),
      'wrong number, nobody’s proof': await prove(pairing, wrong, createIdentity()),
      'right number, nobody’s proof': await prove(pairing, number, createIdentity()),
      'right number, bound to no number': { ...(await prove(pairing)), matchCode: number },
    };
    for (const [name, body] of Object.entries(bodies)) {
      const reply = await phone(service, pairing.id, 'submit', { ...body, ...scanOf(pairing) });
      expect(outcome(reply), name).toBe('401 verification_failed');
    }
    expect(outcome(await approve(pairing, undefined))).toBe('400 pairing_match_required');
    for (const matchCode of ['4', '042', '4 ', 'ab', '٤٢', 42, null]) {
      const body = { ...(await prove(pairing, number)), matchCode };
      expect(outcome(await phone(service, pairing.id, 'submit', body))).toBe('400 invalid_request');
    }
    expect(await stateOf(pairing)).toBe('issued');
    expect(outcome(await approve(pairing, number))).toBe('200 bound');
  });

  it('does not accept the numbers of an identity for an hour after three wrong ones in a day [pairing/number-match]', async () => {
    const failOnce = async () => {
      const pairing = await open();
      return approve(pairing, otherThan(pairing.matchCode));
    };
    await failOnce();
    await failOnce();
    service.clock.advance(25 * HOUR);
    const [first, second, third] = [await failOnce(), await failOnce(), await failOnce()];
    expect([first, second, third].map(outcome)).toEqual(Array(3).fill('401 pairing_match_failed'));
    expect(third?.body.message).toMatch(/locked for an hour/);
    expect(second?.body.message).not.toMatch(/locked/);
    const locked = await open();
    expect(outcome(await approve(locked, locked.matchCode))).toBe('401 verification_failed');
    expect(await stateOf(locked)).toBe('issued');
    const plain = await open({ match: 'off' });
    expect(outcome(await phone(service, plain.id, 'submit', await prove(plain)))).toBe('200 bound');
    service.clock.advance(HOUR);
    const later = await open();
    expect(outcome(await approve(later, later.matchCode))).toBe('200 bound');
  });

  it('has one winner among 50 racing submits, or one rejection, and nothing after [pairing/number-match]', {
    tags: ['ci'],
  }, async () => {
    for (const share of [0, 2, 25]) {
      const pairing = await open();
      const right = await prove(pairing, pairing.matchCode);
      const wrong = await prove(pairing, otherThan(pairing.matchCode));
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          phone(service, pairing.id, 'submit', { ...(at < share ? wrong : right), ...scanOf(pairing) }),
        ),
      );
      const outcomes = replies.map(outcome);
      const ends = outcomes.filter((one) => one === '200 bound' || one === '401 pairing_match_failed');
      expect(ends).toHaveLength(1);
      const bound = ends[0] === '200 bound';
      expect(new Set(outcomes.filter((one) => one !== ends[0]))).toEqual(
        new Set([bound ? '409 pairing_session_already_bound' : '409 pairing_session_closed']),
      );
      expect(await stateOf(pairing)).toBe(bound ? 'bound' : 'rejected');
    }
  });
});

describe('the security policy', () => {
  it('raises every new session to a number, and ends the open sessions without one [pairing/what-a-session-asks]', async () => {
    const before = await open({});
    const stream = await watch(service, account.key, before);
    await stream.next();
    expect((await setPolicy(service, account, { pairing_match: 'type' })).status).toBe(200);
    expect((await stream.next()).event).toBe('session_expired');
    const scan = await prove(before);
    expect(outcome(await phone(service, before.id, 'submit', scan))).toBe('410 pairing_session_expired');
    const after = await open({ match: 'off' });
    expect(after.matchCode).toMatch(/^[0-9]{2}$/);
  });

  it('ends a session without a number even for a submit that began before [pairing/what-a-session-asks]', async () => {
    const pairing = await open({});
    const body = await prove(pairing);
    beforeWriting = () => {
      service.clock.advance(1);
      return setPolicy(service, account, { pairing_match: 'type' });
    };
    expect(outcome(await phone(service, pairing.id, 'submit', body))).toBe('410 pairing_session_expired');
    expect(await stateOf(pairing)).toBe('expired');
  });

  it('gives the phone no tokens and no session with desktop_tokens_only [pairing/tokens-for-the-desktop-only]', async () => {
    await setPolicy(service, account, { desktop_tokens_only: true });
    const pairing = await open({});
    const reply = await phone(service, pairing.id, 'submit', await prove(pairing));
    expect(reply.body).toMatchObject({ session: { state: 'bound' }, tokens: null });
    const sessions = await db.query(
      sql`select 1 from sessions where tenant_id = ${account.tenantId} and pairing_session_id = ${pairing.id}`,
    );
    expect(sessions).toHaveLength(1);
    expect((await poll(service, account.key, pairing)).body.tokens).toMatchObject({ tokenType: 'Bearer' });
  });

  it.each([
    ['http://app.example.com'],
    ['https://app.example.com/'],
    ['https://APP.example.com'],
    ['https://user@app.example.com'],
    ['ftp://app.example.com'],
    ['https://app.example.com:443'],
    ['null'],
  ])('rejects %s as an origin [pairing/what-a-session-asks]', async (origin) => {
    const reply = await setPolicy(service, account, { origins: [origin] });
    expect(reply.status).toBe(400);
    expect(reply.body.details[0].path).toBe('body.security_policy.origins[0]');
  });
});

describe('the context of a session', () => {
  const origin = 'https://app.example.com';
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const create = (headers: Record<string, string>, body: object, address = '203.0.113.7') =>
    service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, headers, body, address });

  it('names the company, the page and, if the browser opened it itself, browser, system and network [pairing/what-a-session-asks] [GET /v1/phone/pairing/:id/context] [GET /v1/proof-pairing/sessions/:id/context]', async () => {
    await setPolicy(service, account, { origins: [origin] });
    const asked = { context: { origin, application: 'Northwind Portal' } };
    const direct = await create({ origin, 'user-agent': firefox }, asked);
    const { id } = direct.body.session;
    const near = await contextOf(service, id, {}, '203.0.113.99');
    expect(near.body.context).toEqual({
      company: expect.any(String),
      accentColor: '#0a6c56',
      logoUrl: null,
      application: 'Northwind Portal',
      origin,
      browser: 'Firefox',
      system: 'Windows',
      openedAt: new Date(service.clock.now()).toISOString(),
      sameNetwork: true,
      device: null,
      match: 'off',
      requiresAttestation: false,
    });
    expect((await contextOf(service, id, {}, '198.51.100.9')).body.context.sameNetwork).toBe(false);
    const withKey = await service.call('GET', `/v1/proof-pairing/sessions/${id}/context`, {
      as: account.key,
      address: '203.0.113.99',
    });
    expect(withKey.body.context).toEqual(near.body.context);
    const [{ text }] = (await db.query<{ text: string }>(
      sql`select context::text as text from proof_pairing_sessions where id = ${id}`,
    )) as [{ text: string }];
    expect(text).not.toContain('203.0.113');
    const byBackend = await create({ 'user-agent': 'node' }, asked);
    expect((await contextOf(service, byBackend.body.session.id)).body.context).toMatchObject({
      origin,
      browser: null,
      system: null,
      sameNetwork: null,
    });
  });

  it.each([
    ['https://app.example.com.evil.test'],
    ['https://app.example.com@evil.test'],
    ['https://user:pass@app.example.com'],
    ['https://app.example.com:8443'],
    ['http://app.example.com'],
    ['https://evil.test/https://app.example.com'],
    ['blob:https://app.example.com/0b0f1c2e'],
  ])('rejects %s, in the context and as the return address [pairing/what-a-session-asks]', async (url) => {
    await setPolicy(service, account, { origins: [origin] });
    for (const body of [{ context: { origin: url } }, { sameDevice: true, returnUrl: url }]) {
      const reply = await create({}, body);
      expect([reply.status, reply.body.error]).toEqual([403, 'origin_not_allowed']);
    }
  });

  it('cannot be linked to other sessions of the same network [pairing/what-a-session-asks]', async () => {
    await setPolicy(service, account, { origins: [origin] });
    await create({ origin }, { context: { origin } });
    await create({ origin }, { context: { origin } });
    const rows = await db.query<{ hash: string }>(
      sql`select context->>'networkHash' as hash from proof_pairing_sessions where tenant_id = ${account.tenantId}`,
    );
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
  });

  it('is only given for an open session of an active account [phones/pairing-without-a-key]', async () => {
    const pairing = await open({});
    expect((await contextOf(service, '00000000-0000-7000-8000-000000000000')).status).toBe(404);
    await service.setStatus(account, 'suspended');
    expect((await contextOf(service, pairing.id)).status).toBe(404);
    await service.setStatus(account, 'active');
    service.clock.advance(300 * SECOND);
    expect(outcome(await contextOf(service, pairing.id))).toBe('410 pairing_session_expired');
  });

  it.each([['a\u0007b'], ['\u202egnp.exe'], [' a'], ['a '], ['\u200bApp'], ['x'.repeat(41)], ['']])(
    'rejects the application %j [pairing/what-a-session-asks]',
    async (application) => {
      expect((await create({}, { context: { application } })).status).toBe(400);
    },
  );
});

describe('a code that moves', () => {
  it('is sent every 10 seconds without a statement for each, and is the newest in each poll [pairing/moving-code]', async () => {
    const pairing = await open({ rotate: true });
    const stream = await watch(service, account.key, pairing);
    await stream.next();
    const codes = [await stream.code()];
    const before = db.statements.length;
    for (let moved = 0; moved < 8; moved += 1) {
      service.clock.advance(10 * SECOND);
      let code = await stream.code();
      // A stream that reads the session again sends its code again.
      while (code === codes.at(-1)) code = await stream.code();
      codes.push(code);
    }
    // Without Redis, one statement a second asks for the changes of all streams; its first answers about the session, the
    // key and the account make a stream read the session, once or for each, however many codes it has sent.
    const reads = db.statements.slice(before).filter((text) => / from proof_pairing_sessions t\s/.test(text));
    expect(reads.length).toBeLessThan(8);
    expect(new Set(codes).size).toBe(9);
    const slots = codes.map((qrPayload) => scanOf({ qrPayload }).slot);
    expect(slots).toEqual(slots.map((_, at) => (slots[0] as number) + at));
    expect((await poll(service, account.key, pairing)).body.session.qrPayload).toBe(codes.at(-1));
    stream.disconnect();
  });

  it('is accepted in its slot and the next, and for 120 seconds with the ticket of a scan [pairing/moving-code]', async () => {
    const pairing = await open({ rotate: true });
    const body = await prove(pairing);
    const send = (scan: object) => phone(service, pairing.id, 'submit', { ...body, ...scan });
    const scan = scanOf(pairing);
    service.clock.advance(10 * SECOND - (service.clock.now() % (10 * SECOND)));
    const scanTicket = await ticketOf(pairing);
    const stale = '410 pairing_code_stale';
    for (const forged of [
      {},
      { slot: scan.slot },
      { slotMac: scan.slotMac },
      { ...scan, slot: scan.slot + 1 },
      { ...scan, slot: scan.slot + 2 },
      { ...scan, slotMac: 'A'.repeat(16) },
      { scanTicket: `${Number.parseInt(scanTicket, 10) + 1}.${scanTicket.split('.')[1]}` },
    ])
      expect(outcome(await send(forged)), JSON.stringify(forged)).toBe(stale);
    service.clock.advance(10 * SECOND);
    expect(outcome(await send(scan))).toBe(stale);
    expect(outcome(await contextOf(service, pairing.id, scan))).toBe(stale);
    service.clock.advance(111 * SECOND);
    expect(outcome(await send({ scanTicket }))).toBe(stale);
    expect(await stateOf(pairing)).toBe('issued');
    const fresh = scanOf((await poll(service, account.key, pairing)).body.session);
    const again = (await contextOf(service, pairing.id, fresh)).body.scanTicket;
    service.clock.advance(119 * SECOND);
    expect(outcome(await send({ scanTicket: again }))).toBe('200 bound');
  });

  it('is not accepted for another session, tenant or environment [pairing/moving-code]', async () => {
    const [one, another] = [await open({ rotate: true }), await open({ rotate: true })];
    expect(outcome(await contextOf(service, one.id, scanOf(another)))).toBe('410 pairing_code_stale');
    const scanTicket = await ticketOf(another);
    const body = { ...(await prove(one)), scanTicket };
    expect(outcome(await phone(service, one.id, 'submit', body))).toBe('410 pairing_code_stale');
  });
});

describe('declining', () => {
  const decline = (pairing: Pairing, body: object) => phone(service, pairing.id, 'decline', body);
  const proveDecline = ({ id, nonce }: Pairing, prover: PhoneIdentity = person) =>
    proveForDecline(prover, { tenantId: account.tenantId, sessionId: id, nonce });

  it('ends the session, with a scan ticket or an API key [pairing/declining] [POST /v1/phone/pairing/:id/decline] [POST /v1/proof-pairing/sessions/:id/decline]', async () => {
    const pairing = await open();
    const stream = await watch(service, account.key, pairing);
    await stream.next();
    const reply = await decline(pairing, { reason: 'not_me', scanTicket: await ticketOf(pairing) });
    expect(reply.body).toEqual({ session: { id: pairing.id, state: 'declined' } });
    expect(await stream.next()).toMatchObject({ event: 'session_declined', data: { state: 'declined' } });
    expect(await audited()).toMatchObject({
      action: 'pairing.declined',
      metadata: { reason: 'not_me', proved: false },
    });
    expect(outcome(await approve(pairing, pairing.matchCode))).toBe('409 pairing_session_closed');
    const withKey = await open();
    const path = `/v1/proof-pairing/sessions/${withKey.id}/decline`;
    const keyed = await service.call('POST', path, { as: account.key, body: { reason: 'mistake' } });
    expect(outcome(keyed)).toBe('200 declined');
  });

  it('records whether a registered person declined, and rejects a proof that does not show it [pairing/declining]', async () => {
    const pairing = await open();
    const scanTicket = await ticketOf(pairing);
    const stranger = await proveDecline(pairing, createIdentity());
    const mine = await proveDecline(pairing);
    const refused = await decline(pairing, { reason: 'not_me', scanTicket, ...stranger });
    expect(outcome(refused)).toBe('401 verification_failed');
    const wrong = { ...mine, proof: wrongProof(mine.proof) };
    expect(outcome(await decline(pairing, { reason: 'not_me', scanTicket, ...wrong }))).toBe(
      '401 verification_failed',
    );
    const half = { reason: 'not_me', scanTicket, did: person.did };
    expect(outcome(await decline(pairing, half))).toBe('400 invalid_request');
    expect(await stateOf(pairing)).toBe('issued');
    expect(outcome(await decline(pairing, { reason: 'not_me', scanTicket, ...mine }))).toBe('200 declined');
    expect((await audited()).metadata).toMatchObject({ reason: 'not_me', proved: true });
  });

  it('does not accept the proof of a decline as an approval [pairing/declining]', async () => {
    const plain = await open({ match: 'off' });
    const submitted = await phone(service, plain.id, 'submit', await proveDecline(plain));
    expect(outcome(submitted)).toBe('401 pairing_nonce_mismatch');
    expect(await stateOf(plain)).toBe('issued');
    const numbered = await open();
    const body = { ...(await proveDecline(numbered)), matchCode: numbered.matchCode as string };
    expect(outcome(await approve(numbered, undefined, Promise.resolve(body)))).toBe(
      '401 verification_failed',
    );
    expect(await stateOf(numbered)).toBe('issued');
  });

  it('ends the session with the proof of an approval without a number, but does not count it as proved [pairing/declining]', async () => {
    const pairing = await open();
    const scanTicket = await ticketOf(pairing);
    const send = (proof: object) => decline(pairing, { reason: 'not_me', scanTicket, ...proof });
    const { matchCode: _, ...numbered } = await prove(pairing, pairing.matchCode);
    const approval = await prove(pairing);
    const wrong = { ...approval, proof: wrongProof(approval.proof) };
    const stranger = await prove(pairing, undefined, createIdentity());
    for (const proof of [numbered, wrong, stranger])
      expect(outcome(await send(proof))).toBe('401 verification_failed');
    expect(await stateOf(pairing)).toBe('issued');
    expect(outcome(await send(approval))).toBe('200 declined');
    expect((await audited()).metadata).toMatchObject({ reason: 'not_me', proved: false });
  });

  it('needs a ticket without an API key, and changes no session that has ended [pairing/declining]', async () => {
    const pairing = await open({});
    expect(outcome(await decline(pairing, { reason: 'not_me' }))).toBe('400 invalid_request');
    const scanTicket = (await contextOf(service, pairing.id)).body.scanTicket;
    const other = (await contextOf(service, (await open({})).id)).body.scanTicket;
    expect(outcome(await decline(pairing, { reason: 'not_me', scanTicket: other }))).toBe(
      '410 pairing_code_stale',
    );
    await phone(service, pairing.id, 'submit', await prove(pairing));
    expect(outcome(await decline(pairing, { reason: 'not_me', scanTicket }))).toBe(
      '409 pairing_session_already_bound',
    );
    expect(await stateOf(pairing)).toBe('bound');
  });
});

describe('a sign-in on the same device', () => {
  const redeem = (pairing: Pairing, returnCode: string, cookie = pairing.cookie) =>
    service.call('POST', `/v1/proof-pairing/sessions/${pairing.id}/redeem`, {
      as: account.key,
      headers: { cookie },
      body: { returnCode },
    });

  it('has no tokens until the browser redeems the code that the phone returned with [pairing/same-device] [POST /v1/proof-pairing/sessions/:id/redeem]', async () => {
    const { pairing, returnUrl, returnCode } = await bindOnSameDevice(service, account);
    expect(returnUrl).toBe(`https://app.example.com/signed-in#${returnCode}`);
    expect((await poll(service, account.key, pairing)).body).toMatchObject({
      session: { state: 'bound' },
      tokens: null,
    });
    expect(outcome(await redeem(pairing, returnCode, ''))).toBe('403 pairing_bind_mismatch');
    expect(outcome(await redeem(pairing, 'A'.repeat(43)))).toBe('410 pairing_code_stale');
    const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(pairing, returnCode)));
    const redeemed = replies.filter(({ status }) => status === 200);
    expect(redeemed).toHaveLength(1);
    expect(redeemed[0]?.body.tokens.accessToken).toMatch(/^eyJ/);
    expect(replies.filter((one) => outcome(one) === '410 pairing_code_stale')).toHaveLength(9);
    expect((await poll(service, account.key, pairing)).body.tokens).not.toBeNull();
  });

  it('is lost after 60 seconds [pairing/same-device]', async () => {
    const { pairing, returnCode } = await bindOnSameDevice(service, account);
    service.clock.advance(60 * SECOND);
    expect(outcome(await redeem(pairing, returnCode))).toBe('410 pairing_code_stale');
  });

  it('is lost when the session expires [pairing/same-device]', async () => {
    const { pairing, returnCode } = await bindOnSameDevice(service, account, () =>
      service.clock.advance(250 * SECOND),
    );
    service.clock.advance(50 * SECOND);
    expect(outcome(await redeem(pairing, returnCode))).toBe('410 pairing_code_stale');
  });

  it('returns to an address that every parser of URLs reads alike [pairing/same-device]', async () => {
    await setPolicy(service, account, { origins: ['https://app.example.com'] });
    const returnUrl = 'https://app.example.com\\@evil.test/a b';
    const pairing = await open({ sameDevice: true, returnUrl });
    const reply = await phone(service, pairing.id, 'submit', await prove(pairing));
    const { returnCode } = reply.body;
    expect(reply.body.returnUrl).toBe(`https://app.example.com/@evil.test/a%20b#${returnCode}`);
  });

  it('is the only one that same_device_only allows [pairing/same-device]', async () => {
    const before = await open({});
    await setPolicy(service, account, { same_device_only: true, origins: ['https://app.example.com'] });
    expect(await stateOf(before)).toBe('expired');
    const create = (body: object) =>
      service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body });
    expect((await create({})).body.details[0].path).toBe('body.sameDevice');
    expect((await create({ sameDevice: true })).body.details[0].path).toBe('body.returnUrl');
    const returnUrl = 'https://app.example.com/back';
    expect((await create({ sameDevice: true, returnUrl: `${returnUrl}#a` })).status).toBe(400);
    expect((await create({ sameDevice: true, returnUrl })).status).toBe(201);
  });
});

describe('a phone without an API key', () => {
  it('binds a session that only tells its own scope, and counts for no plan [phones/pairing-without-a-key] [POST /v1/phone/pairing/:id/submit]', async () => {
    const pairing = await open({});
    const reply = await phone(service, pairing.id, 'submit', await prove(pairing));
    expect(reply.body).toMatchObject({ session: { state: 'bound' }, tokens: { tokenType: 'Bearer' } });
    expect(reply.headers).not.toHaveProperty('x-svc-tenant');
    expect(await audited()).toMatchObject({ actorType: 'phone', action: 'pairing.submit' });
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect(outcome(await phone(service, unknown, 'submit', await prove(pairing)))).toBe(
      '404 pairing_session_not_found',
    );
  });

  it('binds nothing for an account that is suspended during the submit [phones/pairing-without-a-key]', async () => {
    const pairing = await open({});
    const body = await prove(pairing);
    beforeWriting = () => service.setStatus(account, 'suspended');
    expect(outcome(await phone(service, pairing.id, 'submit', body))).toBe('404 pairing_session_not_found');
    await service.setStatus(account, 'active');
    expect(await stateOf(pairing)).toBe('issued');
  });

  const failures = ({ id }: Pairing) =>
    db.query(
      sql`select 1 from audit_events where tenant_id = ${account.tenantId} and entity_id = ${id} and status = 'failure'`,
    );

  it('records nothing for a proof that is not valid [phones/pairing-without-a-key]', async () => {
    const pairing = await open({});
    const body = await prove(pairing);
    const reply = await phone(service, pairing.id, 'submit', { ...body, proof: wrongProof(body.proof) });
    expect(outcome(reply)).toBe('401 verification_failed');
    expect(await failures(pairing)).toEqual([]);
    const stream = await watch(service, account.key, pairing);
    expect(await stream.next()).toMatchObject({ id: '1', event: 'session_created' });
    stream.disconnect();
  });

  it('can fill the audit log with no more than 20 failures of a session, also at the same time [phones/pairing-without-a-key]', async () => {
    const pairing = await open({});
    const stranger = await prove(pairing, undefined, createIdentity());
    const send = () => phone(service, pairing.id, 'submit', stranger);
    const replies = await Promise.all(Array.from({ length: 25 }, send));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await failures(pairing)).toHaveLength(20);
    const full = await send();
    expect([full.status, full.headers['retry-after']]).toEqual([429, '300']);
    await setPolicy(service, account, { require_basic_integrity: true });
    expect((await send()).status).toBe(429);
    await setPolicy(service, account, {});
    const withKey = await service.call('POST', `/v1/proof-pairing/sessions/${pairing.id}/submit`, {
      as: account.key,
      body: await prove(pairing),
    });
    expect(outcome(withKey)).toBe('200 bound');
  });
});

describe('with several nodes', () => {
  it('a scan on another node is fresh, and declining or a wrong number there reaches the desktop’s stream [pairing/moving-code] [pairing/declining]', async () => {
    const node = await startService({ clock: service.clock });
    const ends = {
      session_declined: async (pairing: Pairing) =>
        phone(node, pairing.id, 'decline', {
          reason: 'not_me',
          scanTicket: (await contextOf(node, pairing.id, scanOf(pairing))).body.scanTicket,
        }),
      session_rejected: async (pairing: Pairing) =>
        phone(node, pairing.id, 'submit', {
          ...(await prove(pairing, otherThan(pairing.matchCode))),
          ...scanOf(pairing),
        }),
    };
    for (const [event, end] of Object.entries(ends)) {
      const pairing = await open();
      const stream = await watch(service, account.key, pairing);
      await stream.next();
      await end(pairing);
      service.clock.advance(1_000);
      expect((await stream.next()).event).toBe(event);
    }
    await node.close();
  });
});
