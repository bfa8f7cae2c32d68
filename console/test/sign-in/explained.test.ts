// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: one record of the dashboard in detail
import { describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { openDashboard } from '../support/signed-in.js';
import {
  account,
  another,
  application,
  openBrowser,
  openRegisteredPhone,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from './desk.js';

startSignInService();

describe('a sign-in that failed', () => {
  it('is explained in the dashboard: why, what to do, who, where and for which application [proofs/reasons-of-failures]', async () => {
    const [phone, browser] = [await openRegisteredPhone('Ada Lovelace'), await openBrowser()];
    await application.start(browser.page);
    const shown = await shownOn(browser.page);
    await typeOnPhone(phone, { ...shown, matchCode: another(shown.matchCode) });
    await waitForHeading(browser.page, 'Wrong number');

    const window = await openDashboard(service, account, '/live/activity/verifications');
    const { page } = window;
    const record = page.locator('#record');
    const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
    await row.getByText('Wrong number', { exact: true }).waitFor();
    await row.getByRole('link').first().click();
    await record.getByText('The number typed on the phone was not the one on the screen.').waitFor();
    await record.getByText(/^Ask the person to start again and to type the number/).waitFor();
    const entries = record.getByRole('list', { name: 'Audit entries' }).getByRole('listitem');
    await expect.poll(() => entries.count()).toBe(2);
    await expectAccessibleInEveryLook(page, 'failed-verification');

    const entry = 'Ada Lovelace typed a wrong number, which ended the sign-in';
    for (const name of ['Ada Lovelace', 'Time tracking', 'Wrong number', entry]) {
      await record.getByRole('link', { name, exact: true }).first().click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      if (name !== entry) await page.goBack();
    }
    // The entry has the words too, and a link back.
    await record.getByText('The number typed on the phone was not the one on the screen.').waitFor();
    await record.getByRole('link', { name: 'Show it' }).waitFor();

    expectClean(window);
    for (const opened of [window, browser, phone]) await opened.close();
  });
});
