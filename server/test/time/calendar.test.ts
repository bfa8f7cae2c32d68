import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../support/phone.js';
import { createSite, listOwn, placeDesk, punchWhen, waitUntil, workFrom } from '../support/punches.js';
import { manualClock, type Reply, type Service, startService } from '../support/service.js';
import { employ, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ clock: manualClock(Date.parse('2026-03-01T06:00:00Z')) });
});
afterAll(() => service.close());

/** A place of work, and who may change it. */
interface Place extends TimeScene {
  readonly owner: string;
}

/** Somebody at a site of a zone. The clocks of these tests go on from one to the next. */
async function sceneIn(timeZone: string, country: string): Promise<Place> {
  const scene = await timeScene(service);
  const owner = await service.createKey(scene.account, 'live', ['sites:write']);
  const site = await createSite(service, scene.account, { timeZone, country });
  await placeDesk(service, scene.account, scene.desk, site);
  return { ...scene, site, owner, ada: await employ(service, { ...scene, site }, { employeeCode: '1815' }) };
}

const read = ({ account, site }: TimeScene, month: string, more = ''): Promise<Reply> =>
  service.call('GET', `/v1/attendance/sheets?siteId=${site.id}&month=${month}${more}`, { as: account.key });

/** The days and the sum of a person's month: `[date, minutes]`. */
async function daysOf(scene: TimeScene, person: Person, month: string) {
  const { status, text, body } = await read(scene, month, `&userId=${person.userId}`);
  expect(status, text).toBe(200);
  const { days, totals } = body.sheets[0].sheet;
  return [...days.map((day: { date: string; minutes: number }) => [day.date, day.minutes]), totals.minutes];
}

const payroll = async (scene: TimeScene, month: string) =>
  (await read(scene, month, '&format=payroll&hours=minutes')).text.trim().split('\r\n').slice(1);

const shiftsOf = async (scene: TimeScene, person: Person, month: string) =>
  (await read(scene, month, `&userId=${person.userId}`)).body.sheets[0].sheet.shifts;
const patchSite = ({ site, owner: as }: Place, body: object) =>
  service.call('PATCH', `/v1/sites/${site.id}`, { as, body });
const close = ({ account, site }: TimeScene, month: string, openFlags = 0) =>
  service.call('POST', `/v1/attendance/months/${month}/close`, {
    as: account.key,
    body: { siteId: site.id, openFlags },
  });
const zoneOnPhone = async ({ account, ada }: TimeScene, month: string) =>
  (await listOwn(service, ada, account, month)).body.timeZone;

it('a day in March has 23 hours, also for a night shift [time/sheets]', async () => {
  const scene = await sceneIn('Europe/Berlin', 'DE');
  const { desk, ada } = scene;
  const grace = await employ(service, scene, { fullName: 'Grace Hopper', employeeCode: '7' });
  await punchWhen(service, desk, ada, '2026-03-28T22:00:00+01:00');
  await punchWhen(service, desk, grace, '2026-03-29T00:00:00+01:00');
  await punchWhen(service, desk, ada, '2026-03-29T06:00:00+02:00', { type: 'check_out' });
  await punchWhen(service, desk, grace, '2026-03-30T00:00:00+02:00', { type: 'check_out' });
  expect(await daysOf(scene, ada, '2026-03')).toEqual([['2026-03-28', 120], ['2026-03-29', 300], 420]);
  expect(await daysOf(scene, grace, '2026-03')).toEqual([['2026-03-29', 1380], 1380]);
  expect(await shiftsOf(scene, ada, '2026-03')).toMatchObject([
    { from: '2026-03-28T22:00+01:00', to: '2026-03-29T06:00+02:00', minutes: 420 },
  ]);
});

it('a day in April has half an hour more on Lord Howe Island, which a break can have', async () => {
  const scene = await sceneIn('Australia/Lord_Howe', 'AU');
  const { desk, ada } = scene;
  await punchWhen(service, desk, ada, '2026-04-05T00:00:00+11:00');
  await punchWhen(service, desk, ada, '2026-04-05T01:45:00+11:00', { type: 'check_out', reason: 'break' });
  await punchWhen(service, desk, ada, '2026-04-05T01:45:00+10:30', { reason: 'break' });
  await punchWhen(service, desk, ada, '2026-04-06T00:00:00+10:30', { type: 'check_out' });
  expect(await daysOf(scene, ada, '2026-04')).toEqual([['2026-04-05', 1440], 1440]);
  expect(await shiftsOf(scene, ada, '2026-04')).toMatchObject([{ minutes: 1440, breakMinutes: 30 }]);
});

