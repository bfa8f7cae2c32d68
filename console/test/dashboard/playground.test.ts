// @module-tag if-touched @pages console/src/dashboard/playground/ console/src/dashboard/developers/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn, logOut, openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/test/developers/playground';

/** The requests to `/v1`, in order. */
function callsOf(page: Page): { readonly name: string; readonly key: string | undefined }[] {
  const calls: { name: string; key: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/'))
      calls.push({ name: `${request.method()} ${pathname}`, key: request.headers().authorization });
  });
  return calls;
}

describe('trying an endpoint', () => {
  it('sends a real request with a new test key, and shows the response and the same request as code', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, PAGE);
    const { page, context } = window;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const send = page.getByRole('button', { name: 'Send request' });
    const response = page.getByRole('region', { name: 'Response', exact: true });
    await send.click();
    await page.getByText('Paste a test key, or create one.').waitFor();
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByText('which expires in 7 days').waitFor();
    await send.click();
    await response.getByText('200 OK').waitFor();
    await response.getByText('"users": []').waitFor();
    const key = await page.getByLabel('Test key').inputValue();
    expect(key).toMatch(/^svc_test_[0-9a-f]{48}$/);

    await page.getByRole('button', { name: 'Endpoint: GET /v1/users' }).click();
    await page.keyboard.type('create a user');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/developers/playground?operation=createUser');
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.fill((await body.inputValue()).replace('Ada Lovelace', "Ada O'Neil"));
    const code = page.getByRole('tabpanel');
    await code.getByText(`"fullName": "Ada O'\\''Neil"`).waitFor();
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
    await code.getByText('svc.users.create({').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain("fullName: 'Ada O\\'Neil'");
    expect(copied).not.toContain(key);
    await send.click();
    await response.getByText('201 Created').waitFor();
    await response.getByText(/^\d+ ms$/).waitFor();
    await response.getByText('X-Request-Id').waitFor();
    await response.getByText('X-RateLimit-Remaining').waitFor();
    const { users } = (await service.call('GET', '/v1/users', { as: key })).body;
    expect(users.map(({ fullName }: { fullName: string }) => fullName)).toEqual(["Ada O'Neil"]);
    await expectAccessibleInEveryLook(page, 'playground');

    // The ID of the new user is filled in.
    await page.getByRole('button', { name: /^Endpoint/ }).click();
    await page.getByRole('option', { name: /^GET \/v1\/users\/\{userId\}(?!\/)/ }).click();
    await send.click();
    await response.getByText('200 OK').waitFor();
    expect(await page.getByRole('textbox', { name: 'userId' }).inputValue()).toBe(users[0].id);
    expectClean(window);
    await window.close();
  });

  it('opens from the API reference with the endpoint chosen, after login', async () => {
    const account = await service.signUp();
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs/reference/users');
    const tryIt = page.getByRole('link', { name: 'Try it with a test key' });
    const section = '~ p:has(a[href*="/playground"])';
    await page.locator(`#get-v1-users-userid ${section}`).first().getByRole('link').click();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await logIn(page, account);
    await page.waitForURL('**/dashboard/test/developers/playground?operation=getUser');
    await page.getByRole('button', { name: 'Endpoint: GET /v1/users/{userId}' }).waitFor();
    await page.goto('/docs/reference/api-keys');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await tryIt.count()).toBe(0);
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('links the code of an error, and shows what is wrong with a request before it is sent', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, `${PAGE}?operation=createDevice`);
    const { page } = window;
    const calls = callsOf(page);
    const response = page.getByRole('region', { name: 'Response', exact: true });
    const send = page.getByRole('button', { name: 'Send request' });
    await page.getByLabel('Test key').fill(`svc_test_${'0'.repeat(48)}`);
    await page.getByRole('textbox', { name: 'Body' }).fill('{');
    await page.getByText('This is not valid JSON.').waitFor();
    await send.click();
    expect(calls).toEqual([]);
    await page.getByRole('textbox', { name: 'Body' }).fill('{}');
    await send.click();
    await response.getByText('401 Unauthorized').waitFor();
    const link = response.getByRole('link', { name: 'invalid_api_key' });
    expect(await link.getAttribute('href')).toBe('/docs/errors#invalid_api_key');
    await page.getByLabel('Test key').fill(await service.createKey(account, 'test'));
    await send.click();
    await response.getByRole('link', { name: 'invalid_request' }).waitFor();
    await expectAccessibleInEveryLook(page, 'playground-error');
    expectClean(window, /status of 40[01]/);
    await window.close();
  });

  it('never sends or stores a live key, and forgets a test key when the session ends', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/developers/playground');
    const { page } = window;
    const calls = callsOf(page);
    await page.getByRole('link', { name: 'Open the test environment' }).waitFor();
    await expectAccessibleInEveryLook(page, 'playground-live');
    await page.getByRole('link', { name: 'Open the test environment' }).click();
    const key = page.getByLabel('Test key');
    await key.fill(account.key);
    await page.getByText('This is a live key.').waitFor();
    await page.getByRole('button', { name: 'Send request' }).click();
    await key.press('Enter');
    const stored = () =>
      page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(await stored()).not.toContain('svc_live_');
    const test = await service.createKey(account, 'test');
    await key.fill(test);
    await page.reload();
    expect(await key.inputValue()).toBe(test);
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('200 OK').waitFor();
    expect(calls).toEqual([{ name: 'GET /v1/users', key: `Bearer ${test}` }]);
    await logOut(page, 'Log out everywhere');
    expect(await stored()).not.toContain('svc_test_');
    expectClean(window);
    await window.close();
  });

  it('is one click from the page with the first request, which has this service’s address', async () => {
    const window = await openDashboard(service, await service.signUp(), '/test/developers/start');
    const { page } = window;
    const code = page.getByRole('region', { name: 'The request in curl' });
    expect(await code.textContent()).toContain(`${service.origin}/v1/users`);
    expect(await page.getByRole('region', { name: 'A sign-in with the SDK' }).textContent()).toContain(
      "environment: 'test'",
    );
    await expectAccessibleInEveryLook(page, 'start');
    await page.getByRole('main').getByRole('link', { name: 'playground' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expectClean(window);
    await window.close();
  });
});
