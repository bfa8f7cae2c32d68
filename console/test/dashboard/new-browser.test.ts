// @module-tag if-touched @pages console/src/dashboard/login/ console/src/dashboard/session.tsx console/src/dashboard/shell/: one page of the dashboard in detail
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { openPairing, setPolicy } from '../../../server/test/support/pairing.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp();
});
afterAll(() => service.close());

it('shows in words that a session waits for the phone beside its browser [browsers/proved-and-waiting]', async () => {
  const { id } = await openPairing(service, account.key);
  // Only the hosted page reaches this state, with a proof of a browser that is new.
  await service.db.query(sql`update proof_pairing_sessions set state = 'proved' where id = ${id}`);
  const window = await openDashboard(service, account, `/live/activity/pairings/${id}`);
  const { page } = window;
  const record = page.locator('#record');
  await record.getByRole('heading', { name: 'Waiting for the phone beside the browser' }).waitFor();
  await record.getByText('The session signs nobody in until the phone is beside that browser.').waitFor();
  await record.getByText('Expires', { exact: true }).waitFor();
  await expectAccessibleInEveryLook(page, 'pairing-proved');
  expect(await record.textContent()).not.toContain('proved');
  expectClean(window);
  await window.close();
});

it('explains why the trial code can’t sign anybody in when the phone must be beside the browser [new_browser_refused]', async () => {
  await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
  const window = await openDashboard(service, account, '/live/activity/pairings');
  const { page } = window;
  await page.getByRole('button', { name: 'Show a code' }).click();
  await page.getByText('Your policy asks for the phone beside a new browser').waitFor();
  await expectAccessibleInEveryLook(page, 'pairing-new-browser');
  await page.getByRole('main').getByRole('link', { name: 'Policy' }).click();
  await page.getByRole('radio', { name: 'The phone beside it' }).waitFor();
  expectClean(window, /status of 403/);
  await window.close();
});
