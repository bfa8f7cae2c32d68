import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, openWindow } from './browser.js';
import { type PagesService, pagesService } from './service.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the dashboard', () => {
  it('signs up, shows the first key once, and logs in again to the page that was asked for', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/signup');
    await page.getByLabel('Company').fill('Example AG');
    await page.getByLabel('E-mail').fill('pages@example.com');
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await page.getByRole('button', { name: 'Create the account' }).click();
    const key = page.getByText(/^svc_live_[0-9a-f]{48}$/);
    await key.waitFor();
    await expectAccessibleInEveryLook(page, 'first-key');
    await page.getByRole('button', { name: 'I have stored it: go on' }).click();
    await page.goto('/dashboard/account/keys');
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await expectAccessibleInEveryLook(page, 'keys');
    await expect(page.getByText(/svc_live_[0-9a-f]{48}/).count()).resolves.toBe(0);
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto('/dashboard/account/keys');
    await page.getByText('Your session has ended').waitFor();
    await expectAccessibleInEveryLook(page, 'login');
    await page.getByLabel('E-mail').fill('pages@example.com');
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });
});
