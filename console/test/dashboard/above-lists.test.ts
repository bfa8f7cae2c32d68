// @module-tag if-touched @pages console/src/dashboard/home/ console/src/dashboard/verifications/ console/src/dashboard/nouns/outcomes/ console/src/dashboard/records/: the pictures above lists
import { afterAll, beforeAll, expect, it } from 'vitest';
import { completeCeremony, openCeremony, pair } from '../../../server/test/support/ceremony.js';
import { createHook, eventKey } from '../../../server/test/support/webhooks.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const HOUR_MS = 3_600_000;

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

it('shows who is in now above the attendance, and leads to each person’s', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  const post = async (path: string, body: object) =>
    (await service.call('POST', path, { as: account.key, body })).body;
  const window = await openDashboard(service, account, '/live/activity/attendance');
  const { page } = window;
  await page.getByText('Nothing yet').waitFor();
  const { user } = await post('/v1/users', { fullName: 'Ada Lovelace' });
  const occurredAt = new Date(service.clock.now() - HOUR_MS / 60).toISOString();
  await post('/v1/attendance', { userId: user.id, type: 'check_in', occurredAt });
  await page.clock.install();
  await page.reload();
  await page.getByRole('region', { name: 'In now' }).getByText('1', { exact: true }).waitFor();
  const table = page.getByRole('table', { name: 'When people were in today' });
  await table.getByRole('cell', { name: /^since / }).waitFor();
  await expectAccessibleInEveryLook(page, 'attendance-picture');
  // Figures that could not be refreshed stay, with their age.
  await page.route(/\/v1\/attendance\/presence/, (route) => route.abort());
  await page.clock.runFor(60_000);
  await page.getByText('These figures could not be refreshed').waitFor();
  await page.getByRole('region', { name: 'In now' }).getByText('1', { exact: true }).waitFor();
  await expectAccessibleInEveryLook(page, 'attendance-picture-old');
  await page.unroute(/\/v1\/attendance\/presence/);
  await page.clock.runFor(60_000);
  await page.getByText('These figures could not be refreshed').waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Remove the filter Person' }).waitFor();
  expect(await table.count()).toBe(0);
  expectClean(window, /net::ERR_FAILED/);
  await window.close();
});

it('shows how far registrations came above them', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  await pair(service, await openCeremony(service, account));
  await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
  const window = await openDashboard(service, account, '/live/people/registrations');
  const { page } = window;
  const table = page.getByRole('table', { name: 'How far registrations came, last 30 days' });
  await table.waitFor();
  expect(await table.getByRole('cell').allInnerTexts()).toEqual(['2', '2', '1', '1']);
  await expectAccessibleInEveryLook(page, 'registrations-picture');
  expectClean(window);
  await window.close();
});

it('shows thirty days of deliveries above them', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  const { id } = await createHook(service, await eventKey(service, account), {
    url: 'https://hooks.example.com/',
  });
  const window = await openDashboard(service, account, `/live/developers/webhooks/${id}`);
  const { page } = window;
  const table = page.getByRole('table', { name: 'Attempts by day, last 30 days (UTC)' });
  await table.waitFor({ state: 'attached' });
  expect(await table.getByRole('row').count()).toBe(31);
  await expectAccessibleInEveryLook(page, 'webhook-strip');
  expectClean(window);
  await window.close();
});
