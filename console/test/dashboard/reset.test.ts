// @module-tag if-touched @pages console/src/dashboard/login/ console/src/dashboard/closing/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type MailReceiver, startMailReceiver } from '../../../server/test/support/mail-receiver.js';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn } from '../support/signed-in.js';

const NEXT = 'another quite unusual sentence 43';

let receiver: MailReceiver;
let service: PagesService;
beforeAll(async () => {
  receiver = await startMailReceiver();
  service = await pagesService(receiver.env);
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

/** The link in the newest e-mail to this address. */
async function linkTo(email: string): Promise<string> {
  const find = () =>
    receiver.messages.findLast(({ to, text }) => to.includes(email) && text.includes('/reset#'));
  await vi.waitFor(() => expect(find()).toBeDefined());
  return (/https?:\S+\/dashboard\/reset#\S+/.exec(find()?.text ?? '') as RegExpExecArray)[0];
}

describe('a forgotten password [members/forgotten-password] [POST /api/console/password/forgot] [POST /api/console/password/reset]', () => {
  it('is replaced by a link that arrives by e-mail, which leaves the address bar immediately', async () => {
    const account = await service.signUp();
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('E-mail').fill(account.email);
    await expectAccessibleInEveryLook(page, 'forgot');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If somebody logs in here with ${account.email}`).waitFor();
    await expectAccessibleInEveryLook(page, 'forgot-sent');
    const link = await linkTo(account.email);
    await page.goto(link);
    const field = page.getByLabel('New password');
    await field.and(page.locator(':focus')).waitFor();
    expect(page.url()).toBe(`${service.origin}/dashboard/reset`);
    await field.fill('password1234');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page
      .getByRole('alert')
      .getByText(/^New password /)
      .waitFor();
    await page.getByRole('button', { name: 'Show what you type' }).last().click();
    await expectAccessibleInEveryLook(page, 'reset');
    await field.fill(NEXT);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await expectAccessibleInEveryLook(page, 'reset-done');
    await page.getByRole('link', { name: 'Log in' }).click();
    await logIn(page, { ...account, password: NEXT });
    await page.waitForURL('**/dashboard/live/home');
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('needs a link that still works [password_reset_not_found]', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto(`/dashboard/reset#${'A'.repeat(43)}`);
    await page.getByLabel('New password').fill(NEXT);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await expectAccessibleInEveryLook(page, 'reset-dead');
    await page.goto('/dashboard/login');
    await page.goto('/dashboard/reset');
    await page.getByRole('link', { name: 'Get a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('gets the same answer for an e-mail that nobody has', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/forgot');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If somebody logs in here with nobody@example.com').waitFor();
    expect(receiver.messages.filter(({ to }) => to.includes('nobody@example.com'))).toEqual([]);
    expectClean(window);
    await window.close();
  });
});