it('a shift over the end of a month is whole in the month of its check-in, and its days are in both', async () => {
  const scene = await sceneIn('Europe/Berlin', 'DE');
  const { desk, ada } = scene;
  await workFrom(service, desk, ada, ['2026-04-30T22:00:00+02:00', '2026-05-01T06:00:00+02:00']);
  expect(await daysOf(scene, ada, '2026-04')).toEqual([['2026-04-30', 120], 120]);
  expect(await daysOf(scene, ada, '2026-05')).toEqual([['2026-05-01', 360], 360]);
  expect(await shiftsOf(scene, ada, '2026-04')).toMatchObject([{ minutes: 480 }]);
  expect(await shiftsOf(scene, ada, '2026-05')).toEqual([]);
  expect(await payroll(scene, '2026-04')).toEqual(['1815;2026-04-30;work;120']);
  expect(await payroll(scene, '2026-05')).toEqual(['1815;2026-05-01;work;360']);
});

it('a month that was closed keeps its zone and its rules when the site gets others [time/zone-of-a-closed-month]', async () => {
  const scene = await sceneIn('Europe/Berlin', 'DE');
  const { account, desk, ada } = scene;
  await workFrom(service, desk, ada, ['2026-05-13T00:30:00+02:00', '2026-05-13T07:00:00+02:00']);
  waitUntil(service, '2026-06-01T00:00:00+02:00');
  const before = (await read(scene, '2026-05')).body;
  expect(before.sheets[0].sheet.flags).toMatchObject([
    { code: 'de_break_under_30', date: '2026-05-13' },
    { code: 'de_over_6h_in_a_row', date: '2026-05-13' },
  ]);
  expect((await close(scene, '2026-05', 2)).body.closing).toMatchObject({ version: 1 });
  expect((await patchSite(scene, { timeZone: 'Atlantic/Canary', country: 'ES' })).status).toBe(200);
  const { sheets, rules } = (await read(scene, '2026-05')).body;
  expect([sheets, rules]).toEqual([before.sheets, 'DE']);
  expect(await payroll(scene, '2026-05')).toEqual(['1815;2026-05-13;work;390']);
  expect(await zoneOnPhone(scene, '2026-05')).toBe('Europe/Berlin');
  const again = await close(scene, '2026-05', 2);
  expect(again.body.closing).toMatchObject({
    ...{ version: 2, timeZone: 'Europe/Berlin', rules: 'DE', changed: [] },
  });
  await workFrom(service, desk, ada, ['2026-06-13T00:30:00+02:00', '2026-06-13T07:00:00+02:00']);
  expect(await daysOf(scene, ada, '2026-06')).toEqual([['2026-06-12', 30], ['2026-06-13', 360], 390]);
  expect(await zoneOnPhone(scene, '2026-06')).toBe('Atlantic/Canary');
  expect((await listOwn(service, ada, account, '2026-05')).body.attendance).toHaveLength(2);
});

it('a day in October has half an hour less on Lord Howe Island, and one more in Berlin', async () => {
  const howe = await sceneIn('Australia/Lord_Howe', 'AU');
  await workFrom(service, howe.desk, howe.ada, ['2026-10-04T00:00:00+10:30', '2026-10-05T00:00:00+11:00']);
  expect(await daysOf(howe, howe.ada, '2026-10')).toEqual([['2026-10-04', 1410], 1410]);
  const berlin = await sceneIn('Europe/Berlin', 'DE');
  await workFrom(service, berlin.desk, berlin.ada, [
    '2026-10-25T00:00:00+02:00',
    '2026-10-26T00:00:00+01:00',
  ]);
  expect(await daysOf(berlin, berlin.ada, '2026-10')).toEqual([['2026-10-25', 1500], 1500]);
});

it('29 February is a day in 2028, and a mark is for a day that exists [POST /v1/attendance/marks]', async () => {
  const scene = await sceneIn('Europe/Berlin', 'DE');
  const { account, desk, ada } = scene;
  await workFrom(service, desk, ada, ['2028-02-28T22:00:00+01:00', '2028-02-29T04:00:00+01:00']);
  await workFrom(service, desk, ada, ['2028-02-29T22:00:00+01:00', '2028-03-01T04:00:00+01:00']);
  expect(await daysOf(scene, ada, '2028-02')).toEqual([['2028-02-28', 120], ['2028-02-29', 360], 480]);
  expect(await daysOf(scene, ada, '2028-03')).toEqual([['2028-03-01', 240], 240]);
  expect(await payroll(scene, '2028-02')).toEqual(['1815;2028-02-28;work;120', '1815;2028-02-29;work;360']);
  const mark = async (date: string) =>
    (
      await service.call('POST', '/v1/attendance/marks', {
        as: account.key,
        body: { userId: ada.userId, date, code: 'absent', source: 'HR' },
      })
    ).status;
  expect(await mark('2028-02-29')).toBe(201);
  for (const none of ['2027-02-29', '2028-02-30', '2028-02-39', '2028-13-01', '2028-00-01', '2028-01-00'])
    expect([none, await mark(none)]).toEqual([none, 400]);
  expect((await read(scene, '2028-02')).body.sheets[0].marks).toMatchObject([{ date: '2028-02-29' }]);
});
