// @module-tag if-touched console/ sdk/src/ contract/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    const window = await openDashboard(service, account, '/live/requests');
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
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
    const window = await openDashboard(service, await service.signUp(), '/test/requests');
    await window.page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await expectAccessibleInEveryLook(window.page, 'requests-empty');
    expectClean(window);
    await window.close();
  });
});
