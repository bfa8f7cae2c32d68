import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { endUnanswered } from '../../src/features/corrections/ends.js';
import { applyHoursRetention } from '../../src/features/retention/hours.js';
import { applyRetention } from '../../src/features/retention/retention.js';
import type { MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { punchAt, waitUntil, workFrom } from '../support/punches.js';
import { setPolicy } from '../support/recoveries.js';
import { type Account, type Service, startService } from '../support/service.js';
import { memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let ada: Person;
let hr: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = await timeScene(service);
  ({ account, ada } = scene);
  hr = await memberWith(service, account, { hours: true });
  eraser = await service.createKey(account, 'live', ['users:erase']);
  owner = await service.createKey(account, 'live', ['sites:write']);
  await patchSite({ retentionMonths: 2 });
});

const DAY = 86_400_000;
const list = async () => (await service.call('GET', '/v1/attendance', { as: account.key })).body.attendance;
/** A month and the two after it, as YYYY-MM. */
const monthsFrom = (time: number) => {
  const at = new Date(time);
  const after = (by: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by);
  return [0, 1, 2].map((by) => new Date(after(by)).toISOString().slice(0, 7)) as [string, string, string];
};
const sheetOf = async (month: string) => {
  const query = `siteId=${scene.site.id}&month=${month}&userId=${ada.userId}`;
  return (await service.call('GET', `/v1/attendance/sheets?${query}`, { as: account.key })).body.sheets[0]
    .sheet;
};
const mark = () =>
  service.call('POST', '/v1/attendance/marks', {
    as: account.key,
    body: {
      ...{ userId: ada.userId, code: 'sick', source: 'HR' },
      date: new Date(service.clock.now()).toISOString().slice(0, 10),
    },
  });
const propose = () => {
  const occurredAt = new Date(service.clock.now() - 60_000).toISOString();
  const change = { old: null, new: { type: 'check_in', reason: 'work', occurredAt } };
  return service.call('POST', '/v1/attendance/corrections', {
    as: hr.token,
    body: { userId: ada.userId, cause: 'forgotten', note: 'The gate was closed.', changes: [change] },
  });
};
/** What is stored beside events. */
async function counts() {
  const { tenantId } = account;
  const [row] = await service.db.query(sql`select
    (select count(*)::integer from attendance_marks where tenant_id = ${tenantId}) as marks,
    (select count(*)::integer from attendance_corrections where tenant_id = ${tenantId}) as corrections,
    (select count(*)::integer from attendance_closings where tenant_id = ${tenantId}) as closings,
    (select count(*)::integer from attendance_inspections where tenant_id = ${tenantId}) as inspections`);
  return row;
}
let eraser: string;
let owner: string;
const patchSite = (body: object) => service.call('PATCH', `/v1/sites/${scene.site.id}`, { as: owner, body });
const erase = (body: object = {}) =>
  service.call('POST', `/v1/users/${ada.userId}/erase`, { as: eraser, body });

