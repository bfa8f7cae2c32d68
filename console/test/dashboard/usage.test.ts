// @module-tag if-touched @pages console/src/dashboard/usage/ console/src/dashboard/nouns/usage/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const setUsage = ({ tenantId }: Account, month: string, used: number) =>
  service.db.query(
    sql`insert into usage_months (tenant_id, month, used) values (${tenantId}, ${month}, ${used})
      on conflict (tenant_id, month) do update set used = excluded.used`,
  );
const monthsAgo = (months: number) => {
  const now = new Date(service.clock.now());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
};
const SHOWN = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

describe('usage and limits', () => {
  it('shows this month’s calls and their limit, twelve months as a chart and a table, keys and recent calls', async () => {
    const account = await service.signUp({ plan: 'starter' });
    for (let months = 1; months < 12; months++) await setUsage(account, monthsAgo(months), months * 1_500);
    for (let calls = 0; calls < 4; calls++) await service.call('GET', '/v1/devices', { as: account.key });
    await service.call('POST', '/v1/users', { as: account.key, body: {} });
    const window = await openDashboard(service, account, '/settings/usage');
    const { page } = window;
    await page.getByText('5 of 25,000').waitFor();
    const month = page.getByRole('meter', { name: 'Calls this month' });
    await expect(month.getAttribute('value')).resolves.toBe('5');
    await page.getByText('1 of 10').waitFor();
    await page.getByText('500 calls per 15 minutes.').waitFor();
    const months = page.getByRole('table', { name: 'Calls per month, newest first' });
    const oldest = months.getByRole('row', {
      name: `${SHOWN.format(Date.parse(`${monthsAgo(11)}-01`))} 16,500`,
    });
    await oldest.waitFor({ state: 'attached' });
    await expect(months.locator('tbody tr').count()).resolves.toBe(12);
    // The bar of a month with little usage is too low to be drawn.
    await page.locator('main svg rect').nth(10).waitFor({ state: 'attached' });
    const calls = page.getByRole('table', { name: 'Last calls' });
    await expect(calls.locator('tbody tr').count()).resolves.toBe(5);
    await calls.getByText('POST /v1/users').waitFor();
    await calls.getByText('400', { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page, 'usage');
    expectClean(window);
    await window.close();
  });

  it('shows calls by outcome, durations, top endpoints and keys of the chosen range and environment', async () => {
    const account = await service.signUp();
    const { id } = (await service.call('GET', '/api/console/keys', { as: account.token })).body.keys[0];
    const now = Date.now();
    for (const [hoursAgo, endpoint, status, calls] of [
      [1, 'GET /v1/devices', 200, 6],
      [2, 'POST /v1/users', 201, 2],
      [2, 'POST /v1/users', 400, 1],
      [2, 'POST /v1/users', 503, 1],
      [60 * 24, 'GET /v1/audit', 200, 90],
    ] as const)
      await service.db.query(sql`insert into usage_hours
        values (${account.tenantId}, 'live', date_trunc('hour', ${new Date(now - hoursAgo * 3_600_000)}::timestamptz),
          ${endpoint}, ${status}, ${id}, 0, 0, 0, ${calls}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`);
    const window = await openDashboard(service, account, '/settings/usage');
    const { page } = window;
    const row = (table: string, name: string) =>
      page.getByRole('table', { name: table }).getByRole('row', { name });
    await row('Top endpoints', 'GET /v1/devices 6 60%').waitFor();
    await row('Top endpoints', 'POST /v1/users 4 40%').waitFor();
    await row('Top keys', 'First live key 10 100%').waitFor();
    await page.getByText('80%').waitFor();
    // The last hour has none.
    const chart = page.getByRole('slider', { name: 'API calls of the last 7 days' });
    await chart.focus();
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /Server errors 0, Client errors 0, Succeeded 0$/,
    );
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /Server errors 1, Client errors 1, Succeeded 2$/,
    );
    const duration = page.getByRole('slider', { name: /^Duration in the last 7 days/ });
    await page.getByRole('combobox', { name: 'Endpoint' }).selectOption('GET /v1/devices');
    await duration.focus();
    expect(await duration.getAttribute('aria-valuetext')).toMatch(
      /Median no calls, 95th percentile no calls$/,
    );
    await page.keyboard.press('ArrowLeft');
    expect(await duration.getAttribute('aria-valuetext')).toMatch(/Median \d+ ms, 95th percentile 10 ms$/);
    await expectAccessibleInEveryLook(page, 'usage-charts');
    await page.getByRole('link', { name: '90 days' }).click();
    await row('Top endpoints', 'GET /v1/audit 90 90%').waitFor();
    await page.reload();
    await row('Top endpoints', 'GET /v1/audit 90 90%').waitFor();
    await page.getByRole('link', { name: 'Test calls' }).click();
    await page.getByText('No calls in the last 90 days.').waitFor();
    expectClean(window);
    await window.close();
  });

  it('shows that a new account has no calls yet', async () => {
    const window = await openDashboard(service, await service.signUp(), '/settings/usage');
    const { page } = window;
    await page.getByText('No calls yet.').waitFor();
    await page.getByText('0 of 1,000').waitFor();
    await expectAccessibleInEveryLook(page, 'usage-new');
    expectClean(window);
    await window.close();
  });

  it('shows that a plan has no monthly limit', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    await setUsage(account, monthsAgo(0), 1_234_567);
    const window = await openDashboard(service, account, '/settings/usage');
    const { page } = window;
    await page.getByText('1,234,567').first().waitFor();
    await page.getByText('Your plan has no monthly limit.').waitFor();
    await expect(page.getByRole('meter', { name: 'Calls this month' }).count()).resolves.toBe(0);
    expectClean(window);
    await window.close();
  });

  it('shows an error when it could not be loaded, and loads on retry', async () => {
    const window = await openDashboard(service, await service.signUp(), '/developers/keys');
    const { page } = window;
    const failure = { error: 'internal_error', message: 'Something went wrong on our side.' };
    await page.route('**/api/console/usage', (route) => route.fulfill({ status: 500, json: failure }));
    await page.goto('/dashboard/settings/usage');
    await page.getByRole('alert').getByText(failure.message).waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/console/usage');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('0 of 1,000').waitFor();
    expectClean(window, /status of 500/);
    await window.close();
  });
});
