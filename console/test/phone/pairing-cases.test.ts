// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/scan/ console/src/phone/phone.tsx console/src/phone/parts/: rare cases of what the quick suite does once
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPairing } from '../../../server/test/support/pairing.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { approve, numberOn, openDashboard, scanned, showAll, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/activity/pairings';
const CODE = { name: 'Sign-in code' };

describe('the pairing page', () => {
  it('dims its code while the stream is disconnected, and uses it again after reconnecting', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    const sessionOf = async () => (await scanned(page)).split(':')[3];
    const session = await sessionOf();
    await page.route(/\/v1\/proof-pairing\/sessions\//, (route) => route.abort());
    service.app.http.server.closeAllConnections();
    await page.getByText('Do not scan this code until').waitFor();
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'pairing-lost');
    await page.unroute(/\/v1\/proof-pairing\/sessions\//);
    await page.getByText('Do not scan this code until').waitFor({ state: 'detached' });
    expect(await sessionOf()).toBe(session);
    await approve(service, account, await scanned(page), await numberOn(page));
    await page.getByText('has signed in on this computer').waitFor();
    expectClean(window, /net::ERR_/);
    await window.close();
  });

  it('asks for the password when the session ends during the wait, and then shows a new code', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.getByText('Your session has ended').waitFor();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(account.password);
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('img', CODE).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('lists 60 sessions and shows errors', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 60; at++) await openPairing(service, account.key);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Pairing sessions' }).locator('tbody tr:has(td)');
    await rows.first().waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-many');
    await showAll(page);
    expect(await rows.count()).toBe(60);
    await expectAccessible(page);
    await whileFailing(page, /\/v1\/proof-pairing\/sessions/, async (how) => {
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Show a code' }).click();
      await page.getByRole('alert').nth(1).waitFor();
      await expectAccessibleInEveryLook(page, `pairing-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });
});
