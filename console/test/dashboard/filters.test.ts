// @module-tag if-touched @pages console/src/dashboard/records/ console/src/dashboard/verifications/ console/src/dashboard/nouns/outcomes/ console/src/dashboard/registrations/ console/src/dashboard/users/ console/src/dashboard/devices/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, expectClean, type WindowOptions } from '../support/browser.js';
import { makeRecords } from '../support/records.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
  await makeRecords(service, account, 60);
});
afterAll(() => service.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
const open = (path: string, options: WindowOptions = {}) => openDashboard(service, account, path, options);
const filters = (page: Page) => page.getByRole('search', { name: 'Filters' });
/** The rows of the list. Pictures above a list have tables too, with longer names. */
const rowsOf = (page: Page) => {
  const names = /^(People|Devices|Verifications|Attendance|Audit entries)$/;
  return page.getByRole('table', { name: names }).locator('tbody tr:has(td)');
};
const address = (page: Page) => new URL(page.url()).searchParams;

describe('a list on a wide screen', () => {
  it('shows 18 people at 1280 × 800, and keeps its header while it scrolls and grows', async () => {
    const window = await open('/live/people', { viewport: { width: 1280, height: 800 } });
    const { page } = window;
    await rowsOf(page).nth(49).waitFor();
    const bottom = (await rowsOf(page).nth(17).boundingBox()) as { y: number; height: number };
    expect(bottom.y + bottom.height).toBeLessThanOrEqual(800);
    await page.mouse.wheel(0, 1_200);
    await rowsOf(page).nth(59).waitFor();
    await page.getByText('Showing 60 of 60').waitFor();
    const head = page.getByRole('columnheader', { name: 'Name' });
    const bar = (await page.locator('header').first().boundingBox()) as { y: number; height: number };
    await expect.poll(async () => (await head.boundingBox())?.y).toBeCloseTo(bar.y + bar.height, 0);
    expectClean(window);
    await window.close();
  });

  it('uses the whole width of a large screen', async () => {
    const window = await open('/live/activity/verifications', { viewport: { width: 1920, height: 1000 } });
    const box = await window.page.getByRole('table', { name: 'Verifications', exact: true }).boundingBox();
    expect(box?.width).toBeGreaterThan(1_600);
    await window.close();
  });

  it('separates a list of times by days', async () => {
    const window = await open('/live/activity/verifications');
    const { page } = window;
    const day = page.getByRole('rowheader', { name: 'Today' });
    await day.waitFor();
    await expect(day.count()).resolves.toBe(1);
    await expect(rowsOf(page).first().locator('td').last().textContent()).resolves.toMatch(
      /^\d\d:\d\d:\d\d$/,
    );
    await window.close();
  });
});

describe('a list on a phone', () => {
  it.each(['people', 'sign-in/devices', 'activity/verifications', 'activity/attendance', 'trust/audit'])(
    'shows two lines a row of %s, each a link with a target of 44 px or more',
    async (path) => {
      const window = await open(`/live/${path}`, PHONE);
      const { page } = window;
      const row = rowsOf(page).nth(6);
      await row.waitFor();
      await row.scrollIntoViewIfNeeded();
      const [name, ...more] = await row
        .locator('td')
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.getBoundingClientRect().height > 0)
            .map((cell) => Math.round(cell.getBoundingClientRect().top)),
        );
      expect(new Set([name, ...more]).size).toBeLessThanOrEqual(4);
      const box = (await row.boundingBox()) as { x: number; y: number; width: number; height: number };
      expect(box.height).toBeGreaterThanOrEqual(44);
      expect(box.height).toBeLessThanOrEqual(72);
      await expectAccessible(page);
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height - 3);
      await page.locator('#record').waitFor();
      expectClean(window);
      await window.close();
    },
  );

  it('has its filters in a sheet, and counts those that are set', async () => {
    const window = await open('/live/activity/verifications', PHONE);
    const { page } = window;
    await rowsOf(page).first().waitFor();
    await filters(page).getByRole('button', { name: 'Filters' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Result').selectOption('Failed');
    await sheet.getByRole('button', { name: 'Date', exact: true }).tap();
    await page.getByRole('button', { name: 'Last 7 days' }).tap();
    await sheet.getByRole('button', { name: 'Date Last 7 days' }).waitFor();
    await expectAccessible(page);
    const small = await sheet.locator('button, select, a').evaluateAll((targets) =>
      targets
        .map((target) => target.getBoundingClientRect())
        .filter(({ height }) => height > 0 && height < 36)
        .map(({ height }) => height),
    );
    expect(small).toEqual([]);
    await sheet.getByRole('button', { name: 'Show results' }).tap();
    await filters(page).getByRole('button', { name: 'Filters 2 set' }).waitFor();
    expect(Object.fromEntries(address(page))).toEqual({ result: 'fail', period: '7-days' });
    await filters(page).getByRole('button', { name: 'Filters 2 set' }).tap();
    await sheet.getByRole('link', { name: 'Clear filters' }).tap();
    await expect.poll(() => [...address(page)]).toEqual([]);
    expectClean(window);
    await window.close();
  });
});

