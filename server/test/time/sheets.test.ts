import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { createSite, listOwn, punchAt, type Site } from '../support/punches.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import type { OpenDesk } from '../support/staff.js';
import { employ, memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let site: Site;
let desk: OpenDesk;
let ada: Person;
let hr: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  // The first of a month in Berlin, at eight.
  const next = new Date(service.clock.now());
  const first = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1, 6);
  service.clock.advance(first - service.clock.now());
  scene = await timeScene(service);
  ({ account, site, desk, ada } = scene);
  hr = await memberWith(service, account, { hours: true });
});

const month = () => new Date(service.clock.now()).toISOString().slice(0, 7);
const monthBefore = () => new Date(service.clock.now() - 20 * 86_400_000).toISOString().slice(0, 7);
const hour = 3_600_000;
/** Log-ins end after a day, and sessions of desks after twelve hours. */
async function later(days: number): Promise<void> {
  service.clock.advance(days * 86_400_000);
  hr = await logInAgain(service, hr);
}
async function work(person: Person, hours = 8): Promise<void> {
  await punchAt(service, desk, person);
  service.clock.advance(hours * hour);
  await punchAt(service, desk, person, { type: 'check_out' });
}
const sheets = (query = '', session = hr.token, of = month()): Promise<Reply> =>
  service.call('GET', `/v1/attendance/sheets?siteId=${site.id}&month=${of}${query}`, { session });
const assert = (type: string, minutes: number) =>
  service.call('POST', '/v1/attendance', {
    as: account.key,
    body: {
      ...{ userId: ada.userId, type, deviceId: desk.device.id },
      occurredAt: new Date(service.clock.now() - minutes * 60_000).toISOString(),
    },
  });

describe('the sheets of a month [time/sheets] [GET /v1/attendance/sheets]', () => {
  it('show the hours of everybody at the site, and keep asserted rows apart', async () => {
    const grace = await employ(service, scene, { fullName: 'Grace Hopper', employeeCode: '7' });
    await work(ada, 6);
    await assert('check_in', 180);
    await assert('check_out', 60);
    const { status, text, body } = await sheets();
    expect(status, text).toBe(200);
    expect(body.site).toMatchObject({ id: site.id, timeZone: 'Europe/Berlin', country: 'DE' });
    expect(body.sheets.map((each: { userId: string }) => each.userId)).toEqual([grace.userId, ada.userId]);
    const [, own] = body.sheets;
    expect(own).toMatchObject({
      counts: { proved: 2, declared: 0, agreed: 0, asserted: 2, contested: 0 },
      sheet: { totals: { minutes: 360, minutesWithAsserted: 360, difference: 0, days: 1 } },
    });
    expect(own.sheet.flags.map(({ code }: { code: string }) => code)).toContain('asserted_ignored');
  });

  it('opened are in the audit log, and the person sees who looked [attendance.sheet_read] [time/readings]', async () => {
    await sheets(`&userId=${ada.userId}`);
    await sheets();
    const { readings } = (await listOwn(service, ada, account, month())).body;
    expect(readings).toMatchObject([
      { by: 'member', name: 'Grace Hopper', isOfSite: true },
      { by: 'member', name: 'Grace Hopper', isOfSite: false },
    ]);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=attendance.sheet_read', { as: account.key })
    ).body;
    expect(audit.map(({ entityId }: { entityId: string }) => entityId)).toEqual([site.id, ada.userId]);
  });

  it('are for members with the rights, and for their sites only [role_insufficient]', async () => {
    const south = await createSite(service, account, {
      name: 'Süd',
      timeZone: 'Europe/Madrid',
      country: 'ES',
    });
    const other = await memberWith(service, account, { hours: true, siteIds: [south.id] });
    const representative = await memberWith(service, account, { representative: true });
    const developer = await memberWith(service, account, {}, 'developer');
    const codes = async (token: string, query = '') => (await sheets(query, token)).status;
    expect(await codes(hr.token)).toBe(200);
    expect(await codes(representative.token)).toBe(200);
    expect(await codes(representative.token, '&format=csv')).toBe(403);
    expect(await codes(other.token)).toBe(404);
    expect(await codes(developer.token)).toBe(403);
    const attendance = (session: string) => service.call('GET', '/v1/attendance', { session });
    expect((await attendance(developer.token)).status).toBe(403);
    expect((await attendance(representative.token)).status).toBe(200);
    const activity = (query = '') =>
      service.call('GET', `/v1/activity${query}`, { session: developer.token });
    expect((await activity('?kind=attendance')).status).toBe(403);
    await work(ada, 1);
    expect((await activity()).body.activity.map(({ kind }: { kind: string }) => kind)).not.toContain(
      'attendance',
    );
  });

  it('are files as well: CSV, payroll and a workbook, each recorded [attendance.sheets_exported]', async () => {
    await employ(service, scene, { fullName: '=1+1', employeeCode: '7' });
    await work(ada, 8);
    const csv = await sheets('&format=csv&separator=;&decimal=,&hours=decimal');
    expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(csv.text).toContain(';480;480;8,00;8,00;');
    const payroll = await sheets('&format=payroll&hours=clock');
    const date = new Date(service.clock.now()).toISOString().slice(0, 10);
    expect(payroll.text).toBe(`employeeCode;date;type;hours\r\n;${date};work;8:00\r\n`);
    const session = await service.call(
      'GET',
      `/v1/attendance/sheets?siteId=${site.id}&month=${month()}&format=xlsx`,
      {
        session: hr.token,
      },
    );
    expect(session.status).toBe(200);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=attendance.sheets_exported', { as: account.key })
    ).body;
    expect(audit).toHaveLength(3);
  });
});

