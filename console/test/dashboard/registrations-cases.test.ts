import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCeremony } from '../../../server/test/support/ceremony.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn, openDashboard, scanned, showAll, whileRefused } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const LIST = '/live/registrations';
const REFUSED = { error: 'service_unavailable', message: 'Not now.', requestId: 'req-1' };
/** No blank to break it at, and a mark that turns around what stands beside it. */
const LONG_NAME = `\u202Egnp.${'evil'.repeat(48)}`;

describe('registering a person', () => {
  it('is abandoned after a question, and offers a new one for the same person', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: 'Grace', team: 'Navy' } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page } = window;
    await page.getByText('shown only in the window that opened').waitFor();
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('button', { name: 'Abandon it' }).click();
    await page.getByText('It was abandoned').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-abandoned');
    // However slow the service is, it is pressed once; and what it was refused stays in sight.
    const list = /\/api\/console\/registrations\?/;
    await page.route(list, (route) => route.fulfill({ status: 503, json: REFUSED }));
    const another = page.getByRole('button', { name: 'Open a new one' });
    await another.click();
    await page.getByRole('alert').getByText(REFUSED.message).waitFor();
    await page.unroute(list);
    const opened = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await another.dblclick();
    await page.getByRole('img', { name: 'Code for the phone of Grace' }).waitFor();
    expect((await opened).status()).toBe(201);
    const { body } = await service.call('GET', '/api/console/registrations', { as: account.token });
    expect(body.registrations.map(({ state }: { state: string }) => state)).toEqual([
      'awaiting_device',
      'abandoned',
    ]);
    expect(body.registrations[0].profile).toEqual({ fullName: 'Grace', team: 'Navy' });
    expectClean(window, /status of 503/);
    await window.close();
  });

  it('offers a new code in place of one that ran out', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, LIST, {
      // The clock of this desk is wrong; what counts is the service's.
      before: (page) => page.clock.install({ time: Date.now() + 20 * 60_000 }),
    });
    const { page } = window;
    await page.getByRole('button', { name: 'Register a person' }).first().click();
    await page.getByLabel('Full name').fill('Alan');
    await page.getByRole('button', { name: 'Open the registration' }).click();
    await page.getByRole('img', { name: 'Code for the phone of Alan' }).waitFor();
    await page.getByText('Good for').waitFor();
    const first = await scanned(page);
    service.clock.advance(16 * 60_000);
    await page.clock.fastForward('16:00');
    await page.getByText('The code ran out').waitFor();
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'registration-ran-out');
    // It is one thing until it is done, though the old ceremony is seen to have ended in its middle.
    let release = () => {};
    const opening = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/console\/registrations\?/, async (route) => {
      if (route.request().method() === 'POST') await opening;
      await route.continue();
    });
    const another = page.getByRole('button', { name: 'Open a new one' });
    await another.click();
    await page.getByText('It was abandoned').waitFor();
    await another.press('Enter');
    release();
    await page.getByText('Good for 1').waitFor();
    expect(await scanned(page)).not.toBe(first);
    const { body } = await service.call('GET', '/api/console/registrations', { as: account.token });
    expect(body.registrations).toHaveLength(2);
    // Its end is not heard of while the service is not reached.
    await page.route(/\/api\/console\/registrations\//, (route) => route.abort());
    await page.clock.fastForward('31:00');
    await page.getByText('Its time is up').waitFor();
    await page.unroute(/\/api\/console\/registrations\//);
    service.clock.advance(31 * 60_000);
    await page.getByText('Its time ran out before the phone was done').waitFor();
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });

  it('says so while its state cannot be seen, and goes on when it can', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: LONG_NAME } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page, context } = window;
    await page.getByText('waits for the phone').waitFor();
    await context.setOffline(true);
    await page.getByText('What follows may be old').waitFor();
    await context.setOffline(false);
    await page.getByText('What follows may be old').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('dialog').locator('bdi', { hasText: LONG_NAME }).waitFor();
    await expectAccessibleInEveryLook(page, 'registration-long-name');
    expectClean(window, /ERR_INTERNET_DISCONNECTED/);
    await window.close();
  });

  it('leads to the login when the session ends in its middle, and from there back', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const ceremony = await openCeremony(service, account, { profile: { fullName: 'Mary' } });
    const window = await openDashboard(service, account, `${LIST}/${ceremony.id}`);
    const { page } = window;
    await page.getByRole('heading', { name: 'Mary' }).waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, account);
    await page.waitForURL(`**/dashboard${LIST}/${ceremony.id}`);
    await page.getByRole('heading', { name: 'Mary' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('of no such number says so, and leads back to the list', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, `${LIST}/019e1b2c-0000-7000-8000-000000000000`);
    const { page } = window;
    await page.getByRole('alert').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-unknown');
    await page.getByRole('link', { name: 'All registrations' }).click();
    await page.waitForURL(`**/dashboard${LIST}`);
    expectClean(window, /status of 404/);
    await window.close();
  });
});

describe('the list of registrations', () => {
  it('is where “All registrations” leads, in the environment of the registration', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const query = '/api/console/registrations?environment=test';
    const { body } = await service.call('POST', query, { as: account.token, body: {} });
    const window = await openDashboard(service, account, `/test/registrations/${body.session.id}`);
    const { page } = window;
    await page.getByText('waits for the phone').waitFor();
    await page.getByRole('link', { name: 'All registrations' }).click();
    await page.getByRole('table', { name: 'Registrations' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/test/registrations');
    expectClean(window);
    await window.close();
  });

  it('pages through sixty, filters by state, and shows what failed', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 60; at++)
      await openCeremony(service, account, { profile: { fullName: `Person ${at} <i>x</i>` } });
    const window = await openDashboard(service, account, LIST);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Registrations' }).locator('tbody tr');
    await rows.first().waitFor();
    await expectAccessibleInEveryLook(page, 'registrations-many');
    await showAll(page, rows);
    expect(await rows.count()).toBe(60);
    await page.getByText('60 shown, all there are').waitFor();
    await expectAccessible(page);
    await page.getByLabel('State').selectOption('completed');
    await page.getByRole('heading', { name: 'Nothing fits the filters' }).waitFor();
    await whileRefused(page, /\/api\/console\/registrations/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `registrations-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });
});
