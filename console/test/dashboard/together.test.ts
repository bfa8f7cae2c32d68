// @module-tag if-touched @pages console/src/dashboard/session.tsx console/src/dashboard/operations/api.ts console/src/dashboard/events/: several windows
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeNumber, withScreenLock } from '../phone/phone-window.js';
import { expectClean, openWindow, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { numberOn } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const headed = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** Opens the phone page in a second tab, with the dashboard's link. */
async function openPhoneTab(desk: Page, phone: Page): Promise<void> {
  const link = desk.getByRole('link', { name: 'Open in this browser' });
  const href = await link.getAttribute('href');
  await phone.goto('about:blank');
  await phone.goto(String(href));
  // A background tab renders only once a second.
  await phone.bringToFront();
}

describe('a first visit', () => {
  it.each(['/', '/docs', '/dashboard/', '/dashboard/signup', '/dashboard/login', '/phone/'])(
    'of %s logs no error in the browser’s console',
    async (address) => {
      const window = await openWindow(service.origin);
      await window.page.goto(address, { waitUntil: 'networkidle' });
      await window.page.getByRole('heading', { level: 1 }).waitFor();
      expectClean(window);
      await window.close();
    },
  );
});

describe('the dashboard and the phone', () => {
  it('lead a new user from sign-up to the first verified proof in two tabs of one browser', async () => {
    const window = await openWindow(service.origin);
    const desk = window.page;
    const phone = await window.context.newPage();
    await withScreenLock({ ...window, page: phone });

    await desk.goto('/');
    await desk.getByRole('link', { name: 'Start free' }).first().click();
    await desk.getByLabel('Company').fill('Example & Söhne');
    await desk.getByLabel('E-mail').fill('newcomer@example.com');
    await desk.getByLabel('Password').fill('a quite unusual sentence 42');
    await press(desk, 'Create the account');
    await press(desk, 'I have stored them: continue');

    await desk
      .getByRole('list', { name: 'First steps' })
      .getByRole('button', { name: 'Register a person' })
      .click();
    await desk.getByLabel('Full name').fill('Ada Lovelace');
    await press(desk, 'Start registration');
    await desk.getByRole('img', { name: 'Code for the phone of Ada Lovelace' }).waitFor();
    await openPhoneTab(desk, phone);
    await press(phone, 'Continue');
    await headed(phone, 'Register with this company?');
    const state = desk.getByRole('status').filter({ hasText: 'Registration' });
    await state.getByText('phone paired').waitFor();
    await press(phone, 'Register');
    await headed(phone, 'Registered');
    await desk.bringToFront();
    await state.getByText('Completed').waitFor();
    await picture(desk, 'together-registered');

    await desk.goto('/dashboard/');
    await desk.getByRole('link', { name: 'Try a sign-in' }).click();
    await press(desk, 'Show a code');
    await desk.getByRole('img', { name: 'Sign-in code' }).waitFor();
    await openPhoneTab(desk, phone);
    await headed(phone, 'Approve this sign-in?');
    await typeNumber(phone, await numberOn(desk));
    await headed(phone, 'Signed in');
    await desk.bringToFront();
    await desk.getByText('Ada Lovelace has signed in').waitFor();
    await picture(desk, 'together-signed-in');

    await desk.goto('/dashboard/');
    await desk.getByText('Your first sign-in worked').waitFor();
    expectClean(window);
    // Neither page stores anything here, except the dashboard’s note that this browser is logged in.
    expect(await phone.evaluate('[{ ...localStorage }, { ...sessionStorage }]')).toEqual([
      { 'logged-in': '' },
      {},
    ]);
    await window.close();
  });
});