describe('marks [time/marks] [POST /v1/attendance/marks] [DELETE /v1/attendance/marks/:id] [attendance.marked] [attendance.mark_removed]', () => {
  it('are shown and never counted', async () => {
    const date = `${month()}-02`;
    const body = { userId: ada.userId, date, code: 'holiday', source: 'HR' };
    const mark = await service.call('POST', '/v1/attendance/marks', { session: hr.token, body });
    expect([mark.status, mark.body.mark]).toMatchObject([201, body]);
    const again = await service.call('POST', '/v1/attendance/marks', { session: hr.token, body });
    expect(again.body.mark.id).toBe(mark.body.mark.id);
    const [own] = (await sheets()).body.sheets;
    expect([own.marks, own.sheet.totals.minutes]).toMatchObject([[{ date, code: 'holiday' }], 0]);
    const gone = await service.call('DELETE', `/v1/attendance/marks/${mark.body.mark.id}`, {
      session: hr.token,
    });
    expect(gone.status).toBe(200);
    expect((await sheets()).body.sheets[0].marks).toEqual([]);
    const wrong = { ...body, date: `${month().slice(0, 4)}-02-30` };
    expect(
      (await service.call('POST', '/v1/attendance/marks', { session: hr.token, body: wrong })).status,
    ).toBe(400);
  });
});

describe('closing a month [time/closing] [POST /v1/attendance/months/:month/close] [GET /v1/attendance/months/:month] [attendance.month_closed]', () => {
  const close = (of: string, more: object = {}) =>
    service.call('POST', `/v1/attendance/months/${of}/close`, {
      session: hr.token,
      body: { siteId: site.id, ...more },
    });
  const state = async (of: string) =>
    (await service.call('GET', `/v1/attendance/months/${of}?siteId=${site.id}`, { session: hr.token })).body;

  it('puts one root without names into the chain, and closing again says what changed', async () => {
    await work(ada, 6);
    expect((await close(month())).body.error).toBe('month_not_over');
    await later(35);
    const closed = monthBefore();
    const first = await close(closed);
    expect(first.status, first.text).toBe(201);
    expect(first.body.closing).toMatchObject({
      ...{ siteId: site.id, month: closed, version: 1, sheets: 1, timeZone: 'Europe/Berlin', rules: 'DE' },
      ...{ closedBy: hr.id, changed: [], root: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const again = await close(closed);
    expect(again.body.closing).toMatchObject({ version: 2, changed: [] });
    expect(again.body.closing.root).not.toBe(first.body.closing.root);
    await assert('check_in', 40 * 1440);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=attendance.month_closed', { as: account.key })
    ).body;
    expect(audit[0].metadata).toMatchObject({ period: closed, version: 2, root: again.body.closing.root });
    expect(JSON.stringify(audit)).not.toContain('Lovelace');
  });

  it('needs the number of open flags [month_flags_open]', async () => {
    await punchAt(service, desk, ada);
    await later(35);
    const closed = monthBefore();
    const { flags } = await state(closed);
    expect(flags).toMatchObject([{ userId: ada.userId, name: 'Ada Lovelace', code: 'open_shift' }]);
    expect((await close(closed)).body.error).toBe('month_flags_open');
    expect((await close(closed, { openFlags: 1 })).status).toBe(201);
    expect((await state(closed)).closings).toHaveLength(1);
  });

  it('at the same time makes two versions, one after the other', async () => {
    await later(35);
    const closed = monthBefore();
    const replies = await Promise.all([close(closed), close(closed), close(closed)]);
    expect(replies.map(({ body }) => body.closing?.version ?? body.error).sort()).toEqual([1, 2, 3]);
  });
});

describe('who is on site [time/here] [GET /v1/sites/:siteId/presence]', () => {
  const here = async (session = hr.token) =>
    (await service.call('GET', `/v1/sites/${site.id}/presence`, { session })).body;

  it('is whose last punch is by a desk and no check-out, also on a break', async () => {
    const grace = await employ(service, scene, { fullName: 'Grace Hopper', attendanceFrom: 'anywhere' });
    await punchAt(service, desk, grace);
    await punchAt(service, desk, ada);
    await punchAt(service, desk, ada, { type: 'check_out', reason: 'break' });
    expect((await here()).here).toMatchObject([
      { name: 'Ada Lovelace', deviceName: 'Lobby kiosk', isOnBreak: true, isStale: false },
      { name: 'Grace Hopper', isOnBreak: false },
    ]);
    await punchAt(service, desk, grace, { type: 'check_out' });
    service.clock.advance(17 * hour);
    hr = await logInAgain(service, hr);
    expect((await here()).here).toMatchObject([{ name: 'Ada Lovelace', isStale: true }]);
    service.clock.advance(20 * hour);
    hr = await logInAgain(service, hr);
    expect((await here()).here).toEqual([]);
  });

  it('is open to reception, and tells of an absence only that there is one', async () => {
    const date = new Date(service.clock.now()).toISOString().slice(0, 10);
    await service.call('POST', '/v1/attendance/marks', {
      as: account.key,
      body: { userId: ada.userId, date, code: 'sick', source: 'HR' },
    });
    const reception = await memberWith(service, account, {}, 'reception');
    const seen = await here(reception.token);
    expect(seen.absent).toEqual([{ userId: ada.userId, name: 'Ada Lovelace' }]);
    expect(JSON.stringify(seen)).not.toContain('sick');
  });
});
