// @module-tag if-touched @pages console/src/dashboard/login/ console/src/dashboard/closing/: the pages before the dashboard
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean, openWindow } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGES = [
  ['/login', 'Log in', 'E-mail'],
  ['/signup', 'Sign up', 'Company'],
  ['/join', 'Join the team', 'Your name'],
  ['/forgot', 'Forgot your password?', 'E-mail'],
  ['/reset', 'Choose a new password', 'New password'],
] as const;

describe('a page before the dashboard', () => {
  it('says that no link is on its way if the service sends no e-mail [console/what-pages-say]', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/forgot');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'No e-mail can be sent' }).waitFor();
    expect(await page.getByText('on its way').count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it.each(PAGES)('shows its form without a script: %s', async (path, title, field) => {
    const window = await openWindow(service.origin, { javaScriptEnabled: false });
    const { page } = window;
    await page.goto(`/dashboard${path}`);
    expect(await page.title()).toBe(title);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByLabel(field).and(page.locator(':focus')).waitFor();
    await window.close();
  });

  it.each(PAGES)(
    'keeps its layout when it starts to work, and loads no code of the dashboard: %s',
    async (path, _, field) => {
      const window = await openWindow(service.origin);
      const { page } = window;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const scripts: string[] = [];
      await page.route(/\.js$/, async (route) => {
        scripts.push(new URL(route.request().url()).pathname);
        await held;
        await route.continue();
      });
      const token = ['/join', '/reset'].includes(path) ? `#${'A'.repeat(43)}` : '';
      await page.goto(`/dashboard${path}${token}`, { waitUntil: 'commit' });
      const places = () =>
        page
          .locator('main *')
          .evaluateAll((all) =>
            all.map((at) => `${at.tagName} ${JSON.stringify(at.getBoundingClientRect())}`),
          );
      const isStyled = 'document.querySelector("link[rel=stylesheet]")?.sheet != null';
      await expect.poll(() => page.evaluate(isStyled)).toBe(true);
      await page.getByLabel(field).fill('typed before the script');
      await page.evaluate('document.fonts.load("1rem Geist")');
      const before = await places();
      const send = page.locator('button[type=submit]');
      expect(await send.isDisabled()).toBe(true);
      release();
      await send.and(page.locator(':enabled')).waitFor();
      expect(await page.getByLabel(field).inputValue()).toBe('typed before the script');
      await page.getByLabel(field).fill('');
      expect(await places()).toEqual(before);
      expect(scripts.filter((name) => /react|query|router|shell/.test(name))).toEqual([]);
      expectClean(window);
      await window.close();
    },
  );

  it('judges a new password while it is typed, and sends it only when its rules are met', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/dashboard/signup');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.getByLabel('Company').fill('Rules AG');
    await page.getByLabel('E-mail').fill('rules@example.com');
    const field = page.getByLabel('Password');
    const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await field.fill('short 1');
    await rule('A letter and a digit, met').waitFor();
    await page.getByRole('button', { name: 'Create the account' }).click();
    await rule('At least 12 characters, not met').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.and(page.locator(':focus')).waitFor();
    expect(sent).toEqual([]);
    await expectAccessibleInEveryLook(page, 'sign-up-rules');
    await field.fill('a quite unusual sentence 42');
    await rule('At least 12 characters, met').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    const show = page.getByRole('button', { name: 'Show what you type' });
    await show.click();
    expect([await field.getAttribute('type'), await show.getAttribute('aria-pressed')]).toEqual([
      'text',
      'true',
    ]);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText(/^svc_live_[0-9a-f]{48}$/).waitFor();
    await page.getByRole('heading', { name: 'Your first API keys' }).and(page.locator(':focus')).waitFor();
    expectClean(window);
    await window.close();
  });

  it('takes its own place in the history, so that going back does not return to it', async () => {
    const account = await service.signUp();
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/docs');
    await page.goto('/dashboard/live/people?status=active');
    await page.waitForURL('**/dashboard/login?next=**');
    await logIn(page, account);
    await page.waitForURL('**/dashboard/live/people?status=active');
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/docs');
    expectClean(window);
    await window.close();
  });
});
