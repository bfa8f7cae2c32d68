// @module-tag if-touched @pages console/src/dashboard/activity/ console/src/dashboard/nouns/happenings/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { HOSTILE_NAMES } from '../support/records.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, whileFailing } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
let userId: string;
let deviceId: string;
const PAGE = '/live/activity';

const post = async (path: string, body: object) =>
  (await service.call('POST', path, { as: account.key, body })).body;

/** Of each hostile name: a verification, a failed one, a check-in and a pairing. Then 40 check-outs. */
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
  for (const fullName of HOSTILE_NAMES) {
    const { user } = await post('/v1/users', { fullName });
    userId = user.id;
    service.clock.advance(60_000);
    await post('/v1/verifications', { userId, method: 'face', result: 'pass' });
    service.clock.advance(60_000);
    await post('/v1/verifications', { userId, method: 'manual', result: 'fail', reason: 'Other person' });
    service.clock.advance(60_000);
    await post('/v1/attendance', { userId, type: 'check_in' });
    service.clock.advance(60_000);
    await post('/v1/proof-pairing/sessions', { context: { application: 'Northwind' } });
  }
  service.clock.advance(60_000);
  deviceId = (await post('/v1/devices', { name: 'Turnstile' })).device.id;
  await post('/v1/attendance', { userId, deviceId, type: 'check_out' });
  for (let at = 1; at < 40; at++) await post('/v1/attendance', { userId, type: 'check_out' });
});
afterAll(() => service.close());

describe('the activity', () => {
  it('shows verifications, pairings, attendance and approvals as one stream, and each leads to its record', async () => {
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(30);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await expect.poll(() => rows.count()).toBe(40 + 4 * HOSTILE_NAMES.length);
    const times = await rows
      .locator('time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    expect(times).toEqual(times.toSorted().toReversed());
    await expectAccessibleInEveryLook(page, 'activity');
    await rows.filter({ hasText: 'A sign-in to Northwind' }).first().waitFor();
    await rows.filter({ hasText: 'Other person' }).first().getByRole('link').click();
    await page.waitForURL('**/live/activity/verifications/*');
    expectClean(window);
    await window.close();
  });

  it('is filtered by kind, outcome, person and day, and keeps the filters in the address', async () => {
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await rows.first().waitFor();
    await page.getByLabel('Outcome').selectOption('failed');
    const failed = rows.filter({ hasText: 'Other person' });
    await expect.poll(() => failed.count()).toBe(HOSTILE_NAMES.length);
    expect(await rows.filter({ hasText: 'checked' }).count()).toBe(0);
    await page.getByLabel('Kind').selectOption('attendance');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await expectAccessibleInEveryLook(page, 'activity-none');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await rows.first().waitFor();
    await page.goto(`/dashboard${PAGE}?userId=${userId}&outcome=failed`);
    await page.getByRole('button', { name: 'Remove the filter Person' }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`/dashboard${PAGE}?deviceId=${deviceId}`);
    await page.getByRole('button', { name: 'Remove the filter Device' }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.filter({ hasText: 'Turnstile' }).waitFor();
    await page.goto(`/dashboard${PAGE}?to=2020-01-01`);
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('says at which device somebody signed in, or did not', async () => {
    const signInAt = async (result: string) => {
      const at = { userId, deviceId, method: 'zkp', metadata: { pairingSessionId: crypto.randomUUID() } };
      await post('/v1/verifications', { ...at, result });
    };
    service.clock.advance(60_000);
    await signInAt('pass');
    await signInAt('fail');
    const window = await openDashboard(service, account, `${PAGE}?deviceId=${deviceId}&kind=verification`);
    const rows = window.page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await rows.filter({ hasText: /^(?!A sign-in).* signed in at Turnstile/ }).waitFor();
    await rows.filter({ hasText: /A sign-in of .* at Turnstile failed/ }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('says why it is empty or could not be loaded', async () => {
    const window = await openDashboard(service, account, '/test/activity');
    const { page } = window;
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    await whileFailing(page, /\/v1\/activity/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `activity-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });
});
