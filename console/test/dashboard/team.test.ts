// @module-tag if-touched @pages console/src/dashboard/team/ console/src/dashboard/nouns/members/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember, freshEmail, invite } from '../../../server/test/support/members.js';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { follow, openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const PASSWORD = 'correct horse 42 battery';
const DAY = 24 * 60 * 60_000;
let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const rowOf = (page: Page, who: string) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: who });

/** Chooses an action of a member's menu. */
async function act(page: Page, who: string, action: string): Promise<void> {
  await rowOf(page, who).getByRole('button').click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function fillIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
}

describe('the team [members/members] [members/invitations]', () => {
  it('grows by a link that works once, and a lower role takes the buttons away [POST /api/console/members] [POST /api/console/invitations/accept] [PATCH /api/console/members/:memberId] [DELETE /api/console/members/:memberId]', async () => {
    const account = await service.signUp();
    const owner = await openDashboard(service, account, '/settings/team');
    const { page } = owner;
    await rowOf(page, account.email).getByText('You', { exact: true }).waitFor();
    const email = freshEmail();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('radio', { name: 'Developer' }).check();
    await expectAccessibleInEveryLook(page, 'invite');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.getByRole('button', { name: 'Copy the link' }).waitFor();
    await expectAccessibleInEveryLook(page, 'invited');
    const link = (await dialog.locator('code').textContent()) ?? '';
    expect(link).toContain('/dashboard/join#');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await rowOf(page, email).getByText('Invited').waitFor();

    const other = await openWindow(service.origin);
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Join the team' }).waitFor();
    await other.page.waitForURL('**/dashboard/join');
    expect(new URL(other.page.url()).hash).toBe('');
    await expectAccessibleInEveryLook(other.page, 'join');
    await fillIn(other.page, 'Grace Hopper');
    await other.page.waitForURL('**/dashboard/live/home');
    await other.page.getByRole('button', { name: /^Account .*Grace Hopper.*Developer/ }).waitFor();
    await follow(other.page, 'API keys');
    await other.page.getByRole('button', { name: 'New key' }).waitFor();

    await page.reload();
    await rowOf(page, 'Grace Hopper').getByText('Developer').waitFor();
    await expectAccessibleInEveryLook(page, 'team');
    await act(page, 'Grace Hopper', 'Change the role');
    await dialog.getByRole('radio', { name: 'Auditor' }).check();
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await rowOf(page, 'Grace Hopper').getByText('Auditor').waitFor();
    await other.page.reload();
    await other.page.getByRole('table', { name: 'API keys' }).waitFor();
    await other.page.getByRole('button', { name: /^Account .*Auditor/ }).waitFor();
    expect(await other.page.getByRole('button', { name: 'New key' }).count()).toBe(0);

    await act(page, 'Grace Hopper', 'Remove');
    await dialog.getByText('They are logged out everywhere immediately.').waitFor();
    await expectAccessibleInEveryLook(page, 'remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await rowOf(page, 'Grace Hopper').waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await follow(page, 'Audit log');
    // Names are looked up, and that of a member who was removed is gone.
    for (const entry of [
      'A member joined the account',
      `${account.email} changed the role of a member from developer to auditor`,
      `${account.email} removed a member`,
    ])
      await page.getByRole('cell', { name: entry }).waitFor();
    expect(await page.getByRole('cell', { name: /Grace Hopper/ }).count()).toBe(0);
    expectClean(owner);
    await owner.close();
    await other.close();
  });

  it('never loses its last owner [last_owner]', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/settings/team');
    const { page } = window;
    await act(page, account.email, 'Change the role');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Auditor' }).check();
    await dialog.getByText('This is your own role.').waitFor();
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await dialog.getByText('The account would have no owner who can log in.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await act(page, account.email, 'Remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('The account would have no owner who can log in.').waitFor();
    await window.close();
  });

  it('shows an owner who has signed up by the name that they choose', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/settings/team');
    const { page } = window;
    await act(page, account.email, 'Change the name');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ada Lovelace');
    await expectAccessibleInEveryLook(page, 'member-name');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Ada Lovelace').getByText(account.email).waitFor();
    await page.getByRole('button', { name: 'Account Example' }).getByText('Ada Lovelace').waitFor();
    expectClean(window);
    await window.close();
  });

  it('says which invitations have ended, replaces and withdraws them [GET /api/console/members]', async () => {
    const account = await service.signUp();
    const { email } = await invite(service, account, 'auditor');
    const window = await openDashboard(service, account, '/settings/team');
    const { page } = window;
    await rowOf(page, email).getByText('Invited').waitFor();
    service.clock.advance(8 * DAY);
    const later = await openWindow(service.origin);
    await later.page.goto('/dashboard/login?next=/settings/team');
    await later.page.getByLabel('E-mail').fill(account.email);
    await later.page.getByLabel('Password').fill(account.password);
    await later.page.getByRole('button', { name: 'Log in' }).click();
    await rowOf(later.page, email).getByText('Invitation ended').waitFor();
    await act(later.page, email, 'New link');
    const dialog = later.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await rowOf(later.page, email).getByText('Invited').waitFor();
    await act(later.page, email, 'Withdraw the invitation');
    await dialog.getByRole('button', { name: 'Withdraw it' }).click();
    await rowOf(later.page, email).waitFor({ state: 'detached' });
    await window.close();
    await later.close();
  });

  it.each(['developer', 'auditor'] as const)(
    'can be seen, but not changed, by a member with the role %s',
    async (role) => {
      const account = await service.signUp();
      const window = await openAs(service, account, role, '/settings/team');
      await rowOf(window.page, account.email).getByText('Owner').waitFor();
      const buttons = window.page.getByRole('main').getByRole('button');
      expect(await buttons.allTextContents()).toEqual([]);
      expectClean(window);
      await window.close();
    },
  );
});

