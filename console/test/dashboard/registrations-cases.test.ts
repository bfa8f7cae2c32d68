// @module-tag if-touched @pages console/src/dashboard/registrations/: rare cases of what the quick suite does once
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCeremony } from '../../../server/test/support/ceremony.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, scanned, showAll, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const LIST = '/live/people/registrations';
const FAILURE = { error: 'service_unavailable', message: 'Not now.', requestId: 'req-1' };
/** A name without a space to wrap at, and with a mark that reverses the text around it. */
const LONG_NAME = `\u202Egnp.${'evil'.repeat(48)}`;

describe('registering a person', () => {
  it('is abandoned after confirmation, and offers a new one for the same person', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: 'Grace', team: 'Navy' } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page } = window;
    await page.getByText('shown only in the window that started').waitFor();
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('button', { name: 'Abandon it' }).click();
    const ended = page.getByText(/ abandoned the registration of Grace\.$/);
    await ended.waitFor();
    await page.getByText('Nobody was registered. Start a new registration').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-abandoned');
    // The error stays visible, and a double click sends one request.
    const list = /\/v1\/registrations\?/;
    await page.route(list, (route) => route.fulfill({ status: 503, json: FAILURE }));
    const another = page.getByRole('button', { name: 'Start a new one' });
    await another.click();
    await page.getByRole('alert').getByText(FAILURE.message).waitFor();
    await page.unroute(list);
    const opened = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await another.dblclick();
    await page.getByRole('img', { name: 'Code for the phone of Grace' }).waitFor();
    expect((await opened).status()).toBe(201);
    const { body } = await service.call('GET', '/v1/registrations', { as: account.key });
    expect(body.registrations.map(({ state }: { state: string }) => state)).toEqual([
      'awaiting_device',
      'abandoned',
    ]);
    expect(body.registrations[0].profile).toEqual({ fullName: 'Grace', team: 'Navy' });
    expectClean(window, /status of 503/);
    await window.close();
  });

  it('offers a new code when the first one has expired', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, LIST, {
      // The clock of this desk is wrong. The page uses the service's clock.
      before: (page) => page.clock.install({ time: Date.now() + 20 * 60_000 }),
    });
    const { page } = window;
    await page.getByRole('button', { name: 'Register a person' }).first().click();
    await page.getByLabel('Full name').fill('Alan');
    await page.getByRole('button', { name: 'Start registration' }).click();
    await page.getByRole('img', { name: 'Code for the phone of Alan' }).waitFor();
    await page.getByText('Expires in').waitFor();
    const first = await scanned(page);
    service.clock.advance(16 * 60_000);
    await page.clock.fastForward('16:00');
    await page.getByText('The code expired').waitFor();
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'registration-expired');
    // The button stays busy until the request is done, even though the page sees the old registration end in between.
    let release = () => {};
    const opening = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/v1\/registrations\?/, async (route) => {
      if (route.request().method() === 'POST') await opening;
      await route.continue();
    });
    const another = page.getByRole('button', { name: 'Start a new one' });
    await another.click();
    await page.getByText('Nobody was registered. Start a new registration').waitFor();
    await another.press('Enter');
    release();
    await page.getByText('Expires in 1').waitFor();
    expect(await scanned(page)).not.toBe(first);
    const { body } = await service.call('GET', '/v1/registrations', { as: account.key });
    expect(body.registrations).toHaveLength(2);
    // The page can't see the registration's end while the service is unreachable.
    await page.route(/\/v1\/registrations\//, (route) => route.abort());
    await page.clock.fastForward('31:00');
    await page.getByText('The time is up').waitFor();
    await page.unroute(/\/v1\/registrations\//);
    service.clock.advance(31 * 60_000);
    await page.getByText('The time was up before a phone scanned the code.').waitFor();
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });

  it('shows when its state is out of date, and resumes', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: LONG_NAME } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page, context } = window;
    await page.getByText('Waiting for the phone').waitFor();
    await context.setOffline(true);
    await page.getByText('This may be out of date').waitFor();
    await context.setOffline(false);
    await page.getByText('This may be out of date').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('dialog').locator('bdi', { hasText: LONG_NAME }).waitFor();
    await expectAccessibleInEveryLook(page, 'registration-long-name');
    expectClean(window, /ERR_INTERNET_DISCONNECTED/);
    await window.close();
  });

  it('asks for the password over the page when the session ends, and continues', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: 'Mary' } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page } = window;
    await page.getByRole('heading', { name: 'Mary' }).waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.getByText('Your session has ended').waitFor();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(account.password);
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Mary' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('says that it does not exist for an unknown ID, with a link to the list', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, `${LIST}/019e1b2c-0000-7000-8000-000000000000`);
    const { page } = window;
    await page.getByText('This live registration does not exist.').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-unknown');
    await page.getByRole('link', { name: 'All registrations' }).click();
    await page.waitForURL(`**/dashboard${LIST}`);
    expectClean(window, /status of 404/);
    await window.close();
  });
});

describe('the list of registrations', () => {
  it('opens from “All registrations” in the environment of the registration', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const query = '/v1/registrations?environment=test';
    const { body } = await service.call('POST', query, { session: account.token, body: {} });
    const window = await openDashboard(service, account, `/test/people/registrations/${body.session.id}`);
    const { page } = window;
    await page.getByText('Waiting for the phone').waitFor();
    await page.getByRole('link', { name: 'All registrations' }).click();
    await page.getByRole('table', { name: 'Registrations', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/test/people/registrations');
    expectClean(window);
    await window.close();
  });

  it('pages through 60 registrations, filters by state, and shows errors', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 60; at++)
      await openCeremony(service, account, { profile: { fullName: `Person ${at} <i>x</i>` } });
    const window = await openDashboard(service, account, LIST);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Registrations', exact: true }).locator('tbody tr:has(td)');
    await rows.first().waitFor();
    await expectAccessibleInEveryLook(page, 'registrations-many');
    await showAll(page);
    expect(await rows.count()).toBe(60);
    await page.getByText('Showing 60 of 60').waitFor();
    await expectAccessible(page);
    await page.getByLabel('State').selectOption('completed');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await whileFailing(page, /\/v1\/registrations/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `registrations-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });
});
