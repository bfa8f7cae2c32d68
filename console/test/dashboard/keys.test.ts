// @module-tag if-touched @pages console/src/dashboard/keys/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, showAll, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/developers/keys';

describe('the page of API keys', () => {
  it('creates a key with the chosen scopes, shows it once, and revokes it after confirmation', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page, context } = window;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('<i>Front</i> desk');
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('test');
    await page.getByRole('radio', { name: 'Custom' }).check();
    await page.getByLabel('audit:read').uncheck();
    await page.getByLabel('saml:login').check();
    await expectAccessibleInEveryLook(page, 'keys-new');
    // A slow request that the user tries to cancel. It was already sent, so the dialog stays open until the response arrives.
    let respond = () => {};
    const slow = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/api/console/keys', async (route) => {
      if (route.request().method() === 'POST') await slow;
      await route.continue();
    });
    // A double click creates only one key.
    await page.getByRole('button', { name: 'Create the key' }).dblclick();
    await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor();
    respond();
    const shown = page.getByText(/^svc_test_[0-9a-f]{48}$/);
    const raw = String(await shown.textContent());
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(raw);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`curl -s '${service.origin}/v1/users' \\\n  -H "Authorization: Bearer ${raw}"`);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const focused = () =>
      page.evaluate(
        '(({ id, ariaLabel, innerText }) => id || ariaLabel || innerText)(document.activeElement)',
      );
    expect(await focused()).toBe('New key');
    const row = page.getByRole('row').filter({ hasText: '<i>Front</i> desk' });
    await row.getByText('Active').waitFor();
    await row.getByText('15 scopes').click();
    await row.getByText('saml:login').waitFor();
    expect(await row.count()).toBe(1);
    expect(await page.content()).not.toContain(raw);
    expect((await service.call('GET', '/v1/devices', { as: raw })).status).toBe(200);
    expect((await service.call('GET', '/v1/audit', { as: raw })).body.error).toBe('insufficient_scopes');

    await row.getByRole('button', { name: 'Actions for <i>Front</i> desk' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button').and(page.locator(':focus')).waitFor();
    expect((await service.call('GET', '/v1/devices', { as: raw })).status).toBe(200);
    await row.getByRole('button', { name: 'Actions for <i>Front</i> desk' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await picture(page, 'keys-revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await row.getByText('Revoked').waitFor();
    // A revoked key has no menu.
    await expect.poll(focused).toBe('main');
    expect((await service.call('GET', '/v1/devices', { as: raw })).status).toBe(401);
    expectClean(window);
    await window.close();
  });

  it('creates a key from a preset that expires on a date', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE, { timezoneId: 'UTC' });
    const { page } = window;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Gate');
    await page.getByRole('radio', { name: 'Phone' }).check();
    await page.getByLabel('Expires').selectOption('On a date');
    // In 30 days, until another day is chosen.
    const soon = new Date(service.clock.now() + 29 * 86_400_000).toISOString().slice(0, 10);
    await page.getByRole('button', { name: /^Last day: / }).click();
    const calendar = page.getByRole('dialog', { name: 'Last day' });
    await calendar.waitFor();
    await page.keyboard.press('Escape');
    await calendar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Last day: / }).click();
    await expectAccessibleInEveryLook(page, 'keys-day');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await calendar.waitFor({ state: 'detached' });
    await expectAccessibleInEveryLook(page, 'keys-preset');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    // A phone's key can't send a request without more.
    expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Gate' });
    await row.getByText('Phone').waitFor();
    const { keys } = (await service.call('GET', '/api/console/keys', { as: account.token })).body;
    const [created] = keys.filter(({ name }: { name: string }) => name === 'Gate');
    expect(created.scopes).toEqual(['proof_pairing:claim']);
    expect(created.expiresAt.slice(0, 10)).toBe(soon);
    expect(await row.locator('time').getAttribute('datetime')).toBe(created.expiresAt);
    await expectAccessibleInEveryLook(page, 'keys-expiring');
    expectClean(window);
    await window.close();
  });

  it('keeps a key on the screen until it is stored, even if the session ends elsewhere', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE, { before: (page) => page.clock.install() });
    const { page } = window;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Last');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByText(/^svc_live_[0-9a-f]{48}$/);
    await shown.waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.clock.fastForward('02:00');
    const refused = page.waitForResponse((reply) => reply.status() === 401);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await refused;
    await page.clock.runFor(1_000);
    await shown.waitFor({ timeout: 1_000 });
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Your session has ended').waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('explains what to do when ten keys are active', async () => {
    const account = await service.signUp();
    for (let at = 0; at < 9; at++) await service.createKey(account, 'live');
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('  ');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const rejection = page.getByRole('alert').filter({ hasText: 'Name must be a non-empty string.' });
    await rejection.waitFor();
    expect(await rejection.textContent()).toMatch(/^Name must be a non-empty string\.Request [\w-]+$/);
    await page.getByLabel('Name').fill('Eleventh');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page
      .getByRole('alert')
      .getByText(/revoke/i)
      .waitFor();
    await picture(page, 'keys-full');
    expectClean(window, /status of 40[09]/);
    await window.close();
  });

  it('lists active keys first, pages through the revoked ones, and shows errors', async () => {
    const account = await service.signUp();
    for (let at = 0; at < 59; at++) {
      const body = { name: `Key ${at}`, environment: 'live' };
      const { apiKey } = (await service.call('POST', '/api/console/keys', { as: account.token, body })).body;
      await service.call('DELETE', `/api/console/keys/${apiKey.id}`, { as: account.token });
      service.clock.advance(1_000);
    }
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByText('Showing the first 50').waitFor();
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.nth(1).textContent()).toContain('Active');
    expect(await rows.nth(2).textContent()).toContain('Key 58');
    await showAll(page);
    await page.getByText('Showing 60 of 60').waitFor();
    await whileFailing(page, /\/api\/console\/keys/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `keys-${how}`);
    });
    await page.reload();
    await page.getByText('Showing the first 50').waitFor();
    expectClean(window, /status of (503|429)/);
    await window.close();
  });

  it('rotates a key, shows the new one once, and leads from the old one to it', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const row = page
      .getByRole('row')
      .filter({ hasText: account.key.slice(0, 16) })
      .first();
    await page.getByText('1 of 10 active keys').waitFor();
    await page.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByLabel('The old key ends').selectOption('In 24 hours');
    await expectAccessibleInEveryLook(page, 'keys-rotate');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const raw = String(await page.getByText(/^svc_live_[0-9a-f]{48}$/).textContent());
    await expectAccessibleInEveryLook(page, 'keys-rotated');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    for (const as of [raw, account.key])
      expect((await service.call('GET', '/v1/devices', { as })).status).toBe(200);
    await service.app.deps.meter.flush();
    await page.reload();
    await page.getByText('127.0.0.0/24').first().waitFor();
    await page.getByText(/^Ends in 2[34] h$/).waitFor();
    await page.getByText('1 of 10 active keys').waitFor();
    const { keys } = (await service.call('GET', '/api/console/keys', { as: account.token })).body;
    const successor = keys.find(({ prefix }: { prefix: string }) => raw.startsWith(prefix));
    await page.getByRole('link', { name: `Replaced by ${successor.prefix}…` }).click();
    expect(await page.evaluate('location.hash')).toBe(`#${successor.id}`);
    expect(await page.evaluate("document.querySelector(':target').id")).toBe(successor.id);
    await expectAccessibleInEveryLook(page, 'keys-ending');
    // A key that was replaced can't be rotated again.
    await page
      .getByRole('row')
      .filter({ hasText: 'Ends in' })
      .getByRole('button', { name: /^Actions for / })
      .click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Rotate' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await row.count()).toBe(1);
    expectClean(window);
    await window.close();
  });

  it('renames a key and limits it to networks, and warns about the own address', async () => {
    const behind = await pagesService({ TRUST_PROXY: '127.0.0.1' });
    const account = await behind.signUp();
    const window = await openDashboard(behind, account, PAGE, {
      before: (page) => page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' }),
    });
    const { page } = window;
    const edit = async () => {
      await page.getByRole('button', { name: /^Actions for / }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await edit();
    await page.getByLabel('Name').fill('Gate');
    await page.getByLabel('Allowed networks').fill('198.51.100.0/24\n10/8');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('10/8 must be an IPv4 or IPv6 address', { exact: false }).first().waitFor();
    await expectAccessibleInEveryLook(page, 'keys-edit');
    await page.getByLabel('Allowed networks').fill('198.51.100.9/24\n2001:db8::/32');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Your own address, 203.0.113.7, is not in these networks.', { exact: false })
      .waitFor();
    await expectAccessibleInEveryLook(page, 'keys-locked-out');
    await page.getByRole('button', { name: 'Change the networks' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Gate');
    await page.getByLabel('Allowed networks').fill('198.51.100.9/24, 203.0.113.7');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Gate' });
    await row.getByText('2 networks').click();
    await row.getByText('203.0.113.7/32').waitFor();
    await expectAccessibleInEveryLook(page, 'keys-networks');
    expectClean(window, /status of 400/);
    await window.close();
    await behind.close();
  });
});