describe('the page of an invitation [members/invitations]', () => {
  const open = async (token: string) => {
    const window = await openWindow(service.origin);
    await window.page.goto(`/dashboard/join${token && `#${token}`}`);
    return window;
  };

  it('says that the link is not whole, or does not work any more [invitation_not_found]', async () => {
    const without = await open('');
    await without.page.getByText('The invitation is missing.').waitFor();
    await without.close();
    const wrong = await open('not-a-token');
    await fillIn(wrong.page, 'Grace Hopper');
    await wrong.page.getByText('This invitation does not work any more.').waitFor();
    await wrong.close();
  });

  it('rejects a weak password and a taken e-mail, and keeps the invitation [weak_password] [email_already_registered]', async () => {
    const account = await service.signUp();
    const other = await service.signUp();
    const weak = await open((await invite(service, account, 'auditor')).token);
    await fillIn(weak.page, 'Grace Hopper', 'password1234');
    await weak.page.getByRole('alert').waitFor();
    await weak.page.getByLabel('Password').fill(PASSWORD);
    await weak.page.getByRole('button', { name: 'Join' }).click();
    await weak.page.waitForURL('**/dashboard/live/home');
    await weak.close();
    const taken = await open((await invite(service, account, 'auditor', other.email)).token);
    await fillIn(taken.page, 'Grace Hopper');
    await taken.page.getByText('Your e-mail already belongs to an account').waitFor();
    await taken.close();
  });

  it('takes a second link that is opened in the same tab', async () => {
    const account = await service.signUp();
    const window = await open('not-a-token');
    await window.page.getByLabel('Your name').waitFor();
    const { token } = await invite(service, account, 'auditor');
    await window.page.evaluate(`location.hash = ${JSON.stringify(token)}`);
    await window.page.waitForURL((url) => url.hash === '');
    await fillIn(window.page, 'Grace Hopper');
    await window.page.waitForURL('**/dashboard/live/home');
    await window.close();
  });

  it('reloads the tabs of who was logged in before', async () => {
    const account = await service.signUp();
    await addMember(service, account, 'developer');
    const window = await openDashboard(service, account, '/settings/team');
    const second = await window.context.newPage();
    await second.goto(`/dashboard/join#${(await invite(service, account, 'auditor')).token}`);
    await fillIn(second, 'Grace Hopper');
    await second.waitForURL('**/dashboard/live/home');
    await window.page.getByRole('button', { name: /^Account .*Grace Hopper.*Auditor/ }).waitFor();
    await window.close();
  });
});