describe('the retention of working time [time/retention]', () => {
  it('is the site’s, in whole months, whatever that of the account is', async () => {
    await punchAt(service, scene.desk, ada);
    await setPolicy(service, account, { retention_days: 30 });
    service.clock.advance(40 * DAY);
    await applyRetention(service.app.deps);
    expect(await list()).toHaveLength(1);
    service.clock.advance(60 * DAY);
    await applyHoursRetention(service.app.deps);
    expect(await list()).toHaveLength(0);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=tenant.retention_applied', { as: account.key })
    ).body;
    expect(audit).toMatchObject([{ entityType: 'site', metadata: { attendance: 1 } }]);
    await applyHoursRetention(service.app.deps);
    expect((await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0].seq).toBe(
      audit[0].seq,
    );
  });

  it('refuses an erasure, or lets it take effect on everything else now [hours_kept] [user.erasure_scheduled]', async () => {
    await punchAt(service, scene.desk, ada);
    const refused = await erase();
    expect([refused.status, refused.body.error]).toEqual([409, 'hours_kept']);
    expect(refused.body.until).toMatch(/^\d{4}-\d\d-01$/);
    const erased = await erase({ hours: 'later' });
    expect(erased.status, erased.text).toBe(200);
    expect(await list()).toHaveLength(1);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=user.erasure_scheduled', { as: account.key })
    ).body;
    expect(audit[0]).toMatchObject({ entityId: ada.userId, metadata: { until: refused.body.until } });
    service.clock.advance(100 * DAY);
    await applyHoursRetention(service.app.deps);
    expect(await list()).toHaveLength(0);
  });

  it('takes marks, corrections, closings and inspections with it, also of a month in which nobody clocked in', async () => {
    const { audit } = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body;
    await mark();
    await propose();
    const month = new Date(service.clock.now()).toISOString().slice(0, 7);
    service.clock.advance(40 * DAY);
    const body = { siteId: scene.site.id };
    const inspection = { ...body, from: month, to: month };
    await service.call('POST', '/v1/attendance/inspections', { as: account.key, body: inspection });
    const closed = await service.call('POST', `/v1/attendance/months/${month}/close`, {
      as: account.key,
      body,
    });
    expect(closed.status, closed.text).toBe(201);
    await endUnanswered(service.app.deps);
    await applyHoursRetention(service.app.deps);
    expect(await counts()).toEqual({ marks: 1, corrections: 1, closings: 1, inspections: 1 });
    service.clock.advance(60 * DAY);
    await applyHoursRetention(service.app.deps);
    expect(await counts()).toEqual({ marks: 0, corrections: 0, closings: 0, inspections: 0 });
    const entries = async () =>
      (await service.call('GET', '/v1/audit?action=tenant.retention_applied', { as: account.key })).body
        .audit;
    expect(await entries()).toMatchObject([{ entityType: 'site', metadata: { attendance: 0 } }]);
    await applyHoursRetention(service.app.deps);
    expect(await entries()).toHaveLength(1);
    expect(audit).toHaveLength(1);
  });

  it('of somebody who was erased while they were asked takes all that is left of them', async () => {
    await punchAt(service, scene.desk, ada);
    await mark();
    await propose();
    expect((await erase({ hours: 'later' })).status).toBe(200);
    expect(await counts()).toMatchObject({ marks: 1, corrections: 1 });
    service.clock.advance(40 * DAY);
    await endUnanswered(service.app.deps);
    await applyHoursRetention(service.app.deps);
    expect(await counts()).toMatchObject({ marks: 1, corrections: 1 });
    service.clock.advance(60 * DAY);
    await applyHoursRetention(service.app.deps);
    expect(await list()).toEqual([]);
    expect(await counts()).toMatchObject({ marks: 0, corrections: 0 });
  });

  it('leaves a month that is kept as it was, also with a shift that began the night before', async () => {
    await patchSite({ timeZone: 'UTC' });
    const [, first, second] = monthsFrom(service.clock.now());
    waitUntil(service, `${first}-02T04:00:00Z`);
    const dayBefore = (days: number) =>
      new Date(Date.parse(`${second}-01`) - days * DAY).toISOString().slice(0, 10);
    const work = (from: string, to: string) => workFrom(service, scene.desk, ada, [from, to]);
    await work(`${dayBefore(5)}T04:00:00Z`, `${dayBefore(5)}T08:00:00Z`);
    await work(`${dayBefore(1)}T04:00:00Z`, `${dayBefore(1)}T08:00:00Z`);
    await work(`${dayBefore(1)}T20:00:00Z`, `${second}-01T02:00:00Z`);
    await work(`${second}-01T10:00:00Z`, `${second}-01T16:00:00Z`);
    const before = await sheetOf(second);
    expect(before).toMatchObject({ totals: { minutes: 480 }, flags: [{ code: 'de_rest_under_11h' }] });
    // Two months later, the first is over, and the second is the oldest that is kept.
    waitUntil(service, `${monthsFrom(Date.parse(`${second}-01`))[2]}-02T04:00:00Z`);
    await applyHoursRetention(service.app.deps);
    expect(await sheetOf(second)).toEqual(before);
    expect((await sheetOf(first)).totals.minutes).toBe(480);
    expect(await list()).toHaveLength(6);
    await applyHoursRetention(service.app.deps);
    expect(await list()).toHaveLength(6);
    service.clock.advance(31 * DAY);
    await applyHoursRetention(service.app.deps);
    expect(await list()).toEqual([]);
  });

  it('that is over refuses nothing', async () => {
    await punchAt(service, scene.desk, ada);
    service.clock.advance(100 * DAY);
    expect((await erase()).status).toBe(200);
  });
});
