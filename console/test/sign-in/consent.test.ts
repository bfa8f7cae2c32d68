// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { beforeAll, expect, it } from 'vitest';
import type { Person } from '../../../server/test/support/phone.js';
import { expectAccessibleInEveryLook } from '../support/browser.js';
import {
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  press,
  shownOn,
  startSignInService,
  waitForHeading,
} from './desk.js';

startSignInService();

const ASKING = { scope: 'openid profile email offline_access', prompt: 'consent' };
let ada: Person;
beforeAll(async () => {
  ada = await newPerson('Ada Lovelace');
});

it('an application that asks for consent shows what it gets, and the person decides without a phone', async () => {
  const window = await openBrowser();
  const { page } = window;
  await application.start(page);
  await shownOn(page);
  await approveShown(page, ada);
  await application.result(page);
  await application.start(page, ASKING);
  await waitForHeading(page, 'Continue to Time tracking?');
  expect(await page.getByRole('listitem').allTextContents()).toEqual([
    'Who you are',
    'Your name',
    'Your e-mail address',
    'Access for up to 14 days without asking again',
  ]);
  await expectAccessibleInEveryLook(page, 'sign-in-consent');
  await press(page, 'Cancel');
  expect(await application.result(page)).toMatchObject({ error: 'access_denied' });
  await application.start(page, ASKING);
  await press(page, 'Continue');
  expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
  expectCleanSignIn(window);
  await window.close();
});
