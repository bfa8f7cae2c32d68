// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../../server/test/support/phone.js';
import { expectAccessibleInEveryLook, type Window } from '../support/browser.js';
import {
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  press,
  service,
  shownOn,
  startSignInService,
  waitForHeading,
} from './desk.js';

startSignInService();

let window: Window;
let ada: Person;
beforeAll(async () => {
  window = await openBrowser();
  ada = await newPerson('Ada Lovelace');
});
afterAll(() => window.close());

async function signIn(): Promise<void> {
  await application.start(window.page);
  await approveShown(window.page, ada);
  await application.result(window.page);
}
const WAY_BACK = () => ({
  post_logout_redirect_uri: `${application.origin}/bye`,
  state: 'state-of-the-site',
});

/** Whether the browser is asked for the phone again. */
async function isAsked(): Promise<boolean> {
  await application.start(window.page);
  await window.page.locator('h1').waitFor();
  return window.page.url().startsWith(service.origin);
}

describe('signing out', () => {
  it('asks first, and goes back to another origin of the application', async () => {
    const { page } = window;
    await signIn();
    await application.signOut(page, WAY_BACK());
    await waitForHeading(page, 'Sign out?');
    await page.getByText('Time tracking asks you to sign out.').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-out');
    await press(page, 'Sign out');
    await page.waitForURL(`${application.origin}/bye?state=state-of-the-site`);
    expect(await isAsked()).toBe(true);
    expectCleanSignIn(window);
  });

  it('ends the sign-in to this application only, if the person stays signed in', async () => {
    const { page } = window;
    await signIn();
    await application.signOut(page, WAY_BACK());
    await press(page, 'Stay signed in');
    await page.waitForURL(`${application.origin}/bye**`);
    await signIn();
    expectCleanSignIn(window);
  });

  it('says that the person is signed out, if there is no way back', async () => {
    const { page } = window;
    await application.signOut(page);
    await press(page, 'Sign out');
    await waitForHeading(page, 'You are signed out');
    await expectAccessibleInEveryLook(page, 'signed-out');
    expect(await isAsked()).toBe(true);
    await application.signOut(page, WAY_BACK());
    // Nobody is signed in, so there is nothing to ask.
    await page.waitForURL(`${application.origin}/bye**`);
    expectCleanSignIn(window);
  });
});

describe('a request that must not be answered at the application', () => {
  it.each([
    ['redirect_uri', { redirect_uri: 'https://evil.example/callback' }, 'invalid_redirect_uri'],
    ['client_id', { client_id: '01890000-0000-7000-8000-000000000000' }, 'invalid_client'],
  ])('shows a wrong %s here, and redirects nowhere', async (_, wrong, code) => {
    const { page } = window;
    await application.start(page, wrong);
    await waitForHeading(page, 'This sign-in can’t continue');
    expect(new URL(page.url()).origin).toBe(service.origin);
    await page.getByText('The application sent a request').waitFor();
    await page.locator('code').getByText(code).waitFor();
    await expectAccessibleInEveryLook(page, `sign-in-error-${code}`);
    expectCleanSignIn(window, /status of 400/);
  });

  it('shows a wrong way back after signing out here', async () => {
    const { page } = window;
    await application.signOut(page, { post_logout_redirect_uri: 'https://evil.example/bye' });
    await waitForHeading(page, 'This sign-out can’t continue');
    await page.getByText('so nobody was signed out').waitFor();
    expectCleanSignIn(window, /status of 400/);
  });

  it('explains a sign-in that is completed a second time', async () => {
    const { page } = window;
    await window.context.clearCookies();
    await application.start(page);
    await shownOn(page);
    const resumed = page.waitForRequest(/\/auth\/[\w-]{21,}$/);
    await approveShown(page, ada);
    const address = (await resumed).url();
    await application.result(page);
    await page.goto(address);
    await page.getByText('It took too long, or its cookie is gone.').waitFor();
    expectCleanSignIn(window, /status of 400/);
  });
});
