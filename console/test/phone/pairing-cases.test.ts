import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPairing } from '../../../server/test/support/pairing.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { approve, logIn, openDashboard, scanned, showAll, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/pairing';
const CODE = { name: 'Code to sign in with' };

describe('the pairing page', () => {
  it('dims its code while the stream is disconnected, and uses it again after reconnecting', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    const code = await scanned(page);
    await page.route(/\/api\/console\/pairing\//, (route) => route.abort());
    service.app.http.server.closeAllConnections();
    await page.getByText('Do not scan this code until').waitFor();
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'pairing-lost');
    await page.unroute(/\/api\/console\/pairing\//);
    await page.getByText('Do not scan this code until').waitFor({ state: 'detached' });
    expect(await scanned(page)).toBe(code);
    await approve(service, account, account.key, code);
    await page.getByText('has signed in to this desktop').waitFor();
    expectClean(window, /net::ERR_/);
    await window.close();
  });

  it('redirects to the login when the session ends during the wait, and returns after login', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, account);
    await page.waitForURL(`**/dashboard${PAGE}`);
    await page.getByRole('button', { name: 'Show a code' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('lists 60 sessions and shows errors', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 60; at++) await openPairing(service, account.key);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Pairing sessions' }).locator('tbody tr');
    await rows.first().waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-many');
    await showAll(page, rows);
    expect(await rows.count()).toBe(60);
    await expectAccessible(page);
    await whileFailing(page, /\/api\/console\/pairing/, async (how) => {
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Show a code' }).click();
      await page.getByRole('alert').nth(1).waitFor();
      await expectAccessibleInEveryLook(page, `pairing-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });
});
