// @module-tag if-touched @pages console/src/dashboard/requests/ console/src/dashboard/developers/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the page of requests', () => {
  it('lists calls, follows new ones live, filters them, and links each error', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const as = account.key;
    await service.call('GET', '/v1/users', { as });
    await service.call('GET', `/v1/devices/${crypto.randomUUID()}`, { as });
    await service.app.deps.meter.flush();
    const window = await openDashboard(service, account, '/live/developers/requests');
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr:has(td)');
    await page.getByText('GET /v1/devices/:deviceId').waitFor();
    expect(await rows.count()).toBe(2);
    const error = page.getByRole('link', { name: 'device_not_found' });
    expect(await error.getAttribute('href')).toBe('/docs/errors#device_not_found');
    await page.getByText('Live: new requests appear here.').waitFor();
    await service.call('POST', '/v1/devices', { as, body: { name: 'Door' } });
    await service.app.deps.meter.flush();
    await service.clock.advance(1_000);
    await rows.nth(2).waitFor();
    expect(await rows.first().textContent()).toContain('POST /v1/devices');
    await expectAccessibleInEveryLook(page, 'requests');
    await page.getByLabel('Status').selectOption({ label: 'Client error (4xx)' });
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByText('Showing 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Follow live' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('says what will appear there while there are none', async () => {
    const window = await openDashboard(service, await service.signUp(), '/test/developers/requests');
    await window.page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await expectAccessibleInEveryLook(window.page, 'requests-empty');
    expectClean(window);
    await window.close();
  });

  it('shows how many calls were rejected in a minute, why, and what to do, also while it is open [limits/rejected-calls]', async () => {
    const account = await service.signUp();
    await service.db.query(sql`insert into usage_months (tenant_id, month, used)
      values (${account.tenantId}, ${new Date(service.clock.now()).toISOString().slice(0, 7)}, 1000)`);
    const rejected = async (times: number) => {
      for (let at = 0; at < times; at++)
        expect((await service.call('GET', '/v1/users', { as: account.key })).status).toBe(429);
    };
    await rejected(3);
    const window = await openDashboard(service, account, '/live/developers/requests');
    const { page } = window;
    const list = page.getByRole('region', { name: 'Rejected calls' });
    await list.getByText('3 calls rejected: monthly quota exceeded').waitFor();
    await list
      .getByText('To continue this month, ask the operator of this service for a larger plan.')
      .waitFor();
    const code = list.getByRole('link', { name: 'monthly_quota_exceeded' });
    expect(await code.getAttribute('href')).toBe('/docs/errors#monthly_quota_exceeded');
    await page.clock.install();
    await page.reload();
    await list.getByText('3 calls rejected').waitFor();
    for (let minute = 0; minute < 3; minute++) {
      service.clock.advance(60_000);
      await rejected(1);
    }
    await page.clock.runFor(5_000);
    await list.getByRole('listitem').nth(2).waitFor();
    expect(await list.getByText('1 call rejected: monthly quota exceeded').count()).toBe(3);
    await list.getByRole('button', { name: 'Show more minutes' }).click();
    await list.getByText('3 calls rejected').waitFor();
    await expectAccessibleInEveryLook(page, 'requests-rejected');
    expectClean(window);
    await window.close();
  });
});
