// @module-tag if-touched @pages console/src/dashboard/team/ console/src/dashboard/nouns/members/ console/src/dashboard/session.tsx console/src/dashboard/pages.ts console/src/dashboard/home/: what members with each role see on every page
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { follow, openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';

let service: PagesService;
let account: Account;
let ada: string;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp();
  const ok = async (path: string, body: object) => {
    const reply = await service.call('POST', path, { as: account.key, body });
    expect([path, reply.status]).toEqual([path, 201]);
    return reply.body;
  };
  ada = (await ok('/v1/users', { fullName: 'Ada Lovelace' })).user.id;
  await ok('/v1/devices', { name: 'Front door', deviceType: 'kiosk' });
});
afterAll(() => service.close());

/** The buttons of a page that change something, by what they say. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'Desks and devices': ['Add a device', 'Actions for Front door'],
  Registrations: ['Register a person'],
  Pairings: ['Show a code'],
  'API keys': ['New key'],
  Webhooks: ['Add a webhook'],
  Applications: ['Add an application'],
};

const buttonOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first();

/** How many of the buttons a page has. */
async function countOf(page: Page, names: readonly string[]): Promise<number> {
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' });
  const counts = await Promise.all(names.map((name) => buttonOf(page, name).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

const whole = (page: Page, name: string) => page.getByRole('group').filter({ hasText: name }).first();

describe('the roles of members [members/members]', () => {
  it('an auditor sees every page, without what changes something', async () => {
    const window = await openAs(service, account, 'auditor', '/live/home');
    const { page } = window;
    for (const [name, buttons] of Object.entries(CHANGES)) {
      await follow(page, name);
      expect([name, await countOf(page, buttons)]).toEqual([name, 0]);
    }
    await follow(page, 'Everybody');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'Export' }).last().waitFor();
    for (const name of ['Edit', 'Deactivate', 'Erase', 'Register a phone'])
      expect([name, await buttonOf(page, name).count()]).toEqual([name, 0]);
    expectClean(window);
    await window.close();
  });

  it('an auditor can read the policy and the profile, but not edit them', async () => {
    const window = await openAs(service, account, 'auditor', '/sign-in/policy');
    const { page } = window;
    await page.getByText('Only owners can change this.').waitFor();
    expect(await page.getByLabel('Delete records that are older than').isDisabled()).toBe(true);
    await expectAccessibleInEveryLook(page, 'policy-of-auditor');
    await follow(page, 'Company');
    await page.getByText('Only developers and owners can change this.').waitFor();
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    expect(await buttonOf(page, 'Close the account …').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'profile-of-auditor');
    await window.close();
  });

  it('reception sees who needs somebody now and its own pages, and each works without an error [reception/open-now]', async () => {
    const { verification } = (
      await service.call('POST', '/v1/verifications', {
        as: account.key,
        body: { method: 'face', result: 'fail', reason: 'no match', userId: ada },
      })
    ).body;
    expect(verification.userId).toBe(ada);
    const window = await openAs(service, account, 'reception', '/live/open');
    const { page } = window;
    const rooms = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    await page.getByRole('region', { name: 'Could not sign in' }).getByText('Ada Lovelace').waitFor();
    expect(await rooms.allInnerTexts()).toEqual([
      'Open now',
      'People',
      'Desks and devices',
      'Audit log',
      'My log-in',
    ]);
    expect(await page.getByRole('navigation', { name: 'Environment' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'open-now');
    await page.getByRole('button', { name: 'Register a person' }).first().click();
    await page.getByLabel('Name').first().fill('Bo');
    await page.getByRole('button', { name: 'Start registration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bo' }).waitFor();
    await page.getByRole('link', { name: 'Open now', exact: true }).click();
    await page.getByRole('region', { name: 'Registrations begun' }).getByText('Bo').waitFor();
    await page.getByRole('link', { name: 'Show the person' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await buttonOf(page, 'Deactivate').waitFor();
    for (const name of ['Edit', 'Erase'])
      expect([name, await buttonOf(page, name).count()]).toEqual([name, 0]);
    await rooms.filter({ hasText: 'Desks and devices' }).click();
    await page.getByRole('link', { name: 'Front door' }).click();
    await page.getByRole('heading', { name: 'Front door' }).waitFor();
    await follow(page, 'Registrations');
    await page.getByRole('heading', { level: 1, name: 'Registrations' }).waitFor();
    await rooms.filter({ hasText: 'Audit log' }).click();
    await page.getByText('started a registration of').waitFor();
    await rooms.filter({ hasText: 'My log-in' }).click();
    await page.getByRole('heading', { level: 1, name: 'My log-in' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('a developer changes records, but not the policy, the team and the account', async () => {
    const window = await openAs(service, account, 'developer', '/live/home');
    const { page } = window;
    for (const [name, buttons] of Object.entries(CHANGES)) {
      await follow(page, name);
      for (const button of buttons) await buttonOf(page, button).waitFor();
    }
    await follow(page, 'Policy');
    await page.getByText('Only owners can change this.').waitFor();
    expect(
      await whole(page, 'Save the policy').getByRole('button', { name: 'Save the policy' }).isDisabled(),
    ).toBe(true);
    await follow(page, 'Company');
    expect(await page.getByLabel('Name').isEnabled()).toBe(true);
    expect(await buttonOf(page, 'Close the account …').count()).toBe(0);
    await follow(page, 'Everybody');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await buttonOf(page, 'Edit').waitFor();
    expect(await buttonOf(page, 'Erase').count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it('the palette offers an auditor no actions that change something', async () => {
    const window = await openAs(service, account, 'auditor', '/live/home');
    await window.page.getByRole('button', { name: /^Find a person/ }).click();
    const dialog = window.page.getByRole('dialog', { name: 'Find' });
    await dialog.getByRole('option', { name: 'All guides' }).waitFor();
    expect(await dialog.getByRole('option', { name: 'Create an API key' }).count()).toBe(0);
    await window.close();
  });
});
