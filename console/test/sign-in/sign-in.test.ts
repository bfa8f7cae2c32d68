// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneWindow } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import {
  application,
  expectCleanSignIn,
  openBrowser,
  openRegisteredPhone,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from './desk.js';

startSignInService();

let phone: PhoneWindow;
beforeAll(async () => {
  phone = await openRegisteredPhone('Ada Lovelace');
});
afterAll(() => phone.close());

describe('signing in to an application', () => {
  it('takes a scan, a number and an approval on the phone, and brings the browser back with a code', async () => {
    const window = await openBrowser();
    const { page } = window;
    await application.start(page);
    await waitForHeading(page, 'Sign in to Time tracking');
    await page.getByText(`You will return to ${application.host}`).waitFor();
    await page.getByText('Northwind Traders').waitFor();
    const shown = await shownOn(page);
    expect(shown.qrPayload).toMatch(/^za:pair:2:/);
    expect(shown.matchCode).toMatch(/^\d\d$/);
    expect(await page.getByLabel('Your number').textContent()).toBe(shown.matchCode);
    await expectAccessibleInEveryLook(page, 'sign-in-waiting');

    await phone.scanned(shown.qrPayload);
    await waitForHeading(phone.page, 'Approve this sign-in?');
    for (const name of ['Northwind Traders', 'Time tracking', application.host])
      await phone.page.getByText(name).first().waitFor();
    await typeOnPhone(phone, shown);
    await waitForHeading(phone.page, 'Signed in');
    expect(await application.result(page)).toEqual({
      sub: expect.any(String),
      acr: 'urn:svc:zkp',
      name: 'Ada Lovelace',
    });
    expectCleanSignIn(window);
    expectClean(phone);
    await window.close();
  });

  it('moves the code every ten seconds, and keeps the number', async () => {
    const window = await openBrowser();
    const { page } = window;
    await application.start(page);
    const before = await shownOn(page);
    service.clock.advance(10_000);
    service.app.deps.bus.publish('pairing_session', before.id);
    await expect.poll(async () => (await shownOn(page)).qrPayload).not.toBe(before.qrPayload);
    const { id, matchCode } = await shownOn(page);
    expect({ id, matchCode }).toEqual({ id: before.id, matchCode: before.matchCode });
    expectCleanSignIn(window);
    await window.close();
  });

  it('shows whose page it is before its script has arrived, and nothing of that afterwards', async () => {
    const window = await openBrowser();
    const { page } = window;
    let goOn: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    const starting = application.start(page);
    await page.getByText('Identity', { exact: true }).waitFor();
    goOn?.();
    await starting;
    await waitForHeading(page, 'Sign in to Time tracking');
    expect(await page.locator('#loading').count()).toBe(0);
    expectCleanSignIn(window);
    await window.close();
  });
});
