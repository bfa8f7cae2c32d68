import type { Correction } from '@svc/zk/time/correction';
import { sheetOf } from '@svc/zk/time/sheet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceToken } from '../support/device-keys.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import {
  type Act,
  contest,
  createSite,
  decideOwn,
  listOwn,
  placeDesk,
  proposeOwn,
  provePunch,
  punchWhen,
  readContext,
  type Site,
  send,
  waitUntil,
} from '../support/punches.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';
import { type OpenDesk, openedDesk, staffAt } from '../support/staff.js';
import { employ, memberWith } from '../support/time-scene.js';

/*
 * A week of three people at two sites, with every minute added up by hand. Times are cut to the minute and then subtracted.
 *
 *                Mon 4         Tue 5         Wed 6         Thu 7          Fri 8
 * Ada, Berlin    07:58-16:32   08:02-16:45   08:00-16:00   08:00-17:00    08:00-13:30
 *   breaks       12:01-12:31   12:00-12:30   12:00-12:30   12:00-12:20
 *   minutes      514-30=484    523-30=493    480-30=450    540-20=520     330            2,277
 * Bruno, Berlin  06:00-14:30   06:05-14:31   06:00-14:00   absent         06:10-12:10
 *   breaks       10:00-10:30   10:00-10:30   09:30-10:00
 *   minutes      510-30=480    506-30=476    480-30=450                   360            1,766
 * Carmen, Canary 09:00-14:00   10:00-15:30   09:00-18:30   22:00-         -06:00
 *                16:00-19:00                                              15:00-19:00
 *   breaks                                   14:00-14:30                  02:00-02:20
 *   minutes      300+180=480   330           570-30=540    120            360-20+240=580 2,050
 *
 * On Tuesday Ada forgets to go, and both sides agree to 16:45 on Wednesday. On Thursday HR says that she went at 16:00, which she contests.
 * Bruno has no phone. A key says that Carmen worked from 09:00 to 11:00 on Saturday, which is 120 minutes beside her own.
 */
const ADA = [484, 493, 450, 520, 330];
const BRUNO = [480, 476, 450, 0, 360];
const CARMEN = [480, 330, 540, 120, 580];
const DAYS = ['04', '05', '06', '07', '08'].map((day) => `2026-05-${day}`);
const MONTH = '2026-05';

let service: Service;
let account: Account;
let [north, south]: Site[] = [];
let northDesk: OpenDesk;
let southDesk: OpenDesk;
let ada: Person;
let carmen: Person;
let brunoId: string;
let hr: MemberAccount;
let representative: MemberAccount;
/** What HR said of Ada's Thursday. */
let contested: string;
beforeAll(async () => {
  service = await startService({ clock: manualClock(Date.parse('2026-05-03T16:00:00Z')) });
  await setUp();
  for (const [time, act] of WEEK) {
    waitUntil(service, time);
    await act(time);
  }
}, 120_000);
afterAll(() => service.close());

async function setUp(): Promise<void> {
  account = await service.signUp({ plan: 'enterprise' });
  north = await createSite(service, account, { payroll: { workType: '100', hours: 'clock' } });
  south = await createSite(service, account, {
    ...{ name: 'Las Palmas', country: 'ES', timeZone: 'Atlantic/Canary' },
  });
  [northDesk, southDesk] = [await openedDesk(service, account), await openedDesk(service, account)];
  await placeDesk(service, account, northDesk, north);
  await placeDesk(service, account, southDesk, south);
  ada = await employ(service, { account, site: north }, { employeeCode: '1815' });
  carmen = await employ(
    service,
    { account, site: south },
    { fullName: 'Carmen Polo', employeeCode: '31', attendanceFrom: 'anywhere' },
  );
  const bruno = { fullName: 'Bruno Diaz', employeeCode: '2207', siteId: north.id };
  brunoId = (await service.call('POST', '/v1/users', { as: account.key, body: bruno })).body.user.id;
  hr = await memberWith(service, account, { hours: true }, 'reception');
  representative = await memberWith(service, account, { representative: true });
}

type Step = readonly [time: string, act: (time: string) => Promise<unknown>];
const OUT: Act = { type: 'check_out' };
const PAUSE: Act = { type: 'check_out', reason: 'break' };
const BACK: Act = { type: 'check_in', reason: 'break' };

