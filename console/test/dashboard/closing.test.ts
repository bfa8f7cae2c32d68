// @module-tag if-touched @pages console/src/dashboard/closing/ console/src/dashboard/profile/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIds, systemRandom } from '../../../server/src/base/crypto/random.js';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const DAY = 24 * 60 * 60_000;
let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const policyOf = async ({ token }: Account) =>
  (await service.call('GET', '/api/console/security-policy', { as: token })).body.security_policy;

describe('the retention time [erasure/retention]', () => {
  it('says what saving it deletes before it is saved, and can be removed [GET /api/console/retention]', async () => {
    const account = await service.signUp();
    const at = service.clock.now() - 100 * DAY;
    const ids = createIds({ now: () => at }, systemRandom);
    for (let n = 0; n < 3; n += 1)
      await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
        values (${account.tenantId}, 'test', ${ids()}, 'manual', 'pass', ${new Date(at)}, ${new Date(at)})`);
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const days = page.getByLabel('Delete records that are older than');
    await days.fill('365');
    await page.getByText('Saving this deletes nothing now.').waitFor();
    await days.fill('90');
    await page.getByText('Saving this deletes now: 3 verifications.').waitFor();
    await days.scrollIntoViewIfNeeded();
    await expectAccessibleInEveryLook(page, 'retention');
    await days.fill('7');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await days.fill('90');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'Delete records that are older than: Never 90 days',
    ]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    expect(await policyOf(account)).toMatchObject({ retention_days: 90 });
    expect(await page.getByText('Saving this deletes').count()).toBe(0);
    await days.fill('');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await policyOf(account)).not.toHaveProperty('retention_days');
    expectClean(window);
    await window.close();
  });
});

describe('closing the account [erasure/closing-an-account]', () => {
  it('asks for the password, shows the date instead of every page, and can be taken back', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/settings/company');
    const { page } = window;
    await page.getByRole('button', { name: 'Close the account …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('not the password 1');
    await dialog.getByRole('button', { name: 'Close the account', exact: true }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Your password').fill(account.password);
    await expectAccessibleInEveryLook(page, 'close-account');
    await dialog.getByRole('button', { name: 'Close the account', exact: true }).click();
    await page.getByRole('heading', { name: 'This account is closing' }).waitFor();
    const closesAt = new Date(service.clock.now() + 30 * DAY).toISOString();
    expect(await page.locator('time').getAttribute('datetime')).toBe(closesAt);
    await expectAccessibleInEveryLook(page, 'closing');
    // After logging out and in again, on any page.
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'This account is closing' }).waitFor();
    await page.goto('/dashboard/live/people');
    await page.getByRole('button', { name: 'Reopen the account' }).click();
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    await page.goto('/dashboard/settings/company');
    await page.getByRole('heading', { name: 'Close the account' }).scrollIntoViewIfNeeded();
    await expectAccessibleInEveryLook(page, 'account-section');
    expect((await service.call('GET', '/v1/users', { as: account.key })).status).toBe(200);
    await window.close();
  });
});
