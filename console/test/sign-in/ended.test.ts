// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneWindow } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook, type Window } from '../support/browser.js';
import {
  another,
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  openRegisteredPhone,
  press,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from './desk.js';

startSignInService();

let phone: PhoneWindow;
let window: Window;
beforeAll(async () => {
  phone = await openRegisteredPhone('Ada Lovelace');
  window = await openBrowser();
});
afterAll(async () => {
  await window.close();
  await phone.close();
});

const DENIED = { error: 'access_denied', description: 'The person cancelled the sign-in.' };

describe('a sign-in that is not approved', () => {
  it('shows that the person declined on the phone, and tells the application', async () => {
    const { page } = window;
    await application.start(page);
    await phone.scanned((await shownOn(page)).qrPayload);
    await press(phone.page, 'This was not me');
    await waitForHeading(page, 'Declined on the phone');
    await expectAccessibleInEveryLook(page, 'sign-in-declined');
    await press(page, 'Cancel');
    expect(await application.result(page)).toEqual(DENIED);
    expectCleanSignIn(window);
  });

  it('shows that the number was wrong, and offers a new code', async () => {
    const { page } = window;
    await application.start(page);
    const shown = await shownOn(page);
    await typeOnPhone(phone, { ...shown, matchCode: another(shown.matchCode) });
    await waitForHeading(page, 'Wrong number');
    await waitForHeading(phone.page, 'Wrong number');
    await expectAccessibleInEveryLook(page, 'sign-in-rejected');
    await press(page, 'Show a new code');
    const next = await shownOn(page);
    expect(next.id).not.toBe(shown.id);
    await typeOnPhone(phone, next);
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expectCleanSignIn(window);
    // The other tests of this file begin signed out.
    await window.context.clearCookies();
  });

  it('goes back to the application when the person cancels', async () => {
    const { page } = window;
    await application.start(page, { state: 'state-of-the-application' });
    await shownOn(page);
    await press(page, 'Cancel');
    expect(await application.result(page)).toEqual(DENIED);
    const back = new URL(page.url()).searchParams;
    expect(back.get('state')).toBe('state-of-the-application');
    expect(back.get('iss')).toBe(application.config.serverMetadata().issuer);
    // Back leads to the page before the sign-in, which is over.
    expect(await page.evaluate('history.length')).toBeGreaterThan(1);
    expectCleanSignIn(window);
  });

  it('offers a new code after one has expired', async () => {
    const { page } = window;
    await application.start(page);
    const shown = await shownOn(page);
    service.clock.advance(301_000);
    service.app.deps.bus.publish('pairing_session', shown.id);
    await waitForHeading(page, 'The code has expired');
    await expectAccessibleInEveryLook(page, 'sign-in-expired');
    await press(page, 'Show a new code');
    const next = await shownOn(page);
    expect(next.id).not.toBe(shown.id);
    await approveShown(page, await newPerson('Grace Hopper'));
    expect(await application.result(page)).toMatchObject({ name: 'Grace Hopper' });
    expectCleanSignIn(window);
    await window.context.clearCookies();
  });

  it('says that the sign-in is over when it was completed, also after going back', async () => {
    const { page } = window;
    await application.start(page);
    const address = page.url();
    await approveShown(page, await newPerson('Mary Jackson'));
    await application.result(page);
    await page.goto(address);
    await waitForHeading(page, 'This sign-in is over');
    await expectAccessibleInEveryLook(page, 'sign-in-over');
    expectCleanSignIn(window, /status of 404/);
    await window.context.clearCookies();
  });
});
