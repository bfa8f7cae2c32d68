// @module-tag if-touched @pages console/src/dashboard/shell/ console/src/dashboard/records/ console/src/dashboard/pages.ts console/src/dashboard/main.tsx console/src/dashboard/dashboard.tsx console/src/dashboard/session.tsx: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { proveFor } from '../../../server/test/support/phone.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { countedClicks } from '../support/clicks.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

/** An account with a person whose phone was revoked and who tried to sign in with it. */
async function withFailedSignIn() {
  const account = await service.signUp({ plan: 'enterprise' });
  const { c } = await completeCeremony(service, account, { profile: { fullName: 'Grace Hopper' } });
  const call = async (path: string, body: unknown) =>
    (await service.call('POST', path, { as: account.key, body: body as object })).status;
  expect(await call('/v1/identity/revoke', { did: c.identity.did })).toBe(200);
  const proof = await proveFor(service, c.identity, { tenantId: account.tenantId });
  expect(await call('/v1/identity/verify', proof)).toBe(401);
  return account;
}

describe('the cause of a failed sign-in', () => {
  it('is two clicks from the home by its reason, and ends at why it failed and what to do', async () => {
    const window = await openDashboard(service, await withFailedSignIn(), '/live/home');
    const { page } = window;
    const clicks = countedClicks();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await clicks.click(attention.getByRole('link', { name: 'Identity revoked' }));
    await clicks.click(
      page
        .getByRole('table', { name: 'Verifications', exact: true })
        .getByRole('link', { name: 'Grace Hopper' }),
    );
    const record = page.locator('#record');
    await record.getByText('The identity was revoked.').waitFor();
    await record.getByText('If the person should have access, register another phone').waitFor();
    await record.getByRole('link', { name: 'The person’s phones' }).waitFor();
    expect(clicks.count).toBeLessThanOrEqual(2);
    await expectAccessibleInEveryLook(page, 'why-by-reason');
    expectClean(window);
    await window.close();
  });

  it('is in its row of the list also on a phone', async () => {
    const window = await openDashboard(service, await withFailedSignIn(), '/live/activity/verifications');
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
    await row.getByText('Identity revoked').waitFor();
    expectClean(window);
    await window.close();
  });

  it('is one click from the home if it was one of the last, and the home already names it', async () => {
    const window = await openDashboard(service, await withFailedSignIn(), '/live/home');
    const { page } = window;
    const clicks = countedClicks();
    const recent = page.getByRole('region', { name: 'Recent activity' });
    await recent.getByText('Identity revoked').waitFor();
    await clicks.click(recent.getByRole('link', { name: 'A verification of Grace Hopper failed' }));
    await page.locator('#record').getByText('The identity was revoked.').waitFor();
    expect(clicks.count).toBe(1);
    expectClean(window);
    await window.close();
  });
});

describe('an application with OpenID Connect', () => {
  it('has a client ID and a secret five clicks from the home', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    const clicks = countedClicks();
    await clicks.click(page.getByRole('navigation').getByRole('link', { name: 'Sign-in', exact: true }));
    await clicks.click(page.getByRole('button', { name: 'Add an application' }).first());
    // The first field has the focus.
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Northwind Portal');
    await clicks.click(page.getByRole('textbox', { name: 'Redirect URI' }));
    await page.keyboard.type('https://app.example.com/callback');
    await clicks.click(page.getByRole('button', { name: 'Add the application' }));
    const added = page.getByRole('dialog', { name: 'Application added' });
    await added.getByRole('button', { name: 'Copy the client ID' }).waitFor();
    await added.getByText(/^[\w-]{43}$/).waitFor();
    expect(clicks.count).toBeLessThanOrEqual(5);
    expectClean(window);
    await window.close();
  });
});
