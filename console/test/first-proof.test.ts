// @module-tag if-touched @pages console/src/dashboard/home/ console/src/dashboard/registrations/ console/src/phone/register/: the way of a new customer through several pages
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, openWindow } from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';
import { openDashboard } from './support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const MAX_CLICKS = 4;
const VERIFIED = 'Your first proof was verified.';

describe('a first proof', () => {
  it('takes at most four clicks from the first visit, and Home then shows the figures that it changed [console/what-pages-say]', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    let clicks = 0;
    const press = async (role: 'button' | 'link', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    };
    await page.goto('/');
    await press('link', 'Start free');
    await page.getByLabel('Company').fill('Example AG');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse 7 battery staple');
    await press('button', 'Create the account');
    await press('button', 'I have stored them: continue');
    await press('button', 'Make a first proof');
    await page.getByText(VERIFIED).waitFor();
    // Not the zeros of Live, which it did not change [console/what-pages-say].
    await page.getByText('The figures below are those of the test environment.').waitFor();
    const tile = page.getByRole('region', { name: 'Signed in today' });
    await tile.getByText('1 verification', { exact: true }).waitFor();
    expect(await tile.getByRole('link').getAttribute('href')).toContain('/test/activity/verifications');
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
    await expectAccessibleInEveryLook(page, 'home-first-proof');
    await page.getByRole('link', { name: 'Show the verification' }).click();
    await page.waitForURL('**/test/activity/verifications/*');
    await page.getByText('Passed').first().waitFor();
    await page.getByRole('link', { name: 'Ada Example' }).first().waitFor();
    expectClean(window);
    await window.close();
  });

  it('changes only the test environment, and says what failed [console/first-proof]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    const make = page.getByRole('button', { name: 'Make a first proof' });
    await page.route(/prove\.worker/, (route) => route.abort(), { times: 1 });
    await make.click();
    await page.getByRole('alert').getByText('The prover did not start').waitFor();
    await expectAccessibleInEveryLook(page, 'home-first-proof-failed');
    await make.click();
    await page.getByText(VERIFIED).waitFor();
    const test = await service.createKey(account, 'test');
    const verificationsOf = async (as: string) =>
      (await service.call('GET', '/v1/verifications', { as })).body.verifications;
    expect(await verificationsOf(test)).toMatchObject([{ method: 'zkp', result: 'pass' }]);
    expect(await verificationsOf(account.key)).toEqual([]);
    await page.reload();
    await page.getByRole('list', { name: 'First steps' }).waitFor();
    expect(await make.count(), 'offered once').toBe(0);
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });
});
