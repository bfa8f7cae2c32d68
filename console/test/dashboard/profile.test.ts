// @module-tag if-touched @pages console/src/dashboard/profile/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngOf } from '../../../server/test/support/images.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the company profile', () => {
  it('changes name, color and logo, shows them as a phone does, and removes the logo', async () => {
    const account = await service.signUp({ companyName: 'Example AG' });
    const window = await openDashboard(service, account, '/settings/company');
    const { page } = window;
    await page.getByLabel('Name').fill('Acme Access');
    await page.getByLabel('Color').fill('#2c4a8f');
    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: pngOf(64, 64),
    });
    await page.getByRole('region', { name: 'Preview' }).getByText('Acme Access').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('img[src^="/logos/"]').waitFor();
    await expectAccessibleInEveryLook(page, 'profile');
    const read = () => service.call('GET', '/api/console/profile', { as: account.token });
    expect((await read()).body.profile).toMatchObject({ name: 'Acme Access', accentColor: '#2c4a8f' });
    await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('img[src^="/logos/"]').waitFor({ state: 'detached' });
    await expect.poll(async () => (await read()).body.profile.logo).toBeNull();
    expectClean(window);
    await window.close();
  });

  it('asks before changes that are not saved are discarded', async () => {
    const window = await openDashboard(service, await service.signUp(), '/settings/company');
    const { page } = window;
    const ask = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.getByLabel('Name').fill('Not saved');
    await page.getByRole('link', { name: 'Developers' }).click();
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Not saved');
    await page.getByRole('link', { name: 'Developers' }).click();
    await ask.getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL('**/developers/keys');
    // The browser's own button has gone back before a page can hold it back.
    await page.goBack();
    await page.getByLabel('Name').fill('Not saved');
    await page.goForward();
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Not saved');
    expect(new URL(page.url()).pathname).toBe('/dashboard/settings/company');
    await page.goForward();
    await ask.getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL('**/developers/keys');
    expectClean(window);
    await window.close();
  });

  it('saves nothing while the chosen logo is too large, and explains why the service rejects one, at its field', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/settings/company');
    const { page } = window;
    const choose = (buffer: Buffer) =>
      page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await choose(Buffer.alloc(40 * 1024));
    const tooLarge = page.getByRole('alert').getByText('logo.png has 40 KiB. Choose a smaller file.');
    await tooLarge.waitFor();
    await page.getByLabel('Name').fill('Not saved');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Name').press('Enter');
    await tooLarge.waitFor();
    expect(await page.getByText('Profile saved').count()).toBe(0);
    const { profile } = (await service.call('GET', '/api/console/profile', { as: account.token })).body;
    expect(profile.name).not.toBe('Not saved');
    await choose(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/^The file must be /)
      .waitFor();
    await expectAccessibleInEveryLook(page, 'profile-rejected');
    expectClean(window, /status of 400/);
    await window.close();
  });
});
