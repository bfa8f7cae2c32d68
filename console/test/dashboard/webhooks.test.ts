// @module-tag if-touched @pages console/src/dashboard/webhooks/ console/src/dashboard/events/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hook, LOOPBACK, pauseAll, startHook } from '../../../server/test/support/webhooks.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let hook: Hook;
beforeAll(async () => {
  service = await pagesService(LOOPBACK);
  hook = await startHook();
});
afterAll(async () => {
  await pauseAll(service);
  await Promise.all([service.close(), hook.stop()]);
});

describe('the page of webhooks', () => {
  it('adds a webhook for chosen events, shows its secret once, and sends a test event', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/developers/webhooks');
    const { page, context } = window;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Read the documentation' }).getAttribute('href')).toBe(
      '/docs/webhooks',
    );
    await expectAccessibleInEveryLook(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Add a webhook' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://user@127.0.0.1/');
    await page.getByRole('radio', { name: 'Chosen events' }).check();
    const add = page.getByRole('button', { name: 'Add the webhook' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Identities' }).check();
    await page.getByRole('button', { name: 'types of People' }).click();
    await page.getByRole('checkbox', { name: 'user.updated' }).check();
    await page.getByText('Sends identity.*, user.updated').waitFor();
    await page.getByLabel('Outcome').selectOption({ label: 'Successes and failures' });
    await page.getByLabel('Description').fill('<b>Main</b> gate');
    await add.click();
    await page.getByText('URL must not contain a user name or password.').waitFor();
    await expectAccessibleInEveryLook(page, 'webhooks-new');
    await page.getByRole('textbox', { name: 'URL' }).fill(hook.url);
    await add.click();
    const shown = page.getByText(/^whsec_[\w+/]{42,}=$/);
    const secret = String(await shown.textContent());
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText(/^The test event was delivered: 127\.0\.0\.1:\d+ responded with 204/).waitFor();
    expect(hook.types()).toEqual(['webhook.test']);
    await expectAccessibleInEveryLook(page, 'webhooks-added');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.getByText('<b>Main</b> gate').waitFor();
    expect(await page.content()).not.toContain(secret);
    const { webhooks } = (await service.call('GET', '/v1/webhooks', { session: account.token })).body;
    expect(webhooks).toMatchObject([
      {
        url: hook.url,
        events: ['identity.*', 'user.updated'],
        outcome: 'any',
        ordered: false,
        description: '<b>Main</b> gate',
      },
    ]);
    expectClean(window, /status of 400/);
    await window.close();
  });
});
