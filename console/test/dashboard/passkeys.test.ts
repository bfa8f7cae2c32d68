// @module-tag if-touched @pages console/src/dashboard/passkeys/ console/src/dashboard/your-security/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../../../server/test/support/members.js';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { follow } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logOut, openDashboard } from '../support/signed-in.js';

const PAGE = '/settings/security';
const FIVE_MINUTES = 5 * 60_000;

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

/** Gives a page a virtual authenticator with a screen lock. `answers` says whether its person does what it asks for. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answers: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    recognizes: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

describe('passkeys in the dashboard [POST /api/console/passkeys]', () => {
  it('are added with a name, log in and confirm instead of the password, and are removed', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const authenticator = await addAuthenticator(page);
    await page.getByText('No passkey yet.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const naming = page.getByRole('dialog', { name: 'Add a passkey' });
    expect(await naming.getByLabel('Name').inputValue()).toBe('Chrome on Linux');
    await expectAccessibleInEveryLook(page, 'passkey-add');
    await page.keyboard.press('Escape');
    await addPasskey(page, '<b>Desk</b> laptop');
    const row = rowsOf(page).filter({ hasText: '<b>Desk</b> laptop' });
    await row.getByText('Not used yet').waitFor();
    await expectAccessibleInEveryLook(page, 'passkeys');
    // The same authenticator has one of this member already.
    await addPasskey(page, 'Again');
    await page.getByRole('alert').getByText('There already is a passkey of yours on this device.').waitFor();
    await page.keyboard.press('Escape');

    // The suggestion in the field for the e-mail would be chosen immediately.
    await authenticator.answers(false);
    await logOut(page, 'Log out');
    expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username webauthn');
    await expectAccessibleInEveryLook(page, 'login-passkey');
    await authenticator.answers(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dashboard/live/home');

    service.clock.advance(FIVE_MINUTES + 1_000);
    await page.goto(`/dashboard${PAGE}`);
    await row.getByText('Last used').waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    const confirming = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirming.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await expectAccessibleInEveryLook(page, 'step-up-passkey');
    await authenticator.recognizes(false);
    await confirming.getByRole('button', { name: 'Use a passkey' }).click();
    await confirming.getByRole('alert').getByText('No passkey was used.').waitFor();
    await authenticator.recognizes(true);
    await confirming.getByRole('button', { name: 'Use a passkey' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('No passkey yet.').waitFor();
    expectClean(window, /status of 403/);
    await window.close();
  });

  it('are suggested by the browser in the log-in, and the service rejects one that was removed', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await addAuthenticator(page);
    await addPasskey(page, 'Laptop');
    await rowsOf(page).first().waitFor();
    await window.context.clearCookies();
    await page.goto('/dashboard/login');
    // A virtual authenticator chooses the first suggestion.
    await page.waitForURL('**/dashboard/live/home');
    await page.goto(`/dashboard${PAGE}`);
    await rowsOf(page).first().getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('No passkey yet.').waitFor();
    await window.context.clearCookies();
    await page.goto('/dashboard/login');
    await page.getByText('This passkey doesn’t work here any more.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/login');
    expectClean(window, /status of (401|403)/);
    await window.close();
  });

  it('join an account without a password, which can be chosen later [POST /api/console/invitations/options] [members/first-password]', async () => {
    const account = await service.signUp();
    const { token } = await invite(service, account, 'developer');
    const window = await openWindow(service.origin);
    const { page } = window;
    await addAuthenticator(page);
    await page.goto(`/dashboard/join#${token}`);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Grace Hopper');
    await expectAccessibleInEveryLook(page, 'join-passkey');
    await page.getByRole('button', { name: 'Join with a passkey' }).click();
    await page.waitForURL('**/dashboard/live/home');

    service.clock.advance(FIVE_MINUTES + 1_000);
    await page.goto(`/dashboard${PAGE}`);
    await page.getByText('You have no password.').waitFor();
    await page.getByLabel('New password').fill('correct horse 42 battery');
    await page.getByRole('button', { name: 'Choose a password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Your password').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'step-up-without-password');
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The password was saved').waitFor();
    await page.getByLabel('Current password').waitFor();
    // Over the page, when the log-in has ended.
    await window.context.clearCookies();
    await follow(page, 'People').catch(() => undefined);
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await expectAccessibleInEveryLook(page, 'log-in-again');
    await again.getByRole('button', { name: 'Use a passkey' }).click();
    await again.waitFor({ state: 'detached' });
    expectClean(window, /status of (401|403)/);
    await window.close();
  });

  it('are not offered by a browser that has none', async () => {
    const account = await service.signUp();
    const before = (page: Page) => page.addInitScript('delete window.PublicKeyCredential');
    const window = await openDashboard(service, account, PAGE, { before });
    const { page } = window;
    await page.getByText('This browser does not support passkeys.').waitFor();
    const login = await openWindow(service.origin);
    await before(login.page);
    await login.page.goto('/dashboard/login');
    await login.page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await login.page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
    expectClean(window);
    expectClean(login);
    await window.close();
    await login.close();
  });
});
