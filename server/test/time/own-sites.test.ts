import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { createSite, punchAt, type Site } from '../support/punches.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { staffAt } from '../support/staff.js';
import { employ, memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let north: Site;
let south: Site;
let ada: Person;
/** Has the right `hours`, for the other site. */
let other: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = await timeScene(service);
  ({ account, site: north } = scene);
  ada = await employ(service, scene, { employeeCode: '1815' });
  south = await createSite(service, account, { name: 'Süd' });
  other = await memberWith(service, account, { hours: true, siteIds: [south.id] }, 'reception');
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const today = () => new Date(service.clock.now()).toISOString().slice(0, 10);
const mark = (userId: string, session: string) =>
  service.call('POST', '/v1/attendance/marks', {
    session,
    body: { userId, date: today(), code: 'holiday', source: 'HR' },
  });
const unmark = (id: string, session: string) =>
  service.call('DELETE', `/v1/attendance/marks/${id}`, { session });

describe('the rights of a member who is bound to sites [time/rights-by-site]', () => {
  it('neither mark a day of somebody elsewhere, nor remove a mark of theirs', async () => {
    const hr = await memberWith(service, account, { hours: true, siteIds: [north.id] });
    const nowhere = await employ(service, scene, { siteId: undefined });
    for (const { userId } of [ada, nowhere])
      expect(outcome(await mark(userId, other.token))).toEqual([404, 'user_not_found']);
    const { body } = await mark(ada.userId, hr.token);
    expect(outcome(await unmark(body.mark.id, other.token))).toEqual([404, 'attendance_mark_not_found']);
    const sheets = `/v1/attendance/sheets?siteId=${north.id}&month=${today().slice(0, 7)}&userId=${ada.userId}`;
    const { sheets: shown } = (await service.call('GET', sheets, { session: hr.token })).body;
    expect(shown[0].marks).toMatchObject([{ id: body.mark.id }]);
    expect(outcome(await unmark(body.mark.id, hr.token))).toEqual([200, 'done']);
  });

  it('take no PIN away from somebody elsewhere', async () => {
    const hr = await memberWith(service, account, { hours: true, siteIds: [north.id] }, 'reception');
    const reset = (session: string) =>
      service.call('DELETE', `/v1/users/${ada.userId}/attendance-pin`, { session });
    const headers = await staffAt(service, scene.desk, hr);
    const { pin } = (await service.call('POST', '/v1/staff/pins', { headers, body: { userId: ada.userId } }))
      .body;
    const declare = async () =>
      outcome(
        await service.call('POST', '/v1/attendance/declared', {
          as: scene.desk.session,
          body: { number: '1815', pin, type: 'check_in' },
        }),
      );
    expect(outcome(await reset(other.token))).toEqual([404, 'user_not_found']);
    expect(await declare()).toEqual([409, 'pin_change_required']);
    expect(outcome(await reset(hr.token))).toEqual([200, 'done']);
    expect(await declare()).toEqual([401, 'pin_rejected']);
  });

  it('limit neither who is on site, which every role reads, nor what they do at a desk as reception', async () => {
    await punchAt(service, scene.desk, ada);
    const { body } = await service.call('GET', `/v1/sites/${north.id}/presence`, { session: other.token });
    expect(body.here).toMatchObject([{ userId: ada.userId }]);
    const headers = await staffAt(service, scene.desk, other);
    const drawn = await service.call('POST', '/v1/staff/pins', { headers, body: { userId: ada.userId } });
    expect(outcome(drawn)).toEqual([201, 'done']);
  });
});
