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