const byAda = (act?: Act) => (time: string) => punchWhen(service, northDesk, ada, time, act);
const byCarmen = (act?: Act) => (time: string) => punchWhen(service, southDesk, carmen, time, act);
const remotely = (act?: Act) => async () => {
  const { tenantId } = account;
  const { body } = await readContext(service, { tenantId, environment: 'live' });
  return succeed(await send(service, await provePunch(carmen, body.context, act)));
};
const PIN = { number: '2207', pin: '482915' };
const atDesk = async (path: string, body: object) =>
  service.call('POST', `/v1/attendance/declared${path}`, {
    as: await deviceToken(service, northDesk.device),
    body,
  });
const byBruno =
  ({ type = 'check_in', reason }: Act = {}) =>
  async () =>
    succeed(await atDesk('', { ...PIN, type, ...(reason && { reason }) }));

function succeed(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

/** HR in the dashboard. They log in for each act, so it is confirmed. */
async function asHr(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Reply> {
  hr = await logInAgain(service, hr);
  return service.call(method, path, { session: hr.token, ...(body && { body }) });
}
const out = (occurredAt: string) => ({
  ...{ type: 'check_out' as const, reason: 'work' as const },
  occurredAt: new Date(occurredAt).toISOString(),
});

async function drawPin(): Promise<void> {
  const headers = await staffAt(service, await freshDesk(), hr);
  const body = { userId: brunoId };
  const { pin } = succeed(await service.call('POST', '/v1/staff/pins', { headers, body })).body;
  succeed(await atDesk('/pin', { number: PIN.number, pin, newPin: PIN.pin }));
}
const freshDesk = async () => ({
  device: northDesk.device,
  session: await deviceToken(service, northDesk.device),
});

/** On Wednesday, Ada says when she went on Tuesday, and HR agrees. */
async function mendTuesday(): Promise<void> {
  const [{ sheet }] = await sheetsOf(north);
  expect(sheet.totals.minutes).toBe(ADA[0]);
  expect(sheet.flags).toMatchObject([
    { date: '2026-05-05', code: 'two_check_ins' },
    { date: '2026-05-06', code: 'open_shift' },
  ]);
  const change: Correction['changes'][number] = { old: null, new: out('2026-05-05T16:45:00+02:00') };
  const own = { userId: ada.userId, cause: 'forgotten' as const, note: null, changes: [change] };
  const { id } = succeed(await proposeOwn(service, ada, account, own)).body.correction;
  const waiting = await asHr('GET', '/v1/attendance/corrections?state=proposed');
  expect(waiting.body.corrections).toMatchObject([{ id, proposedBy: 'person', siteId: north?.id }]);
  succeed(await asHr('POST', `/v1/attendance/corrections/${id}/decide`, { decision: 'agree' }));
}

/** HR says that Ada went at 16:00 on Thursday. She contests it, HR records what they say, and she presses *wrong*. */
async function contestThursday(): Promise<void> {
  const { attendance } = (await service.call('GET', '/v1/attendance?sort=newest', { as: account.key })).body;
  const left = attendance.find((event: { userId: string; type: string }) => {
    return event.userId === ada.userId && event.type === 'check_out';
  });
  const body = {
    ...{ userId: ada.userId, cause: 'wrong_time', note: 'The gate was locked at four.' },
    changes: [{ old: left.id, new: out('2026-05-07T16:00:00+02:00') }],
  };
  const proposed = succeed(await asHr('POST', '/v1/attendance/corrections', body)).body.correction;
  const [shown] = (await listOwn(service, ada, account, MONTH)).body.corrections;
  expect(shown).toEqual(proposed);
  succeed(await decideOwn(service, ada, account, shown, 'contest'));
  const recorded = succeed(await asHr('POST', `/v1/attendance/corrections/${shown.id}/record`)).body;
  succeed(await contest(service, ada, account, recorded.attendance[0].id));
  contested = shown.id;
}

const markThursday = async () =>
  succeed(
    await asHr('POST', '/v1/attendance/marks', {
      ...{ userId: brunoId, date: '2026-05-07', code: 'absent', source: 'HR' },
    }),
  );
const byKey = (type: string) => async () =>
  succeed(
    await service.call('POST', '/v1/attendance', {
      as: account.key,
      body: { userId: carmen.userId, type },
    }),
  );

const WEEK: readonly Step[] = [
  ['2026-05-04T05:55:00+02:00', drawPin],
  ['2026-05-04T06:00:00+02:00', byBruno()],
  ['2026-05-04T07:58:31+02:00', byAda()],
  ['2026-05-04T09:00:00+01:00', byCarmen()],
  ['2026-05-04T10:00:00+02:00', byBruno(PAUSE)],
  ['2026-05-04T10:30:00+02:00', byBruno(BACK)],
  ['2026-05-04T12:01:10+02:00', byAda(PAUSE)],
  ['2026-05-04T12:31:50+02:00', byAda(BACK)],
  ['2026-05-04T14:30:00+02:00', byBruno(OUT)],
  ['2026-05-04T14:00:00+01:00', byCarmen(OUT)],
  ['2026-05-04T16:32:05+02:00', byAda(OUT)],
  ['2026-05-04T16:00:00+01:00', byCarmen()],
  ['2026-05-04T19:00:59+01:00', byCarmen(OUT)],
  ['2026-05-05T06:05:00+02:00', byBruno()],
  ['2026-05-05T08:02:00+02:00', byAda()],
  ['2026-05-05T10:00:00+02:00', byBruno(PAUSE)],
  ['2026-05-05T10:30:00+02:00', byBruno(BACK)],
  ['2026-05-05T10:00:00+01:00', remotely()],
  ['2026-05-05T12:00:00+02:00', byAda(PAUSE)],
  ['2026-05-05T12:30:00+02:00', byAda(BACK)],
  ['2026-05-05T14:31:00+02:00', byBruno(OUT)],
  ['2026-05-05T15:30:00+01:00', remotely(OUT)],
  ['2026-05-06T06:00:00+02:00', byBruno()],
  ['2026-05-06T08:00:00+02:00', byAda()],
  ['2026-05-06T08:05:00+02:00', mendTuesday],
  ['2026-05-06T09:30:00+02:00', byBruno(PAUSE)],
  ['2026-05-06T10:00:00+02:00', byBruno(BACK)],
  ['2026-05-06T09:00:00+01:00', byCarmen()],
  ['2026-05-06T12:00:00+02:00', byAda(PAUSE)],
  ['2026-05-06T12:30:00+02:00', byAda(BACK)],
  ['2026-05-06T14:00:00+02:00', byBruno(OUT)],
  ['2026-05-06T14:00:00+01:00', byCarmen(PAUSE)],
  ['2026-05-06T14:30:00+01:00', byCarmen(BACK)],
  ['2026-05-06T16:00:00+02:00', byAda(OUT)],
  ['2026-05-06T18:30:00+01:00', byCarmen(OUT)],
  ['2026-05-07T07:00:00+02:00', markThursday],
  ['2026-05-07T08:00:00+02:00', byAda()],
  ['2026-05-07T12:00:00+02:00', byAda(PAUSE)],
  ['2026-05-07T12:20:00+02:00', byAda(BACK)],
  ['2026-05-07T17:00:00+02:00', byAda(OUT)],
  ['2026-05-07T18:00:00+02:00', contestThursday],
  ['2026-05-07T22:00:00+01:00', byCarmen()],
  ['2026-05-08T02:00:00+01:00', byCarmen(PAUSE)],
  ['2026-05-08T02:20:00+01:00', byCarmen(BACK)],
  ['2026-05-08T06:10:00+02:00', byBruno()],
  ['2026-05-08T06:00:00+01:00', byCarmen(OUT)],
  ['2026-05-08T08:00:00+02:00', byAda()],
  ['2026-05-08T08:00:40+02:00', byAda()],
  ['2026-05-08T12:10:00+02:00', byBruno(OUT)],
  ['2026-05-08T13:30:00+02:00', byAda(OUT)],
  ['2026-05-08T15:00:00+01:00', byCarmen()],
  ['2026-05-08T19:00:00+01:00', byCarmen(OUT)],
  ['2026-05-09T09:00:00+01:00', byKey('check_in')],
  ['2026-05-09T11:00:00+01:00', byKey('check_out')],
];

const sum = (minutes: readonly number[]) => minutes.reduce((total, each) => total + each, 0);
const daysOf = (minutes: readonly number[]) =>
  DAYS.map((date, at) => ({ date, minutes: minutes[at] })).filter((day) => day.minutes !== 0);
const sheetsOf = async (site: Site | undefined) =>
  (await asHr('GET', `/v1/attendance/sheets?siteId=${site?.id}&month=${MONTH}`)).body.sheets;
const file = async (site: Site | undefined, query: string) =>
  (await asHr('GET', `/v1/attendance/sheets?siteId=${site?.id}&month=${MONTH}&${query}`)).text
    .trim()
    .split('\r\n');

it('the sheets of HR have every minute of the week, and what they should look at [time/sheets]', async () => {
  const [ofAda, ofBruno, ...others] = await sheetsOf(north);
  expect(others).toEqual([]);
  expect([ofAda.name, ofAda.sheet.totals]).toMatchObject([
    'Ada Lovelace',
    { minutes: sum(ADA), difference: 0, breakMinutes: 110, days: 5 },
  ]);
  expect(ofAda.sheet.days).toMatchObject(daysOf(ADA));
  expect(ofAda.counts).toEqual({ proved: 18, declared: 0, agreed: 1, asserted: 1, contested: 1 });
  expect(ofBruno.sheet).toMatchObject({ totals: { minutes: sum(BRUNO) }, days: daysOf(BRUNO), flags: [] });
  expect(ofBruno.counts).toEqual({ proved: 0, declared: 14, agreed: 0, asserted: 0, contested: 0 });
  expect(ofBruno.marks).toMatchObject([{ date: '2026-05-07', code: 'absent' }]);
  const [ofCarmen] = await sheetsOf(south);
  expect(ofCarmen.sheet.totals).toMatchObject({
    ...{ minutes: sum(CARMEN), minutesWithAsserted: sum(CARMEN) + 120, difference: 120 },
    ...{ breakMinutes: 50, days: 6 },
  });
  expect(ofCarmen.sheet.days).toMatchObject([
    ...daysOf(CARMEN),
    { date: '2026-05-09', minutes: 0, minutesWithAsserted: 120 },
  ]);
});

it('Ada sees her month on her phone, from which it computes the same, and who looked [time/own-month]', async () => {
  await service.call('GET', `/v1/attendance/sheets?siteId=${north?.id}&month=${MONTH}&userId=${ada.userId}`, {
    session: (await logInAgain(service, representative)).token,
  });
  const { body } = await listOwn(service, ada, account, MONTH);
  const events = body.attendance.map(({ attendance }: { attendance: { voidedBy: string | null } }) => ({
    ...attendance,
    voided: attendance.voidedBy !== null,
  }));
  expect(events).toHaveLength(20);
  const own = sheetOf(events, { zone: body.timeZone, month: MONTH, rules: 'DE', version: 1 });
  const [ofAda] = await sheetsOf(north);
  expect(own).toEqual(ofAda.sheet);
  const { readings } = body;
  expect(readings[0]).toMatchObject({ by: 'member', isOfSite: false });
  expect(readings.length).toBeGreaterThan(1);
  const inTheMonthBefore = await listOwn(service, ada, account, '2026-04');
  expect(inTheMonthBefore.body.attendance).toEqual([]);
});

it('Bruno reads his month at the desk [time/without-a-phone]', async () => {
  const { body } = await atDesk('/month', { ...PIN, month: MONTH });
  expect(body.sheet.sheet).toMatchObject({ totals: { minutes: sum(BRUNO) }, days: daysOf(BRUNO) });
});

it('the payroll files have what people said themselves, a row for each person and day', async () => {
  expect(await file(north, 'format=payroll')).toEqual([
    'employeeCode;date;type;hours',
    '1815;2026-05-04;100;8:04',
    '1815;2026-05-05;100;8:13',
    '1815;2026-05-06;100;7:30',
    '1815;2026-05-07;100;8:40',
    '1815;2026-05-08;100;5:30',
    '2207;2026-05-04;100;8:00',
    '2207;2026-05-05;100;7:56',
    '2207;2026-05-06;100;7:30',
    '2207;2026-05-08;100;6:00',
  ]);
  expect(await file(south, 'format=payroll')).toEqual([
    'employeeCode;date;type;hours',
    '31;2026-05-04;work;8,00',
    '31;2026-05-05;work;5,50',
    '31;2026-05-06;work;9,00',
    '31;2026-05-07;work;2,00',
    '31;2026-05-08;work;9,67',
  ]);
});

it('every column of the CSV adds up to the sheets', async () => {
  const [head = '', ...rows] = await file(south, 'format=csv&hours=minutes');
  const at = (name: string) => head.split(';').indexOf(name);
  const total = (name: string) => sum(rows.map((row) => Number(row.split(';')[at(name)])));
  expect([total('minutes'), total('minutesWithAsserted'), total('breakMinutes')]).toEqual([2050, 2170, 50]);
});

it('a representative reads sheets, months and corrections, and changes nothing [role_insufficient]', async () => {
  const { token: session } = await logInAgain(service, representative);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    service.call(method, path, { session, ...(body && { body }) });
  const [, ofBruno] = await sheetsOf(north);
  const where = `siteId=${north?.id}&month=${MONTH}`;
  const reads = [
    `/v1/attendance/sheets?${where}`,
    `/v1/attendance/months/${MONTH}?siteId=${north?.id}`,
    '/v1/attendance/corrections',
    `/v1/attendance/corrections/${contested}`,
  ];
  for (const path of reads) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  const propose = {
    userId: ada.userId,
    cause: 'other',
    changes: [{ old: null, new: out('2026-05-08T14:00Z') }],
  };
  const mark = { userId: brunoId, date: '2026-05-08', code: 'absent', source: 'HR' };
  const refused = [
    await call('GET', `/v1/attendance/sheets?${where}&format=payroll`),
    await call('POST', `/v1/attendance/months/${MONTH}/close`, { siteId: north?.id }),
    await call('POST', '/v1/attendance/corrections', propose),
    await call('POST', `/v1/attendance/corrections/${contested}/decide`, { decision: 'agree' }),
    await call('POST', `/v1/attendance/corrections/${contested}/record`),
    await call('POST', '/v1/attendance/marks', mark),
    await call('DELETE', `/v1/attendance/marks/${ofBruno.marks[0].id}`),
    await call('DELETE', `/v1/users/${brunoId}/attendance-pin`),
    await call('PATCH', `/v1/sites/${north?.id}`, { retentionMonths: 1 }),
    await call('PATCH', `/v1/users/${ada.userId}`, { siteId: south?.id }),
  ];
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    refused.map(() => [403, 'role_insufficient']),
  );
});

it('HR closes the month of both sites when it is over, and has seen each flag [time/closing]', async () => {
  waitUntil(service, '2026-06-01T00:00:00+02:00');
  const state = async (site: Site | undefined) =>
    (await asHr('GET', `/v1/attendance/months/${MONTH}?siteId=${site?.id}`)).body;
  const close = (site: Site | undefined, openFlags: number) =>
    asHr('POST', `/v1/attendance/months/${MONTH}/close`, { siteId: site?.id, openFlags });
  expect((await state(north)).flags).toMatchObject([
    { userId: ada.userId, date: '2026-05-07', code: 'asserted_ignored' },
    { userId: ada.userId, date: '2026-05-07', code: 'de_break_under_30' },
    { userId: ada.userId, date: '2026-05-08', code: 'double_tap' },
  ]);
  expect((await close(north, 0)).body.error).toBe('month_flags_open');
  expect((await close(south, 2)).body.error).toBe('month_not_over');
  expect((await close(north, 3)).body.closing).toMatchObject({ version: 1, sheets: 2, closedBy: hr.id });
  waitUntil(service, '2026-06-01T00:00:00+01:00');
  expect((await state(south)).flags).toMatchObject([
    { userId: carmen.userId, date: '2026-05-08', code: 'es_day_over_9h' },
    { userId: carmen.userId, date: '2026-05-08', code: 'es_rest_under_12h' },
  ]);
  expect((await close(south, 2)).body.closing).toMatchObject({ version: 1, sheets: 1, closedBy: hr.id });
  const { audit } = (
    await service.call('GET', '/v1/audit?action=attendance.month_closed', { as: account.key })
  ).body;
  expect(audit).toHaveLength(2);
});
