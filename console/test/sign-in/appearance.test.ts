// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../../server/test/support/phone.js';
import type { PhoneWindow } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type Application, issuerOf, openApplication } from './application.js';
import {
  account,
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
  waitForHeading,
} from './desk.js';

startSignInService();

let phone: PhoneWindow;
let ada: Person;
beforeAll(async () => {
  phone = await openRegisteredPhone('Ada Lovelace');
  ada = await newPerson('Ada Lovelace');
});
afterAll(() => phone.close());

/** A name of 100 letters that are written from right to left. */
const ARABIC = 'تسجيل الدخول إلى '.repeat(6).slice(0, 99).padEnd(100, 'ا');
const SCRIPT = '<script>alert(1)</script> & "more"';

describe('the name of an application', () => {
  it.each([
    ['is long and written from right to left', ARABIC],
    ['looks like a script', SCRIPT],
  ])('is shown as it is on the page, and readable on the phone, if it %s', async (_, name) => {
    const hostile: Application = await openApplication(service, account, { name });
    const window = await openBrowser();
    const { page } = window;
    page.on('dialog', () => expect.unreachable('a script of the name ran'));
    await hostile.start(page);
    await page.locator('h1 bdi').getByText(name, { exact: true }).waitFor();
    await page.locator('bdi').getByText(hostile.host, { exact: true }).waitFor();
    const { qrPayload } = await shownOn(page);
    await expectAccessibleInEveryLook(page, `sign-in-name-${name.length}`);
    await phone.scanned(qrPayload);
    // A phone shows the first 40 characters.
    await phone.page.getByText(name.slice(0, 40).trim()).first().waitFor();
    await phone.page.getByText(hostile.host).first().waitFor();
    await expectAccessibleInEveryLook(phone.page, `sign-in-name-${name.length}-phone`);
    expectCleanSignIn(window, undefined, hostile);
    expectClean(phone);
    await approveShown(page, ada);
    await hostile.result(page);
    await hostile.signOut(page);
    await waitForHeading(page, 'Sign out?');
    await page.locator('bdi').getByText(name, { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page, `sign-out-name-${name.length}`);
    await window.close();
    await hostile.close();
  });
});

describe('the hosted pages', () => {
  it('are shown in no frame, also those that the library writes', async () => {
    const window = await openBrowser();
    const { page } = window;
    const seen = new Map<string, Record<string, string>>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isPage = response.headers()['content-type']?.startsWith('text/html');
      if (isPage && response.url().startsWith(service.origin)) seen.set(pathname, response.headers());
    });
    await application.start(page, { response_mode: 'form_post' });
    await approveShown(page, ada);
    await application.result(page);
    await application.start(page, { redirect_uri: 'https://evil.example' });
    await page.goto(`${issuerOf(service, account)}/device`);
    await application.signOut(page);
    await press(page, 'Sign out');
    await waitForHeading(page, 'You are signed out');
    const kinds = [...seen.keys()].map((path) =>
      path.replace(account.tenantId, ':id').replace(/[\w-]{21,}(\.[\w-]{44})?$/, ':uid'),
    );
    const below = '/oidc/:id/live';
    expect(kinds.sort()).toEqual([
      `${below}/auth`,
      `${below}/auth/:uid`,
      `${below}/device`,
      `${below}/session/end`,
      `${below}/session/end/confirm`,
      `${below}/session/end/success`,
      '/sign-in/:uid',
    ]);
    for (const [path, headers] of seen)
      expect({ path, ...headers }).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-frame-options': 'DENY',
      });
    expectCleanSignIn(window, /status of 400/);
    await window.close();
  });

  it('are not loaded by a site that frames them', async () => {
    const window = await openBrowser();
    const { page } = window;
    await application.start(page);
    const addresses = [page.url(), `${issuerOf(service, account)}/device`];
    const frames = addresses.map((url) => `<iframe src="${url}"></iframe>`).join('');
    const site = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Site</title>${frames}`),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    // The same site as the service, so that the browser sends its cookies.
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    for (const frame of page.frames().slice(1))
      expect(await frame.locator('#root, main').count(), frame.url()).toBe(0);
    expect(window.problems.consoleErrors).toEqual([
      expect.stringContaining("frame-ancestors 'none'"),
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    await window.close();
    await new Promise((resolve) => site.close(resolve));
  });

  it('can be used with the keyboard alone', async () => {
    const window = await openBrowser();
    const { page } = window;
    const focused = () => page.evaluate('document.activeElement?.textContent.trim()');
    await application.start(page);
    await shownOn(page);
    const reached: unknown[] = [];
    for (let times = 0; times < 3; times += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
    }
    expect(reached).toEqual(['Approve in this browser', 'Cancel', expect.stringContaining('What is this?')]);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing biometric leaves your phone').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-in-about');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await application.result(page)).toMatchObject({ error: 'access_denied' });
    expectCleanSignIn(window);
    await window.close();
  });

  it.each([
    {
      locale: 'de-DE',
      lang: 'de',
      title: 'Bei Time tracking anmelden',
      returns: 'Danach geht es zurück zu',
      device: 'Gerät verbinden',
    },
    {
      locale: 'es-ES',
      lang: 'es',
      title: 'Iniciar sesión en Time tracking',
      returns: 'Después volverás a',
      device: 'Conectar un dispositivo',
    },
  ])('speak the language of $locale', async ({ locale, lang, title, returns, device }) => {
    const window = await openBrowser({ locale });
    const { page } = window;
    await application.start(page);
    await waitForHeading(page, title);
    await page.getByText(`${returns} ${application.host}`).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    await shownOn(page);
    await expectAccessibleInEveryLook(page, `sign-in-${lang}`);
    await page.goto(`${issuerOf(service, account)}/device`);
    await waitForHeading(page, device);
    await expectAccessibleInEveryLook(page, `sign-in-device-${lang}`);
    expectCleanSignIn(window);
    await window.close();
  });

  it('say that a link without a sign-in is over', async () => {
    const window = await openBrowser();
    const unknown = `V1StGXR8_Z5jdHi6B-myT.${'A'.repeat(44)}`;
    for (const path of ['', 'V1StGXR8_Z5jdHi6B-myT', unknown, 'short'].map((name) => `/sign-in/${name}`)) {
      await window.page.goto(path);
      await waitForHeading(window.page, 'This sign-in is over');
    }
    expectClean(window, /status of 40[04]/);
    await window.close();
  });
});
