// @module-tag if-touched @pages console/src/docs/ console/src/snippets/ console/docs/ console/scripts/docs console/scripts/samples/ docs/ contract/openapi.json: opens every page of the documentation
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleInEveryLook,
  expectClean,
  inEveryLook,
  inLooksOf,
  openWindow,
  picture,
} from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';

const folder = fileURLToPath(new URL('../dist/', import.meta.url));
const addresses = readdirSync(`${folder}docs`, { recursive: true })
  .map((name) => `/docs/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.html') && name !== '/docs/404.html')
  .map((name) => name.replace(/(\/index)?\.html$/, ''))
  .sort();

/** Split into parts with their own window and timeout, because a part can take minutes on a busy machine. */
const PARTS = 8;
const PART_MS = 5 * 60_000;
const parts = Array.from({ length: PARTS }, (_, part) =>
  addresses.filter((_address, at) => at % PARTS === part),
);
/** One page of each kind, which is checked in every look and captured as a screenshot. */
const PICTURED = ['/docs', '/docs/registration', '/docs/sdk', '/docs/reference/usage'];

/**
 * The pages that axe checks, which takes a second or two for each: all of them, or in CI one of each kind and those whose guide has
 * changed.
 */
const changed = process.env.CHANGED_GUIDES?.split(',');
const isChecked = (address: string) =>
  changed === undefined || PICTURED.includes(address) || changed.includes(address.slice('/docs/'.length));

/** Pages share a template, so they alternate between the looks. With `PAGES_LOOKS=every`, each is checked in both. */
const inOwnLooks = (address: string) =>
  inLooksOf(
    process.env.PAGES_LOOKS === 'every' ? 'both' : addresses.indexOf(address) % 2 === 0 ? 'light' : 'dark',
  );

/** The ID of the element that is visible at the centre of the result count. */
const VISIBLE_AT_FOUND = `(() => {
  const { left, top, width, height } = document.querySelector('#found').getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2).id;
})()`;

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the documentation', () => {
  it.each(parts.map((part, at) => [at + 1, part] as const))(
    'is clean and accessible on every page, in both schemes and at 320 px: part %i',
    async (_, part) => {
      const window = await openWindow(service.origin);
      const { page } = window;
      const found: string[] = [];
      for (const address of part) {
        await page.goto(address);
        const inLooks = PICTURED.includes(address) ? inEveryLook : inOwnLooks(address);
        await inLooks(page, async (look) => {
          if (!isChecked(address)) return;
          await expectAccessible(page).catch((error) => found.push(`${address} ${look}: ${error.message}`));
          if (PICTURED.includes(address))
            await picture(page, `docs${address.slice(5).replaceAll('/', '-')}-${look}`);
        });
      }
      expect(found).toEqual([]);
      expectClean(window);
      await window.close();
    },
    PART_MS,
  );

  it.each([
    ['pairing', '/docs/pairing'],
    ['pairing_nonce_mismatch', '/docs/errors#pairing_nonce_mismatch'],
    ['POST /v1/devices/enroll', '/docs/reference/devices#post-v1-devices-enroll'],
  ])('finds %s, with the keyboard alone', async (words, address) => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs/quickstart');
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    await page.locator(`[aria-label="Results"] li:first-child a[href="${address}"]`).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address}`);
    expectClean(window);
    await window.close();
  });

  it('marks what a search found, and moves through it with the arrow keys, Enter and Escape', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('idempotency key');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByRole('link').first().waitFor();
    const marked = await results.locator('mark').allInnerTexts();
    expect(marked.length).toBeGreaterThan(2);
    for (const text of marked) expect(text).toMatch(/^(idempoten|key)/i);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = results.getByRole('link').nth(1);
    expect(await second.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await results.waitFor({ state: 'hidden' });
    await page.keyboard.type(' ');
    await page.keyboard.press('Backspace');
    await results.waitFor();
    const first = await results.getByRole('link').first().getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${first}`);
    expectClean(window);
    await window.close();
  });

  it('shows every request in the language that the reader chose, also on the next visit', async () => {
    const window = await openWindow(service.origin, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = window;
    await page.goto('/docs/users');
    await expect(page.locator('[data-language]:visible', { hasText: 'curl -s' }).count()).resolves.toBe(2);
    await page.getByRole('radio', { name: 'curl' }).first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('[data-language]:visible', { hasText: 'urlopen' }).count()).resolves.toBe(2);
    await expect(page.locator('[data-language]:visible', { hasText: 'curl -s' }).count()).resolves.toBe(0);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    const code = await page.locator('[data-language=python] code').first().textContent();
    await expect(page.evaluate('navigator.clipboard.readText()')).resolves.toBe(code);
    await page.goto('/docs/reference/users');
    await page.locator('.code:visible', { hasText: 'urlopen' }).first().waitFor();
    await expectAccessibleInEveryLook(page, 'docs-python');
    expectClean(window);
    await window.close();
  });

  it('marks the section that is being read in the outline', async () => {
    const window = await openWindow(service.origin, { viewport: { width: 1280, height: 700 } });
    const { page } = window;
    await page.goto('/docs/security');
    const current = page.locator('#on-this-page [aria-current]');
    await expect(current.count()).resolves.toBe(0);
    await page.locator('#what-is-stored').evaluate((heading) => heading.scrollIntoView());
    await page.locator('#on-this-page [aria-current]', { hasText: 'What is stored' }).waitFor();
    await expect(current.count()).resolves.toBe(1);
    expectClean(window);
    await window.close();
  });

  it('lists what integrations use before the console, and deprecated endpoints last', async () => {
    const window = await openWindow(service.origin);
    await window.page.goto('/docs/reference');
    const names = await window.page.locator('.article td:first-child').allInnerTexts();
    const lastOf = (prefix: string) => names.findLastIndex((name) => name.includes(` ${prefix}`));
    const firstPage = await window.page.locator('.article h2').allInnerTexts();
    expect(firstPage.findIndex((name) => name.startsWith('Devices'))).toBe(0);
    expect(lastOf('/api/auth/')).toBeGreaterThan(lastOf('/v1/'));
    await window.page.goto('/docs/reference/users');
    const endpoints = await window.page.locator('.article h2').allInnerTexts();
    const isConsole = endpoints.map((name) => name.includes('/api/console/'));
    expect(isConsole).toEqual(isConsole.toSorted());
    await window.close();
  });

  it('shows search results in every look', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs/quickstart');
    await page.getByRole('searchbox').fill('pairing');
    await page.getByRole('list', { name: 'Results' }).getByRole('link').first().waitFor();
    await expectAccessibleInEveryLook(page, 'docs-search');
    expectClean(window);
    await window.close();
  });

  it('shows when there are no results or the index cannot be loaded, and retries', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.route('**/docs/search.json', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.goto('/docs');
    const field = page.getByRole('searchbox');
    await field.fill('zebra');
    await page.getByText('could not be loaded').waitFor();
    await field.fill('zebras');
    await page.getByText('No results for “zebras”').waitFor();
    await page.setViewportSize({ width: 900, height: 800 });
    expect(await page.evaluate(VISIBLE_AT_FOUND)).toBe('found');
    await page.keyboard.press('Escape');
    await page.getByText('No results').waitFor({ state: 'hidden' });
    expectClean(window, /status of 503/);
    await window.close();
  });

  it('copies a code sample unchanged', async () => {
    const window = await openWindow(service.origin, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = window;
    await page.goto('/docs/limits');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied to the clipboard').waitFor();
    const code = await page.locator('.code code').first().textContent();
    await expect(page.evaluate('navigator.clipboard.readText()')).resolves.toBe(code);
    expectClean(window);
    await window.close();
  });

  it('shows a page with a link for an unknown address', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs/no/such/page');
    await expectAccessibleInEveryLook(page, 'docs-404');
    await page.getByRole('link', { name: 'start page' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('sends a browser from an unknown address to where it can go on', async () => {
    const window = await openWindow(service.origin, { javaScriptEnabled: false });
    const { page } = window;
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'We can’t verify this address' }).waitFor();
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    expectClean(window, /status of 404/);
    await window.close();
    const scripted = await openWindow(service.origin);
    await scripted.page.goto('/no/such/page');
    await expectAccessibleInEveryLook(scripted.page, '404');
    expectClean(scripted, /status of 404/);
    await scripted.close();
  });

  it('is readable and navigable without JavaScript', async () => {
    const window = await openWindow(service.origin, {
      javaScriptEnabled: false,
      viewport: { width: 320, height: 800 },
    });
    const { page } = window;
    await page.goto('/docs/devices');
    await page.getByRole('heading', { name: 'With a one-time code' }).waitFor();
    await expect(page.getByRole('searchbox').count()).resolves.toBe(0);
    await expect(page.getByRole('button', { name: 'Copy' }).count()).resolves.toBe(0);
    await page.getByRole('radio', { name: 'Go' }).first().check();
    await page.locator('.code:visible', { hasText: 'package main' }).first().waitFor();
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('link', { name: 'Attendance', exact: true }).click();
    await page.getByRole('heading', { name: 'Attendance', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'On this page' }).click();
    await page.getByRole('link', { name: 'Finding events', exact: true }).click();
    await page.waitForURL('**/docs/attendance#finding-events');
    expectClean(window);
    await window.close();
  });
});
