// @module-tag if-touched @pages console/src/dashboard/step-up/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const FIVE_MINUTES = 5 * 60_000;
const TITLE = 'Confirm that it is you';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: TITLE });

/** The form for a new key, more than five minutes after the log-in. */
async function fillInLate(account: Account) {
  const window = await openDashboard(service, account, '/developers/keys');
  const { page } = window;
  await page.getByRole('table', { name: 'API keys' }).waitFor();
  service.clock.advance(FIVE_MINUTES + 1_000);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Late');
  const create = page.getByRole('button', { name: 'Create the key' });
  return { window, page, create, dialog: dialogOf(page) };
}

const keyNames = async ({ token }: Account): Promise<string[]> =>
  (await service.call('GET', '/api/console/keys', { as: token })).body.keys.map(
    ({ name }: { name: string }) => name,
  );

describe('a change that needs a confirmed log-in [members/confirmed-log-ins] [step_up_required] [POST /api/console/step-up]', () => {
  it('asks for the password, shows that it is wrong, and then does what was asked for', async () => {
    const account = await service.signUp();
    const { window, page, create, dialog } = await fillInLate(account);
    await create.click();
    const password = dialog.getByLabel('Your password');
    await password.and(page.locator(':focus')).waitFor();
    await expectAccessibleInEveryLook(page, 'step-up');
    await password.fill('not the password at all');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor();
    await password.fill(account.password);
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    expect(await dialog.count()).toBe(0);
    expect(await keyNames(account)).toContain('Late');
    // For five minutes nothing asks again.
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for Late' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('row').filter({ hasText: 'Late' }).getByText('revoked').waitFor();
    expectClean(window, /status of (401|403)/);
    await window.close();
  });

  it('is not done after Escape, and the form stays as it was, without an error', async () => {
    const account = await service.signUp();
    const { window, page, create, dialog } = await fillInLate(account);
    await create.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await create.and(page.locator(':enabled')).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Late');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await keyNames(account)).not.toContain('Late');
    await create.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor();
    expectClean(window, /status of 403/);
    await window.close();
  });

  it('says to wait after too many wrong passwords [rate_limit_exceeded]', async () => {
    const account = await service.signUp();
    const { window, page, create, dialog } = await fillInLate(account);
    await create.click();
    const message = 'Too many requests. Try again later.';
    await page.route('**/api/console/step-up', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '60' },
        json: { error: 'rate_limit_exceeded', message, requestId: 'req-1' },
      }),
    );
    await dialog.getByLabel('Your password').fill(account.password);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText(message).waitFor();
    await page.unroute('**/api/console/step-up');
    await page.keyboard.press('Enter');
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    expectClean(window, /status of (403|429)/);
    await window.close();
  });
});
