import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { openPage } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn, logOut, openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the dashboard', () => {
  it('signs up, shows the first key once, and returns to the requested page after login', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/signup');
    await page.getByLabel('Company').fill('Example AG');
    await page.getByLabel('E-mail').fill('pages@example.com');
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await page.getByRole('button', { name: 'Create the account' }).click();
    const key = page.getByText(/^svc_live_[0-9a-f]{48}$/);
    await key.waitFor();
    const test = page.getByRole('region', { name: 'Test key' });
    await test.getByText(/^svc_test_[0-9a-f]{48}$/).waitFor();
    await test.getByRole('button', { name: 'Copy the test key' }).waitFor();
    await expectAccessibleInEveryLook(page, 'first-keys');
    await page.getByRole('button', { name: 'I have stored them: continue' }).click();
    await page.goto('/dashboard/developers/keys');
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await expectAccessibleInEveryLook(page, 'keys');
    await page.getByText('2 of 10 active keys').waitFor();
    await expect(page.getByText(/svc_(live|test)_[0-9a-f]{48}/).count()).resolves.toBe(0);
    await logOut(page, 'Log out everywhere');
    await page.goto('/dashboard/developers/keys');
    await page.getByText('Log in to open the page you requested.').waitFor();
    await expectAccessibleInEveryLook(page, 'login');
    await page.getByLabel('E-mail').fill('pages@example.com');
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('finds people, devices, pages and actions, with the keyboard alone', { tags: ['ci'] }, async () => {
    const account = await service.signUp();
    const key = await service.createKey(account, 'test', ['users:write', 'devices:write']);
    const post = (path: string, body: object) => service.call('POST', path, { as: key, body });
    const { body: added } = await post('/v1/users', { fullName: 'Grace Hopper', email: 'grace@example.com' });
    await post('/v1/devices', { name: 'Great gate' });
    const window = await openDashboard(service, account, '/test/people');
    const { page } = window;
    await page.getByRole('table', { name: 'People' }).waitFor();
    await page.keyboard.press('Control+k');
    const list = page.getByRole('listbox');
    await list.waitFor();
    await page.keyboard.type('gr');
    await list.getByRole('option', { name: 'Great gate' }).waitFor();
    await expectAccessibleInEveryLook(page, 'find');
    await list.getByRole('option', { name: 'Grace Hopper' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/test/people/${added.user.id}`);
    await page.keyboard.press('Control+k');
    await list.waitFor();
    await page.keyboard.type('audit');
    await expect(list.getByRole('option').allInnerTexts()).resolves.toEqual(['Audit log']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/trust/audit');
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Find a person, device or page' }).click();
    await page.keyboard.type('nothing of that name');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Find a person, device or page' }).click();
    await page.keyboard.type('new key');
    await expect(list.getByRole('option').allInnerTexts()).resolves.toEqual(['Create an API key']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developers/keys');
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await list.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Grace Hopper' }).waitFor();
    await page.keyboard.type('switch');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/live/home');
    // Back on a page, the form that a link opened stays closed.
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(await form.count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('log out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('shows the live key only if the test key could not be created, and is logged in to the new account once', {
    tags: ['ci'],
  }, async () => {
    const window = await openDashboard(service, await service.signUp({ companyName: 'Acme' }), '/live/home');
    const { page } = window;
    await page.route('**/api/console/keys', (route) => route.abort());
    await page.goto('/dashboard/signup');
    await page.getByLabel('Company').fill('Bolt');
    await page.getByLabel('E-mail').fill('bolt@example.com');
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    await expectAccessibleInEveryLook(page, 'first-key-only');
    await page.unroute('**/api/console/keys');
    await page.getByRole('button', { name: 'I have stored it: continue' }).click();
    await page.getByRole('button', { name: 'Account Bolt' }).waitFor();
    await page.goto('/dashboard/settings/security');
    const logIns = page.getByRole('list', { name: 'Log-ins' }).getByRole('listitem');
    await logIns.first().waitFor();
    expect(await logIns.count()).toBe(1);
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });

  it('shows its frame where it stays, before any script runs', { tags: ['ci'] }, async () => {
    const window = await openDashboard(service, await service.signUp(), '/live/people');
    const { page } = window;
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const places = async (...found: string[]) =>
        Promise.all(found.map((selector) => page.locator(selector).first().boundingBox()));
      await page.unroute(/\.js$/);
      await page.reload();
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
      const shown = await places('header button[aria-haspopup=dialog]', 'main', 'aside nav a');
      await page.route(/\.js$/, (route) => route.abort());
      await page.reload();
      await page.locator('#skeleton').waitFor();
      const before = await places('#skeleton .bar i', '#skeleton .rest', '#skeleton .side span');
      for (const [at, place] of shown.entries())
        for (const side of ['x', 'y', 'width'] as const)
          if (place && before[at])
            expect([width, at, side, Math.abs(place[side] - before[at][side]) <= 1]).toEqual([
              width,
              at,
              side,
              true,
            ]);
    }
    expectClean(window, /ERR_FAILED/);
    await window.close();
  });

  it('switches all tabs to the account that the browser is logged in to', { tags: ['ci'] }, async () => {
    const [acme, bolt] = [
      await service.signUp({ companyName: 'Acme' }),
      await service.signUp({ companyName: 'Bolt' }),
    ];
    const window = await openDashboard(service, acme, '/developers/keys');
    const { page, context } = window;
    await page.getByText('Acme').waitFor();
    const other = await context.newPage();
    await other.goto('/dashboard/login');
    await logIn(other, bolt);
    await page.getByText('Bolt').waitFor();
    expect(await page.getByText('Acme').count()).toBe(0);
    // A suspended tab that missed the message checks when it becomes visible again.
    const { email, password } = acme;
    await page.evaluate(
      (body) =>
        fetch('/api/console/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      JSON.stringify({ email, password }),
    );
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByText('Acme').waitFor();
    await other.reload();
    await logOut(other, 'Log out');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('reloads the code of a page after a failure, and moves the focus to each new page', {
    tags: ['ci'],
  }, async () => {
    const window = await openDashboard(service, await service.signUp(), '/live/home');
    const { page } = window;
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.evaluate('window.isSameDocument = true');
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.tagName');
    const open = (name: string) => openPage(page, name);
    const opened = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    const code = /\/assets\/(devices|audit|attendance)-[^/]*\.(js|css)/;
    expect(await focused()).toBe('BODY');
    const ahead = page.waitForRequest(/\/assets\/profile-[^/]*\.js/);
    await page.getByRole('link', { name: 'Settings' }).hover();
    await ahead;

    // Once, because the page retries automatically.
    await page.route(/\/assets\/users-[^/]*\.js/, (route) => route.abort(), { times: 1 });
    await open('Everybody');
    await opened('People');
    await page.route(code, (route) => route.abort());
    await open('Desks and devices');
    await opened('This page could not be loaded');
    expect(await focused()).toBe('main');
    await expectAccessibleInEveryLook(page, 'fault');

    // Only while the network is down.
    await open('Everybody');
    await opened('People');
    await page.getByLabel('Status').focus();
    await page.getByLabel('Status').selectOption('inactive');
    await page.waitForURL('**/people?status=inactive');
    await page.getByLabel('Status').and(page.locator(':focus')).waitFor();
    await open('Audit log');
    await opened('This page could not be loaded');
    await page.getByRole('button', { name: 'Try again' }).click();
    await opened('This page could not be loaded');
    await page.unroute(code);
    await page.getByRole('button', { name: 'Try again' }).click();
    await opened('Audit log');
    await open('Desks and devices');
    await opened('Desks and devices');
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
    // Including its styles: the progress bar of the audit log has a stylesheet.
    await open('Audit log');
    await page.getByRole('button', { name: 'Verify the audit log' }).waitFor();

    // A new version of the service has different files, which only a reloaded page knows.
    await page.route(code, (route) => route.fulfill({ status: 404, body: '' }));
    await open('Attendance');
    await opened('This page could not be loaded');
    await page.unroute(code);
    await page.getByRole('button', { name: 'Reload' }).click();
    await opened('Attendance');
    expectClean(window, /status of 404|ERR_FAILED|dynamically imported|importing|preload CSS|Could not load/);
    await window.close();
  });

  it('shows each sign-up error once, at its field, in plain words', { tags: ['ci'] }, async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/signup');
    await page.getByLabel('Company').fill('Example AG');
    await page.getByLabel('E-mail').fill('ada@example');
    await page.getByLabel('Password').fill('password1234');
    const send = () => page.getByRole('button', { name: 'Create the account' }).click();
    const described = async (label: string, text: string) => {
      await page.getByText(text).waitFor();
      const field = page.getByLabel(label);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const id = String(await field.getAttribute('aria-describedby'))
        .split(' ')
        .at(-1);
      expect(await page.locator(`[id="${id}"]`).textContent()).toBe(text);
      expect(await page.getByText(text).count()).toBe(1);
    };
    await send();
    await described('E-mail', 'E-mail must be an e-mail address in ASCII.');
    await page.getByLabel('E-mail').fill('field@example.com');
    await send();
    await described('Password', 'Password is one of the most common passwords.');
    await expectAccessibleInEveryLook(page, 'sign-up-refused');
    expect(await page.locator('main').textContent()).not.toMatch(/body\.|The password/);
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByLabel('Password').fill('a quite unusual sentence 42');
    await send();
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('shows when the account is slow to load, and when it could not be loaded', {
    tags: ['ci'],
  }, async () => {
    const window = await openDashboard(service, await service.signUp(), '/live/home');
    const { page } = window;
    const json = { error: 'rate_limit_exceeded', message: 'Too many requests.', requestId: 'req-1' };
    let wait = '30';
    await page.route('**/api/console/session', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': wait }, json }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'One moment' }).waitFor();
    await expectAccessibleInEveryLook(page, 'account-waits');
    wait = '60';
    await page.reload();
    await page.getByRole('heading', { name: 'Your account could not be loaded' }).waitFor();
    await expectAccessibleInEveryLook(page, 'account-failed');
    // The countdown is outside the live region, so a screen reader doesn't announce every second.
    expect(await page.getByRole('alert').getByRole('button').count()).toBe(0);
    expectClean(window, /status of 429/);
    await window.close();
  });
});
