import type { Correction } from '@svc/zk/time/correction';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endUnanswered } from '../../src/features/corrections/ends.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { createSite, decideOwn, listOwn, proposeOwn, punchAt } from '../support/punches.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import type { OpenDesk } from '../support/staff.js';
import { employ, memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let desk: OpenDesk;
let ada: Person;
let hr: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = await timeScene(service);
  ({ account, desk, ada } = scene);
  hr = await memberWith(service, account, { hours: true });
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? body.correction?.state];
const agoIso = (minutes: number) => new Date(service.clock.now() - minutes * 60_000).toISOString();
const out = (minutes = 60) => ({
  type: 'check_out' as const,
  reason: 'work' as const,
  occurredAt: agoIso(minutes),
});
const propose = (body: object, as = hr.token) =>
  service.call('POST', '/v1/attendance/corrections', { as, body });
const act = (id: string, what: string, body?: object, as = hr.token) =>
  service.call('POST', `/v1/attendance/corrections/${id}/${what}`, { as, ...(body && { body }) });
const read = async (id: string) =>
  (await service.call('GET', `/v1/attendance/corrections/${id}`, { as: account.key })).body.correction;
const list = async () =>
  (await service.call('GET', '/v1/attendance?sort=oldest', { as: account.key })).body.attendance;
const correctionOf = (changes: Correction['changes'], more: Partial<Correction> = {}): Correction => ({
  ...{ userId: ada.userId, cause: 'forgotten', note: null, changes },
  ...more,
});
/** A proved punch, as a correction names it. */
async function punched(type: 'check_in' | 'check_out' = 'check_in') {
  const { attendance } = (await punchAt(service, desk, ada, { type })).body;
  const { id, reason, occurredAt } = attendance;
  return { id, type, reason, occurredAt };
}

