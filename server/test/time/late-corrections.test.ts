import type { Correction } from '@svc/zk/time/correction';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endUnanswered } from '../../src/features/corrections/ends.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import {
  createSite,
  decideOwn,
  linkMember,
  proposeOwn,
  punchWhen,
  waitUntil,
  workFrom,
} from '../support/punches.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';
import { memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let ada: Person;
let hr: MemberAccount;
/** A key that changes sites and erases people. */
let owner: string;
let month = '2026-05';
beforeAll(async () => {
  service = await startService({ clock: manualClock(Date.parse('2026-05-01T04:00:00Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  // The first of a month in Berlin, at six.
  month = new Date(service.clock.now() + 40 * 86_400_000).toISOString().slice(0, 7);
  waitUntil(service, `${month}-01T04:00:00Z`);
  scene = await timeScene(service);
  ({ account, ada } = scene);
  owner = await service.createKey(account, 'live', ['sites:write', 'users:erase']);
  hr = await memberWith(service, account, { hours: true });
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? body.correction?.state];
const on = (day: number, time: string) => `${month}-${String(day).padStart(2, '0')}T${time}:00.000Z`;
const out = (occurredAt: string) => ({ type: 'check_out' as const, reason: 'work' as const, occurredAt });
const propose = (changes: object[], userId = ada.userId, as = hr.token) =>
  service.call('POST', '/v1/attendance/corrections', { as, body: { userId, cause: 'forgotten', changes } });
const act = (id: string, what: string, as = hr.token) =>
  service.call('POST', `/v1/attendance/corrections/${id}/${what}`, {
    as,
    ...(what === 'decide' && { body: { decision: 'agree' } }),
  });
const ownProposal = (changes: Correction['changes']) =>
  proposeOwn(service, ada, account, { userId: ada.userId, cause: 'forgotten', note: null, changes });
const read = async (id: string) =>
  (await service.call('GET', `/v1/attendance/corrections/${id}`, { as: account.key })).body.correction;
const list = async () =>
  (await service.call('GET', '/v1/attendance?sort=oldest', { as: account.key })).body.attendance;
const sheetOf = async (siteId = scene.site.id) => {
  const query = `siteId=${siteId}&month=${month}&userId=${ada.userId}`;
  return (await service.call('GET', `/v1/attendance/sheets?${query}`, { as: account.key })).body.sheets[0];
};
const patchAda = (body: object) =>
  service.call('PATCH', `/v1/users/${ada.userId}`, { as: account.key, body });
const changed = ({ id, type, reason, occurredAt }: Awaited<ReturnType<typeof punchWhen>>) => {
  return { id, type, reason, occurredAt };
};
/** A month later. Log-ins have ended by then. */
async function nextMonth(): Promise<void> {
  service.clock.advance(32 * 86_400_000);
  hr = await logInAgain(service, hr);
}

describe('a correction', () => {
  it('of a closed month changes its sheet and not its closing, and closing again says whose sheet changed [time/closing]', async () => {
    await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    await nextMonth();
    const path = `/v1/attendance/months/${month}`;
    const close = (openFlags: number) =>
      service.call('POST', `${path}/close`, {
        session: hr.token,
        body: { siteId: scene.site.id, openFlags },
      });
    const closed = await close(1);
    expect(closed.status, closed.text).toBe(201);
    const first = closed.body.closing;
    const { correction } = (await propose([{ old: null, new: out(on(1, '11:30')) }])).body;
    expect((await sheetOf()).sheet.totals.minutes).toBe(0);
    expect(outcome(await decideOwn(service, ada, account, correction))).toEqual([200, 'agreed']);
    expect((await sheetOf()).sheet).toMatchObject({ totals: { minutes: 330 }, flags: [] });
    const closings = async () =>
      (await service.call('GET', `${path}?siteId=${scene.site.id}`, { as: account.key })).body.closings;
    expect(await closings()).toEqual([first]);
    expect((await close(0)).body.closing).toMatchObject({ version: 2, changed: [ada.userId] });
    expect((await closings())[1]).toEqual(first);
  });

  it('by a phone is rejected of an event that was replaced, and with eleven changes', async () => {
    const came = await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    const next = { ...out(on(1, '05:45')), type: 'check_in' as const };
    const { correction } = (await propose([{ old: came.id, new: next }])).body;
    await decideOwn(service, ada, account, correction);
    expect(outcome(await ownProposal([{ old: changed(came), new: null }]))).toEqual([400, 'invalid_request']);
    const eleven = Array.from({ length: 11 }, () => ({ old: null, new: out(on(1, '05:50')) }));
    expect(outcome(await ownProposal(eleven))).toEqual([400, 'invalid_request']);
    expect(await list()).toHaveLength(2);
  });

  it('that a person proposed and nobody decided is unanswered, and recorded beside their own events', async () => {
    const [came] = await workFrom(service, scene.desk, ada, [on(1, '06:00'), on(1, '10:00')]);
    const earlier = { ...out(on(1, '05:00')), type: 'check_in' as const };
    const { correction } = (await ownProposal([{ old: changed(came), new: earlier }])).body;
    await nextMonth();
    expect(outcome(await act(correction.id, 'decide'))).toEqual([409, 'correction_closed']);
    await Promise.all([endUnanswered(service.app.deps), endUnanswered(service.app.deps)]);
    expect(await read(correction.id)).toMatchObject({ state: 'unanswered', memberAt: null });
    const ended = await service.call('GET', '/v1/audit?action=attendance.correction_unanswered', {
      as: account.key,
    });
    expect(ended.body.audit).toMatchObject([{ entityId: correction.id, actorType: 'system' }]);
    expect((await act(correction.id, 'record')).status).toBe(201);
    expect((await sheetOf()).sheet.totals).toMatchObject({ minutes: 240, difference: 0 });
  });

  it('of somebody who has left waits for nobody: what they proposed is agreed to, and what they were asked is recorded', async () => {
    const came = await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    service.clock.advance(8 * 3_600_000);
    const own = (await ownProposal([{ old: null, new: out(on(1, '12:00')) }])).body.correction;
    const asked = (await propose([{ old: came.id, new: null }])).body.correction;
    expect(outcome(await act(asked.id, 'record'))).toEqual([409, 'correction_open']);
    await patchAda({ status: 'inactive' });
    expect((await decideOwn(service, ada, account, asked)).status).toBe(401);
    expect(outcome(await act(own.id, 'decide'))).toEqual([200, 'agreed']);
    expect((await sheetOf()).sheet.totals.minutes).toBe(360);
    expect((await act(asked.id, 'record')).body.attendance).toEqual([]);
    expect((await sheetOf()).sheet.totals.minutes).toBe(360);
    const later = await propose([{ old: null, new: out(on(1, '13:00')) }]);
    expect(outcome(later)).toEqual([201, 'proposed']);
    const recorded = await act(later.body.correction.id, 'record');
    expect(recorded.body.attendance).toMatchObject([{ evidence: 'asserted' }]);
  });

  it('of an event from before the person moved stays at the site of the event [time/site-of-an-event] [time/rights-by-site]', async () => {
    const [, left] = await workFrom(service, scene.desk, ada, [on(1, '06:00'), on(1, '10:00')]);
    const south = await createSite(service, account, { name: 'Süd' });
    await patchAda({ siteId: south.id });
    const atNorth = await memberWith(service, account, { hours: true, siteIds: [scene.site.id] });
    const atSouth = await memberWith(service, account, { hours: true, siteIds: [south.id] });
    const changes = [{ old: left.id, new: out(on(1, '09:00')) }];
    expect(outcome(await propose(changes, ada.userId, atSouth.token))).toEqual([404, 'user_not_found']);
    const reply = await propose(changes, ada.userId, atNorth.token);
    expect([reply.status, reply.body.correction]).toMatchObject([201, { siteId: scene.site.id }]);
    await decideOwn(service, ada, account, reply.body.correction);
    expect((await list()).at(-1)).toMatchObject({ evidence: 'agreed', siteId: scene.site.id });
    expect((await sheetOf()).sheet.totals.minutes).toBe(180);
    expect(await sheetOf(south.id)).toMatchObject({ sheet: { totals: { minutes: 0 } } });
  });

  it('of a shift from before the person moved adds its end there, and a new shift where they work now', async () => {
    await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    const south = await createSite(service, account, { name: 'Süd' });
    await patchAda({ siteId: south.id });
    service.clock.advance(12 * 3_600_000);
    const forgotten = (await ownProposal([{ old: null, new: out(on(1, '10:00')) }])).body.correction;
    expect(forgotten.siteId).toBe(scene.site.id);
    const came = { ...out(on(1, '12:00')), type: 'check_in' as const };
    const second = await propose([
      { old: null, new: out(on(1, '15:00')) },
      { old: null, new: came },
    ]);
    expect(second.body.correction.siteId).toBe(south.id);
    await act(forgotten.id, 'decide');
    await decideOwn(service, ada, account, second.body.correction);
    expect((await sheetOf()).sheet.totals.minutes).toBe(240);
    expect((await sheetOf(south.id)).sheet.totals.minutes).toBe(180);
  });

  it('is of events at one site', async () => {
    const came = await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    await patchAda({ siteId: (await createSite(service, account, { name: 'Süd' })).id });
    const left = await punchWhen(service, scene.desk, ada, on(1, '10:00'), { type: 'check_out' });
    const both = [came, left].map((event) => ({ old: changed(event), new: null }));
    expect(
      outcome(
        await propose([
          { old: came.id, new: null },
          { old: left.id, new: null },
        ]),
      ),
    ).toEqual([400, 'invalid_request']);
    expect(outcome(await ownProposal(both))).toEqual([400, 'invalid_request']);
  });

  it('of somebody who was erased keeps what they said, and nothing new is asked of them [user_erased]', async () => {
    await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    service.clock.advance(8 * 3_600_000);
    const own = (await ownProposal([{ old: null, new: out(on(1, '12:00')) }])).body.correction;
    const asked = (await propose([{ old: null, new: out(on(1, '13:00')) }])).body.correction;
    const erased = await service.call('POST', `/v1/users/${ada.userId}/erase`, {
      as: owner,
      body: { hours: 'later' },
    });
    expect(erased.status, erased.text).toBe(200);
    expect(outcome(await propose([{ old: null, new: out(on(1, '13:00')) }]))).toEqual([409, 'user_erased']);
    expect((await decideOwn(service, ada, account, asked)).status).toBe(401);
    expect(outcome(await act(own.id, 'decide'))).toEqual([200, 'agreed']);
    expect((await act(asked.id, 'record')).status).toBe(201);
    expect(await sheetOf()).toMatchObject({ name: '', sheet: { totals: { minutes: 360 } } });
    expect(await read(own.id)).toMatchObject({ state: 'agreed', personBy: 'phone' });
  });

  it('is not agreed to by one human in two roles, also if they show it after they proposed [correction_of_oneself]', async () => {
    await punchWhen(service, scene.desk, ada, on(1, '06:00'));
    service.clock.advance(8 * 3_600_000);
    const { correction } = (await propose([{ old: null, new: out(on(1, '12:00')) }])).body;
    expect((await linkMember(service, ada, account, hr)).status).toBe(200);
    expect(outcome(await decideOwn(service, ada, account, correction))).toEqual([
      403,
      'correction_of_oneself',
    ]);
    expect(outcome(await decideOwn(service, ada, account, correction, 'contest'))).toEqual([
      200,
      'contested',
    ]);
    expect(outcome(await act(correction.id, 'record'))).toEqual([403, 'correction_of_oneself']);
    const other = await memberWith(service, account, { hours: true });
    expect((await act(correction.id, 'record', other.token)).status).toBe(201);
  });
});