describe('the filter by date', () => {
  it('has periods, which the address names', async () => {
    const window = await open('/live/people');
    const { page } = window;
    await rowsOf(page).first().waitFor();
    for (const [name, period, empty] of [
      ['Today', 'today', false],
      ['Yesterday', 'yesterday', true],
      ['This month', 'month', false],
    ] as const) {
      await filters(page).getByRole('button', { name: /^Date/ }).click();
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => address(page).get('period')).toBe(period);
      await (empty ? page.getByRole('heading', { name: 'No results' }) : rowsOf(page).first()).waitFor();
    }
    await page.getByRole('button', { name: 'Remove the filter Date' }).click();
    await expect.poll(() => [...address(page)]).toEqual([]);
    expectClean(window);
    await window.close();
  });

  it('has a calendar that the keyboard can drive', async () => {
    const window = await open('/live/people?from=2026-02-10&to=2026-02-10');
    const { page } = window;
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    const date = filters(page).getByRole('button', { name: 'Date 10 Feb 2026' });
    await date.focus();
    await page.keyboard.press('Enter');
    const focused = (name: RegExp) =>
      page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
    await focused(/^Tuesday.* 10 February 2026$/);
    await expectAccessible(page);
    await page.keyboard.press('PageUp');
    await focused(/ 10 January 2026$/);
    await page.keyboard.press('End');
    await focused(/^Sunday.* 11 January 2026$/);
    await page.keyboard.press('Enter');
    await page.getByText('Choose the last day.').waitFor();
    await page.keyboard.press('ArrowUp');
    await focused(/ 4 January 2026$/);
    await page.keyboard.press('Enter');
    await filters(page)
      .getByRole('button', { name: /^Date 4.*11 Jan 2026$/ })
      .waitFor();
    expect(Object.fromEntries(address(page))).toEqual({ from: '2026-01-04', to: '2026-01-11' });
    await filters(page).getByRole('button', { name: /^Date/ }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    expectClean(window);
    await window.close();
  });
});

describe('the filter by person and device', () => {
  it.each([
    ['activity/verifications', 'Person', 'userId', 'Number 7'],
    ['activity/attendance', 'Device', 'deviceId', 'Number 8'],
  ] as const)('finds the %s of a chosen %s by name', async (path, name, parameter, typed) => {
    const window = await open(`/live/${path}`);
    const { page } = window;
    await rowsOf(page).nth(20).waitFor();
    await filters(page).getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: `Find: ${name}` }).fill(typed);
    const found = page.getByRole('listbox', { name }).getByRole('option');
    await expect.poll(() => found.allTextContents()).toEqual([expect.stringMatching(`^${typed}`)]);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await filters(page)
      .getByRole('button', { name: `${name} ${typed}` })
      .waitFor();
    await page.getByText('Showing 1 of 1').waitFor();
    expect(address(page).get(parameter)).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: `Remove the filter ${name}` }).click();
    await page.getByText('Showing 50 of 60').waitFor();
    expectClean(window);
    await window.close();
  });
});

it('lists and filters can be read from right to left and with forced colours', async () => {
  const window = await open('/live/people', { forcedColors: 'active' });
  const { page } = window;
  await rowsOf(page).first().waitFor();
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  await filters(page).getByRole('button', { name: 'Date' }).click();
  await page.getByRole('button', { name: 'Custom' }).click();
  await page.getByRole('grid').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  expectClean(window);
  await window.close();
});
