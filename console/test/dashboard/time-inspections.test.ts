// @module-tag if-touched @pages console/src/dashboard/time/: one panel of a page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSite } from '../../../server/test/support/punches.js';
import { type Account, manualClock } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { giveRights, NOON } from '../support/hours.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService({}, { clock: manualClock(NOON) });
  account = await service.signUp({ plan: 'enterprise' });
  await createSite(service, account);
  await giveRights(service, account);
});
afterAll(() => service.close());

describe('inspections of a site [time/inspection]', () => {
  it('are made with a link and a code that are shown once, listed and ended [POST /v1/attendance/inspections] [GET /v1/attendance/inspections] [DELETE /v1/attendance/inspections/:id]', async () => {
    const window = await openDashboard(service, account, '/live/time/month?month=2026-05');
    const { page } = window;
    const heading = page.getByRole('heading', { name: 'Inspections' });
    await heading.waitFor();
    await page.getByText('There are no inspections yet.').waitFor();
    await page.getByRole('button', { name: 'Let somebody inspect …' }).click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create the link and the code' });
    await dialog.getByLabel('First month').selectOption('June 2026');
    await dialog.getByText('The last month can’t be before the first.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('First month').selectOption('March 2026');
    await dialog.getByLabel('The link works for').selectOption('7 days');
    await expectAccessibleInEveryLook(page, 'time-new-inspection');
    await create.click();
    await dialog.getByRole('heading', { name: 'The link and the code' }).waitFor();
    const [url = '', code = ''] = await dialog.locator('code').allTextContents();
    await expectAccessibleInEveryLook(page, 'time-inspection-made');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const opened = await service.call('POST', '/v1/attendance/inspections/open', {
      body: { token: new URL(url).hash.slice(1), code },
    });
    expect(opened.body.inspection).toMatchObject({
      ...{ from: '2026-03', to: '2026-05', site: { name: 'Werk Nord' } },
      expiresAt: new Date(NOON + 7 * 86_400_000).toISOString(),
    });
    const list = page.getByRole('list', { name: 'Inspections' });
    await list.getByText('March 2026 – May 2026').waitFor();
    await list.getByText(/Open until/).waitFor();
    await expectAccessibleInEveryLook(page, 'time-inspections');
    await list.getByRole('button', { name: 'End the inspection of March 2026 – May 2026' }).click();
    await dialog.getByRole('button', { name: 'End the inspection' }).click();
    await list.getByText(/^Ended .*No looks\.$/).waitFor();
    expectClean(window);
    await window.close();
  });
});
