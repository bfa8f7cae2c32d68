// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/identities/ console/src/phone/phone.tsx console/src/phone/parts/: sign-ins with a code one by one, and the relay attack in two browsers
import { parsePairingCode, Svc } from '@svc/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPolicy } from '../../../server/test/support/pairing.js';
import { expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { approve, numberOn, openDashboard, scanned } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/activity/pairings';
const CODE = { name: 'Sign-in code' };

describe('the pairing page', () => {
  it('shows a code and a number, and the person who typed it when a phone has approved', async () => {
    const account = await service.signUp({ plan: 'enterprise', companyName: 'Example & Söhne' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-empty');
    await page.getByRole('button', { name: 'Show a code' }).dblclick();
    await page.getByRole('img', CODE).waitFor();
    // The button was double-clicked, but only one session was created.
    const list = await service.call('GET', '/v1/proof-pairing/sessions', { session: account.token });
    expect(list.body.sessions).toHaveLength(1);
    await expectAccessibleInEveryLook(page, 'pairing-code');
    const did = await approve(service, account, await scanned(page), await numberOn(page));
    await page.getByText('has signed in on this computer').waitFor();
    await page.getByText('Ada <b>Lovelace</b> has signed in').locator('bdi').waitFor();
    await page.getByText(did).waitFor();
    // The page shows only the beginning of a token.
    expect(await page.locator('body').textContent()).not.toMatch(/eyJ[\w-]{20,}/);
    await page
      .getByRole('table', { name: 'Pairing sessions' })
      .getByRole('cell', { name: 'Signed in', exact: true })
      .waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-bound');
    expectClean(window);
    await window.close();
  });

  it('moves its code without moving anything else, and keeps the number', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    const boxes = () =>
      Promise.all(
        [
          page.getByRole('img', CODE),
          page.getByLabel('Type this number on the phone'),
          page.getByRole('table'),
        ].map((part) => part.boundingBox()),
      );
    const [before, code, number] = [await boxes(), await scanned(page), await numberOn(page)];
    const pathOf = () => page.getByRole('img', CODE).locator('path').getAttribute('d');
    const path = await pathOf();
    service.clock.advance(10_000);
    service.app.deps.bus.publish('pairing_session', code.split(':')[3] as string);
    await expect.poll(() => scanned(page)).not.toBe(code);
    expect(await boxes()).toEqual(before);
    expect(await numberOn(page)).toBe(number);
    expect(await pathOf()).not.toBe(path);
    expectClean(window);
    await window.close();
  });

  it('explains a declined sign-in and a wrong number, also in the list and its records', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const { pairing } = new Svc({ baseUrl: service.origin }).phone;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    const code = parsePairingCode(await scanned(page));
    const { scanTicket } = await pairing.context(code);
    await pairing.decline(code.sessionId, { reason: 'not_me', scanTicket });
    await page.getByRole('alert').getByText('it was not their sign-in').waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-declined');
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('img', CODE).waitFor();
    const wrong = (await numberOn(page)) === '00' ? '01' : '00';
    await expect(approve(service, account, await scanned(page), wrong)).rejects.toMatchObject({
      code: 'pairing_match_failed',
    });
    await page.getByRole('alert').getByText('a number that this page did not show').waitFor();

    await setPolicy(service, account, { same_device_only: true });
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByText('Your policy allows signing in only on the phone itself').waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-same-device-only');

    const rows = page.getByRole('table', { name: 'Pairing sessions' }).locator('tbody tr:has(td)');
    await expect
      .poll(() => rows.allInnerTexts())
      .toMatchObject([
        expect.stringMatching(/Required\s+Wrong number/),
        expect.stringMatching(/Required\s+Declined/),
      ]);
    await page.getByLabel('State').selectOption('declined');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').first().click();
    await page.locator('#record').getByText('said that this sign-in was not theirs').waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-record');
    expectClean(window, /status of 400/);
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
