// @module-tag if-touched @pages console/src/dashboard/your-security/ console/src/dashboard/passkeys/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const PAGE = '/settings/security';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the password', () => {
  it('is changed, ends every older session, and leaves this browser logged in', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const fill = async (current: string, next: string) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    const next = 'another quite unusual sentence 43';
    await fill(account.password, 'password1234');
    await page
      .getByRole('alert')
      .getByText(/^New password /)
      .waitFor();
    await fill('not the password at all', next);
    await page.getByText('The password is wrong.').waitFor();
    await page.getByRole('button', { name: 'Show what you type' }).last().click();
    expect(await page.getByLabel('New password').getAttribute('type')).toBe('text');
    await expectAccessible(page);
    await picture(page, 'password-refused');
    // No second login: the response sets the new session.
    await page.route('**/api/console/session', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await fill(account.password, next);
    await page.getByText('The password was saved').waitFor();
    await expect(page.getByLabel('Current password').inputValue()).resolves.toBe('');
    const old = await service.call('GET', '/api/console/account', { as: account.token });
    expect(old.status).toBe(401);
    await page.goto('/dashboard/developers/keys');
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    expectClean(window, /status of (400|401)/);
    await window.close();
  });

  it('was on a page that leads to this one', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    await window.page.goto('/dashboard/settings/security');
    await window.page.waitForURL(`**${PAGE}`);
    expectClean(window);
    await window.close();
  });
});

describe('one’s own log-ins [members/log-ins]', () => {
  it('show the browser, the network and this one, and can be ended one by one', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const other = await openDashboard(
      { ...service },
      { ...account, email: account.email.toUpperCase() },
      '/developers/keys',
      { userAgent: FIREFOX },
    );
    const { page } = window;
    await page.reload();
    const rows = page.getByRole('list', { name: 'Log-ins' }).getByRole('listitem');
    const firefox = rows.filter({ hasText: 'Firefox on Linux' });
    await firefox.getByText(/From 127\.0\.0\.0\/24/).waitFor();
    const own = rows.filter({ hasText: 'This one' });
    await own.getByText('Chrome on Linux').waitFor();
    expect(await own.getByRole('button').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'your-security');
    await firefox.getByRole('button', { name: 'End Firefox on Linux' }).click();
    await firefox.waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.reload();
    await own.waitFor();
    expectClean(window);
    await window.close();
    await other.close();
  });
});
