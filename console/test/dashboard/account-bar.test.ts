// @module-tag if-touched @pages console/src/dashboard/shell/ console/src/dashboard/home/ console/src/dashboard/closing/: the bar across the dashboard
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { DASHBOARD } from '../support/addresses.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const SUPPORT_URL = 'https://example.com/support?from=dashboard&plan=free';
let service: PagesService;
let supported: PagesService;
beforeAll(async () => {
  service = await pagesService();
  supported = await pagesService({ SUPPORT_URL });
});
afterAll(() => Promise.all([service.close(), supported.close()]));

const setUsed = (of: PagesService, { tenantId }: Account, used: number) =>
  of.db.query(sql`insert into usage_months (tenant_id, month, used)
    values (${tenantId}, ${new Date(of.clock.now()).toISOString().slice(0, 7)}, ${used})
    on conflict (tenant_id, month) do update set used = excluded.used`);
const MINUTE_MS = 60_000;

describe('the bar across the dashboard [console/bar-of-warnings]', () => {
  it('is on every page of an account that has used its quota', async () => {
    const account = await service.signUp();
    await setUsed(service, account, 1_000);
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    for (const address of [...DASHBOARD, '/settings/security']) {
      await page.goto(`/dashboard${address}`);
      await page.getByRole('alert').getByText('All 1,000 calls of this month are used.').waitFor();
    }
    await page.getByRole('heading', { name: 'Password', exact: true }).waitFor();
    await page.getByText(/Calls with an API key are rejected until \d+ \p{L}+, 00:00 UTC\./u).waitFor();
    await page.getByText('ask the operator of this service for a larger plan').waitFor();
    expect(await page.getByRole('link', { name: 'Contact support' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'bar-used-up');
    await page.getByRole('region', { name: 'Account' }).getByRole('link', { name: 'Show usage' }).click();
    await page.waitForURL('**/settings/usage');
    expectClean(window);
    await window.close();
  });

  it('warns an open page from 80% on, can be dismissed until all is used, and goes when the plan grows', async () => {
    const account = await supported.signUp();
    await setUsed(supported, account, 799);
    const window = await openDashboard(supported, account, '/live/people');
    const { page } = window;
    await page.clock.install();
    await page.reload();
    await page.getByText('No people yet').waitFor();
    const bar = page.getByRole('region', { name: 'Account' });
    const afterAMinute = () => page.clock.runFor(MINUTE_MS);
    await afterAMinute();
    expect(await bar.count()).toBe(0);
    await setUsed(supported, account, 800);
    await afterAMinute();
    await bar.getByRole('status').getByText('80% of this month’s calls are used.').waitFor();
    expect(await bar.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe(SUPPORT_URL);
    await expectAccessibleInEveryLook(page, 'bar-warning');
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No people yet').waitFor();
    await setUsed(supported, account, 999);
    await afterAMinute();
    expect(await bar.count()).toBe(0);
    expect((await supported.call('GET', '/v1/users', { as: account.key })).status).toBe(200);
    await afterAMinute();
    await bar.getByRole('alert').getByText('All 1,000 calls of this month are used.').waitFor();
    expect(await bar.getByRole('button').count()).toBe(0);
    await supported.setPlan(account, 'starter');
    await afterAMinute();
    await bar.waitFor({ state: 'detached' });
    expectClean(window);
    await window.close();
  });

  it('tells an open page that the account is suspended, and a page that is opened then', async () => {
    const account = await supported.signUp({ plan: 'enterprise' });
    const window = await openDashboard(supported, account, '/settings/security');
    const { page } = window;
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { name: 'Password', exact: true }).waitFor();
    await supported.setStatus(account, 'suspended');
    await page.clock.runFor(MINUTE_MS);
    await page.getByRole('alert').getByText('This account is suspended.').waitFor();
    await expectAccessibleInEveryLook(page, 'bar-suspended');
    await page.reload();
    await page.getByRole('heading', { name: 'This account is suspended' }).waitFor();
    expect(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe(SUPPORT_URL);
    expectClean(window, /status of 403/);
    await window.close();
  });
});
