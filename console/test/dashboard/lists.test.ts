// @module-tag if-touched @pages console/src/dashboard/records/: one page of the dashboard in detail
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { HOSTILE_NAMES, makeRecords } from '../support/records.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, showAll } from '../support/signed-in.js';

let service: PagesService;
/** Its live environment has 60 records of each kind, which is more than a page. Its test environment has none. */
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
  await makeRecords(service, account, 60);
});
afterAll(() => service.close());

const LISTS = [
  {
    path: 'devices',
    title: 'Desks and devices',
    table: 'Devices',
    empty: 'No devices',
    none: { Status: 'Retired' },
    shown: 'Location',
  },
  {
    path: 'users',
    title: 'People',
    table: 'People',
    empty: 'No people yet',
    none: { Status: 'Inactive' },
    shown: 'External ID',
  },
  {
    path: 'verifications',
    title: 'Verifications',
    table: 'Verifications',
    empty: 'No verifications yet',
    none: { Method: 'SAML' },
    shown: 'Reason',
  },
  {
    path: 'attendance',
    title: 'Attendance',
    table: 'Attendance',
    empty: 'No attendance yet',
    none: { Type: 'Check-in', Result: 'Rejected' },
    shown: 'Recorded',
  },
] as const;

describe.each(LISTS)('the list of $path', ({ path, title, table: name, empty, none, shown }) => {
  it('explains what will appear there while it is empty', async () => {
    const window = await openDashboard(service, account, `/test/${path}`);
    const { page } = window;
    await page.getByRole('heading', { name: empty }).waitFor();
    await expectAccessibleInEveryLook(page, `${path}-empty`);
    expectClean(window);
    await window.close();
  });

  it('shows names with markup as text, in the list and in the record', async () => {
    const window = await openDashboard(service, account, `/live/${path}`);
    const { page } = window;
    const table = page.getByRole('table', { name, exact: true });
    await table.getByText(HOSTILE_NAMES[0], { exact: true }).first().waitFor();
    await expectAccessibleInEveryLook(page, path);
    const link = table.locator('tbody a').first();
    await link.click();
    const record = page.locator('#record');
    await record.getByText(shown, { exact: true }).waitFor();
    await record.getByText(HOSTILE_NAMES[0], { exact: true }).first().waitFor();
    await expectAccessibleInEveryLook(page, `${path}-record`);
    await page.reload();
    await record.getByText(HOSTILE_NAMES[0], { exact: true }).first().waitFor();
    await link.waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    await link.and(page.locator(':focus')).waitFor();
    await expect(page.locator('img[src=x]').count()).resolves.toBe(0);
    await expect(page.title()).resolves.toBe(title);
    expectClean(window);
    await window.close();
  });

  it('pages through all 60 records and filters them', async () => {
    const window = await openDashboard(service, account, `/live/${path}`);
    const { page } = window;
    const table = page.getByRole('table', { name, exact: true });
    await table.waitFor();
    await showAll(page);
    await page.getByText('Showing 60 of 60').waitFor();
    for (const [filter, label] of Object.entries(none))
      await page.getByLabel(filter, { exact: true }).selectOption({ label });
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await table.waitFor();
    expectClean(window);
    await window.close();
  });

  it('searches while typing, keeps the search in the address, and exports what it shows', async () => {
    const window = await openDashboard(service, account, `/live/${path}`);
    const { page } = window;
    const table = page.getByRole('table', { name, exact: true });
    await table.waitFor();
    await page.getByText('Showing 50 of 60').waitFor();
    await page.getByLabel('Search').fill('nothing of that name');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('nothing of that name');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await table.waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    const { body } = await service.call('GET', `/v1/${path}?limit=1`, { as: account.key });
    await page.getByLabel('Search').fill(body[path][0].id);
    await page.getByText('Showing 1 of 1').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).click();
    const file = await (await download).createReadStream();
    const lines = (await text(file)).trim().split('\r\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.join('\n')).toContain(body[path][0].id);
    expectClean(window);
    await window.close();
  });

  it('shows errors, counts down a rate limit, and loads on retry', async () => {
    const window = await openDashboard(service, account, '/developers/keys');
    const { page } = window;
    await page.clock.install();
    const failed = { status: 500, headers: {}, error: 'internal_error', message: 'Something went wrong.' };
    const limited = {
      status: 429,
      headers: { 'retry-after': '60' },
      error: 'rate_limit_exceeded',
      message: 'Too many requests.',
    };
    // A list may be requested twice: while the page renders, and when the list finds that this failed.
    let failure: typeof failed | typeof limited | undefined = failed;
    const list = new RegExp(`/(v1|api/console)/${path}\\?environment=live(&include=[^&]*)?$`);
    await page.route(list, async (route) => {
      if (failure === undefined) return route.continue();
      const { status, headers, ...body } = failure;
      await route.fulfill({ status, headers, json: body });
    });
    await page.goto(`/dashboard/live/${path}`);
    await page.getByRole('alert').getByText('Something went wrong.').waitFor();
    await expectAccessible(page);
    await picture(page, `${path}-failed`);
    failure = limited;
    await page.getByRole('button', { name: 'Try again' }).click();
    const wait = page.getByRole('button', { name: /^Try again in \d+ s$/ });
    await wait.waitFor();
    await expect(wait.isDisabled()).resolves.toBe(true);
    await expectAccessible(page);
    await picture(page, `${path}-limited`);
    failure = undefined;
    // While a minute passes in a moment, requests of the picture above the list time out, which is shown outside the list.
    const panel = page.locator('main section');
    await page.clock.runFor(60_000);
    await panel.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByRole('table', { name, exact: true }).waitFor();
    failure = failed;
    await page.clock.runFor(10_000);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await panel.getByRole('alert').waitFor();
    failure = undefined;
    const read = page.waitForResponse(list);
    await panel.getByRole('button', { name: 'Try again', exact: true }).click();
    expect((await read).status()).toBe(200);
    await panel.getByRole('alert').waitFor({ state: 'detached' });
    expectClean(window, /status of (429|500)/);
    await window.close();
  });
});

it('a list is read again when the network returns', async () => {
  const own = await service.signUp({ plan: 'enterprise' });
  const window = await openDashboard(service, own, '/live/people');
  const { page, context } = window;
  await page.clock.install();
  await page.reload();
  await page.getByText('No people yet').waitFor();
  await context.setOffline(true);
  await service.call('POST', '/v1/users', { as: own.key, body: { fullName: 'Ada' } });
  await page.clock.runFor(10_000);
  await context.setOffline(false);
  await page.getByRole('table', { name: 'People' }).getByText('Ada').waitFor();
  await window.close();
});
