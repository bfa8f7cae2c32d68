import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { approve, openDashboard, scanned } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/pairing';
const CODE = { name: 'Code to sign in with' };

/** Links a phone on the page and returns the link with its key. */
async function linkPhone(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Link a phone' }).click();
  await page.getByLabel('Whose phone').fill('Phone of <i>Ada</i>');
  await expectAccessibleInEveryLook(page, 'pairing-link');
  await page.getByRole('button', { name: 'Create the code' }).dblclick();
  await page.getByRole('img', { name: 'Code that links a phone' }).waitFor();
  await expectAccessibleInEveryLook(page, 'pairing-linked');
  const link = page.getByRole('link', { name: 'Open in this browser' });
  const href = (await link.getAttribute('href')) as string;
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByText('svc_live_').count()).toBe(0);
  return href;
}

describe('the pairing page', () => {
  it('links a phone with a key of one scope, and signs a desktop in with it', async () => {
    const account = await service.signUp({ plan: 'enterprise', companyName: 'Example & Söhne' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-empty');
    const href = await linkPhone(page);
    const [, key] = /^\/phone\/#link=(svc_live_[0-9a-f]{48})&tenant=/.exec(href) as unknown as string[];
    expect(href).toBe(
      `/phone/#link=${key}&tenant=${account.tenantId}&name=${encodeURIComponent('Example & Söhne')}`,
    );
    const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
    // Both buttons were double-clicked, but only one key and one session were created.
    expect(body.keys.filter(({ name }: { name: string }) => name === 'Phone of <i>Ada</i>')).toEqual([
      expect.objectContaining({ scopes: ['proof_pairing:claim'] }),
    ]);

    await page.getByRole('button', { name: 'Show a code' }).dblclick();
    await page.getByRole('img', CODE).waitFor();
    const list = await service.call('GET', '/api/console/pairing', { as: account.token });
    expect(list.body.sessions).toHaveLength(1);
    await expectAccessibleInEveryLook(page, 'pairing-code');
    const did = await approve(service, account, key as string, await scanned(page));
    await page.getByText('has signed in to this desktop').waitFor();
    await page.getByText('Ada <b>Lovelace</b> has signed in').locator('bdi').waitFor();
    await page.getByText(did).waitFor();
    // The page shows only the beginning of a token.
    expect(await page.locator('body').textContent()).not.toMatch(/eyJ[\w-]{20,}/);
    await page
      .getByRole('table', { name: 'Pairing sessions' })
      .getByText('signed in', { exact: true })
      .waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-bound');
    expectClean(window);
    await window.close();
  });

  it('replaces an expired code automatically until it is stopped', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE, { before: (page) => page.clock.install() });
    const { page } = window;
    const watched = page.waitForResponse(/\/stream\?/);
    await page.getByRole('button', { name: 'Show a code' }).click();
    await watched;
    await page.getByRole('img', CODE).waitFor();
    const first = await scanned(page);
    // By this browser's clock, the code expires before the service says so.
    await page.clock.setSystemTime(Date.now() + 301_000);
    await page.getByText('The code has expired. Requesting a new one.').waitFor();
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    service.clock.advance(301_000);
    await page.getByText('This is a new code').waitFor();
    expect(await scanned(page)).not.toBe(first);
    await picture(page, 'pairing-renewed');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Show a code' }).waitFor();
    await page.getByRole('table', { name: 'Pairing sessions' }).getByText('expired').waitFor();
    expectClean(window);
    await window.close();
  });
});
