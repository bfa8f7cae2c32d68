import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyHoursRetention } from '../../src/features/retention/hours.js';
import { applyRetention } from '../../src/features/retention/retention.js';
import type { Person } from '../support/phone.js';
import { punchAt } from '../support/punches.js';
import { setPolicy } from '../support/recoveries.js';
import { type Account, type Service, startService } from '../support/service.js';
import { type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let ada: Person;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = await timeScene(service);
  ({ account, ada } = scene);
  eraser = await service.createKey(account, 'live', ['users:erase']);
  const owner = await service.createKey(account, 'live', ['sites:write']);
  await service.call('PATCH', `/v1/sites/${scene.site.id}`, { as: owner, body: { retentionMonths: 2 } });
});

const DAY = 86_400_000;
const list = async () => (await service.call('GET', '/v1/attendance', { as: account.key })).body.attendance;
let eraser: string;
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

  it('that is over refuses nothing', async () => {
    await punchAt(service, scene.desk, ada);
    service.clock.advance(100 * DAY);
    expect((await erase()).status).toBe(200);
  });
});