describe('a correction [time/corrections] [POST /v1/attendance/corrections] [GET /v1/attendance/corrections] [GET /v1/attendance/corrections/:id]', () => {
  it('that a member proposes changes nothing before the person agrees on their phone [attendance.correction_proposed] [attendance.correction_agreed] [POST /v1/phone/attendance/corrections/:id/decide]', async () => {
    const old = await punched();
    service.clock.advance(3_600_000);
    const later = { ...old, occurredAt: agoIso(30) };
    const { id: _, ...next } = later;
    const reply = await propose({
      userId: ada.userId,
      cause: 'wrong_time',
      changes: [{ old: old.id, new: next }],
    });
    expect(reply.status, reply.text).toBe(201);
    const { correction } = reply.body;
    expect(correction).toMatchObject({
      ...{ state: 'proposed', proposedBy: 'member', memberId: hr.id, personAt: null, endedAt: null },
      changes: [{ old, new: next }],
    });
    expect(await list()).toHaveLength(1);
    const own = (await listOwn(service, ada, account, old.occurredAt.slice(0, 7))).body;
    expect(own.corrections).toEqual([correction]);
    expect(outcome(await decideOwn(service, ada, account, correction))).toEqual([200, 'agreed']);
    expect(await list()).toMatchObject([
      { id: old.id, voidedBy: correction.id, evidence: 'proved', occurredAt: old.occurredAt },
      { ...next, evidence: 'agreed', correctionId: correction.id, voidedBy: null },
    ]);
    const counted = await service.call('GET', '/v1/attendance?voided=false', { as: account.key });
    expect(counted.body.attendance).toHaveLength(1);
    expect(await read(correction.id)).toMatchObject({ state: 'agreed', personBy: 'phone' });
    expect(outcome(await decideOwn(service, ada, account, correction, 'contest'))).toEqual([
      409,
      'correction_closed',
    ]);
  });

  it('that the person proposes waits for a member with the right [POST /v1/phone/attendance/corrections] [POST /v1/attendance/corrections/:id/decide]', async () => {
    await punched();
    service.clock.advance(3_600_000);
    const wanted = correctionOf([{ old: null, new: out(10) }], { note: 'The gate was closed.' });
    const reply = await proposeOwn(service, ada, account, wanted);
    expect(outcome(reply), reply.text).toEqual([201, 'proposed']);
    const { id } = reply.body.correction;
    expect(outcome(await decideOwn(service, ada, account, reply.body.correction))).toEqual([
      409,
      'correction_waits_for_member',
    ]);
    const developer = await memberWith(service, account, {}, 'developer');
    expect((await act(id, 'decide', { decision: 'agree' }, developer.token)).status).toBe(403);
    expect(outcome(await act(id, 'decide', { decision: 'agree' }))).toEqual([200, 'agreed']);
    expect((await list()).at(-1)).toMatchObject({ ...out(10), evidence: 'agreed' });
  });

  it('contested keeps both versions, and the account may then record what it says [attendance.correction_contested] [attendance.correction_recorded] [POST /v1/attendance/corrections/:id/record] [correction_open]', async () => {
    await punched();
    service.clock.advance(3_600_000);
    const { correction } = (
      await propose({ userId: ada.userId, cause: 'forgotten', changes: [{ old: null, new: out() }] })
    ).body;
    expect(outcome(await act(correction.id, 'record'))).toEqual([409, 'correction_open']);
    expect(outcome(await decideOwn(service, ada, account, correction, 'contest'))).toEqual([
      200,
      'contested',
    ]);
    expect(await list()).toHaveLength(1);
    const recorded = await act(correction.id, 'record');
    expect([recorded.status, recorded.body.attendance]).toMatchObject([
      201,
      [{ ...out(), evidence: 'asserted', correctionId: correction.id }],
    ]);
    expect(outcome(await act(correction.id, 'record'))).toEqual([409, 'correction_closed']);
  });

  it('is listed with the name of the person, and whether they are active, for who asks for names', async () => {
    await propose({ userId: ada.userId, cause: 'forgotten', changes: [{ old: null, new: out() }] });
    const listed = async (query: string) => {
      const path = `/v1/attendance/corrections?userId=${ada.userId}${query}`;
      return (await service.call('GET', path, { as: account.key })).body.corrections;
    };
    const [named] = await listed('&include=names');
    const { user } = (await service.call('GET', `/v1/users/${ada.userId}`, { as: account.key })).body;
    expect(named).toMatchObject({ userName: user.fullName, userStatus: 'active' });
    const { userName: _, userStatus: __, ...plain } = named;
    expect(await listed('')).toEqual([plain]);
    await service.call('PATCH', `/v1/users/${ada.userId}`, { as: account.key, body: { status: 'inactive' } });
    expect(await listed('&include=names')).toMatchObject([{ userStatus: 'inactive' }]);
  });

  it('decided on both sides or withdrawn at the same time ends once [correction_closed] [attendance.correction_withdrawn] [POST /v1/attendance/corrections/:id/withdraw]', async () => {
    const old = await punched();
    const { correction } = (
      await propose({ userId: ada.userId, cause: 'double', changes: [{ old: old.id, new: null }] })
    ).body;
    const replies = await Promise.all([
      decideOwn(service, ada, account, correction),
      decideOwn(service, ada, account, correction, 'contest'),
      act(correction.id, 'withdraw'),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const [event] = await list();
    const { state } = await read(correction.id);
    expect(event.voidedBy).toBe(state === 'agreed' ? correction.id : null);
  });

  it('without an answer in 30 days is unanswered [attendance.correction_unanswered]', async () => {
    await punched();
    const { correction } = (
      await propose({ userId: ada.userId, cause: 'forgotten', changes: [{ old: null, new: out() }] })
    ).body;
    service.clock.advance(30 * 86_400_000);
    hr = await logInAgain(service, hr);
    expect((await read(correction.id)).state).toBe('unanswered');
    expect(outcome(await decideOwn(service, ada, account, correction))).toEqual([409, 'correction_closed']);
    await endUnanswered(service.app.deps);
    expect((await read(correction.id)).endedAt).not.toBeNull();
    expect((await act(correction.id, 'record')).status).toBe(201);
  });

  it('of what another one replaced is outdated, and changes nothing [correction_outdated]', async () => {
    const old = await punched();
    const bodies = [{ old: old.id, new: null }].map((change) => ({
      ...{ userId: ada.userId, cause: 'double', changes: [change] },
    }));
    const [first, second] = await Promise.all([propose(bodies[0] as object), propose(bodies[0] as object)]);
    expect(outcome(await decideOwn(service, ada, account, first.body.correction))).toEqual([200, 'agreed']);
    expect(outcome(await decideOwn(service, ada, account, second.body.correction))).toEqual([
      409,
      'correction_outdated',
    ]);
    expect(outcome(await propose(bodies[0] as object))).toEqual([400, 'invalid_request']);
  });

  it('is rejected without the right, with eleven changes, of others’ events, of the future, and of what did not change', async () => {
    const old = await punched();
    const grace = await employ(service, scene, { fullName: 'Grace Hopper' });
    const change = { old: null, new: out() };
    const base = { userId: ada.userId, cause: 'other', changes: [change] };
    const refused = [
      { ...base, changes: Array.from({ length: 11 }, () => change) },
      { ...base, changes: [] },
      { ...base, changes: [{ old: null, new: null }] },
      { ...base, userId: grace.userId, changes: [{ old: old.id, new: null }] },
      { ...base, changes: [{ old: null, new: out(-10) }] },
      { ...base, note: '\u202ereversed' },
    ];
    for (const body of refused) expect((await propose(body)).status).toBe(400);
    const representative = await memberWith(service, account, { representative: true });
    expect((await propose(base, representative.token)).status).toBe(403);
    expect((await propose(base, account.token)).status).toBe(403);
    expect(
      (await service.call('POST', '/v1/attendance/corrections', { as: account.key, body: base })).status,
    ).toBe(401);
  });

  it('is for members whose rights are for the site of the person [time/rights-by-site]', async () => {
    const south = await createSite(service, account, {
      name: 'Süd',
      timeZone: 'Europe/Madrid',
      country: 'ES',
    });
    const other = await memberWith(service, account, { hours: true, siteIds: [south.id] });
    const body = { userId: ada.userId, cause: 'forgotten', changes: [{ old: null, new: out() }] };
    expect(outcome(await propose(body, other.token))).toEqual([404, 'user_not_found']);
    const { correction } = (await propose(body)).body;
    const listed = await service.call('GET', '/v1/attendance/corrections', { session: other.token });
    expect(listed.body.corrections).toEqual([]);
    expect(outcome(await act(correction.id, 'withdraw', undefined, other.token))).toEqual([
      404,
      'correction_not_found',
    ]);
    expect(outcome(await act(correction.id, 'withdraw'))).toEqual([200, 'withdrawn']);
  });

  it('by a phone is bound to every field, the same request again is the same correction, and nobody proposes for others', async () => {
    const old = await punched();
    service.clock.advance(600_000);
    const wanted = correctionOf([{ old, new: { ...out(5) } }]);
    const id = crypto.randomUUID();
    const first = await proposeOwn(service, ada, account, wanted, id);
    expect(outcome(first), first.text).toEqual([201, 'proposed']);
    expect((await proposeOwn(service, ada, account, wanted, id)).body).toEqual(first.body);
    const grace = await employ(service, scene, { fullName: 'Grace Hopper' });
    expect(outcome(await proposeOwn(service, grace, account, wanted))).toEqual([401, 'verification_failed']);
    expect(outcome(await decideOwn(service, grace, account, first.body.correction))).toEqual([
      401,
      'verification_failed',
    ]);
    const wrong = { ...old, occurredAt: agoIso(500) };
    expect(
      outcome(await proposeOwn(service, ada, account, correctionOf([{ old: wrong, new: null }]))),
    ).toEqual([400, 'invalid_request']);
  });
});

describe('taking back one’s own punch [time/taking-back]', () => {
  it('within five minutes needs nobody else, and both stay', async () => {
    const old = await punched();
    service.clock.advance(299_000);
    const reply = await proposeOwn(
      service,
      ada,
      account,
      correctionOf([{ old, new: null }], { cause: 'double' }),
    );
    expect(outcome(reply), reply.text).toEqual([201, 'agreed']);
    expect(await list()).toMatchObject([{ id: old.id, voidedBy: reply.body.correction.id }]);
  });

  it('later waits for the company', async () => {
    const old = await punched();
    service.clock.advance(301_000);
    const reply = await proposeOwn(service, ada, account, correctionOf([{ old, new: null }]));
    expect(outcome(reply)).toEqual([201, 'proposed']);
    expect(await list()).toMatchObject([{ voidedBy: null }]);
  });
});
