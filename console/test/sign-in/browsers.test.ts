// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/ console/src/phone/: the hosted sign-in pages; their server is tested
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../../server/test/support/phone.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import {
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  shownOn,
  startSignInService,
  waitForHeading,
} from './desk.js';

startSignInService();

let ada: Person;
let grace: Person;
beforeAll(async () => {
  ada = await newPerson('Ada Lovelace');
  grace = await newPerson('Grace Hopper');
});

describe('one sign-in in two browsers', () => {
  it('shows nothing of a copied address in another browser', async () => {
    const [second, first] = [await openBrowser(), await openBrowser()];
    await application.start(second.page);
    await shownOn(second.page);
    await first.page.goto(second.page.url());
    await waitForHeading(first.page, 'This sign-in is over');
    const text = await first.page.locator('#root').textContent();
    for (const secret of ['Time tracking', 'Northwind', application.host]) expect(text).not.toContain(secret);
    await expectAccessibleInEveryLook(first.page, 'sign-in-elsewhere');
    expectClean(first, /status of 404/);
    await first.close();
    await second.close();
  });

  it('completes a sign-in only in the browser that shows its code, also after an approval', async () => {
    // Somebody approves the code of one browser, which does not complete its sign-in yet.
    const [first, second] = [await openBrowser(), await openBrowser()];
    await application.start(first.page);
    await application.start(second.page);
    const [relayed, own] = [await shownOn(first.page), await shownOn(second.page)];
    await first.page.route('**/complete', (request) => request.abort());
    await approveShown(first.page, ada);
    const [, uid] = /\/sign-in\/([\w.-]+)/.exec(first.page.url()) as unknown as [string, string];
    const [, ownUid] = /\/sign-in\/([\w.-]+)/.exec(second.page.url()) as unknown as [string, string];
    const send = (to: string, sessionId: string) =>
      second.page.evaluate(`fetch('/sign-in/${to}/complete', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: '${sessionId}' }) }).then((reply) => reply.json()).then(({ error }) => error)`);
    expect(await send(uid, relayed.id)).toBe('sign_in_not_found');
    expect(await send(ownUid, relayed.id)).toMatch(/^pairing_(session_not_found|bind_mismatch)$/);
    expect(await send(ownUid, own.id)).toBe('sign_in_not_approved');
    await waitForHeading(second.page, 'Sign in to Time tracking');
    await first.close();
    await second.close();
  });
});

describe('one browser with several sign-ins', () => {
  let close: () => Promise<void> = async () => {};
  afterAll(() => close());

  it('completes both sign-ins of two tabs, each with its own code', async () => {
    const window = await openBrowser();
    close = window.close;
    const [first, second] = [window.page, await window.context.newPage()];
    await application.start(first);
    await shownOn(first);
    await application.start(second);
    await shownOn(second);
    await approveShown(second, ada);
    expect(await application.result(second)).toMatchObject({ name: 'Ada Lovelace' });
    await approveShown(first, ada);
    expect(await application.result(first)).toMatchObject({ name: 'Ada Lovelace' });
    expectCleanSignIn(window, /status of 404/);
  });

  it('replaces the person who is signed in when another person’s phone approves', async () => {
    const window = await openBrowser();
    const { page } = window;
    await application.start(page);
    await approveShown(page, ada);
    const first = await application.result(page);
    await application.start(page);
    // The browser is signed in, so no phone is asked.
    expect((await application.result(page)).sub).toBe(first.sub);
    await application.start(page, { prompt: 'login' });
    await approveShown(page, grace);
    const second = await application.result(page);
    expect(second).toMatchObject({ name: 'Grace Hopper', acr: 'urn:svc:zkp' });
    expect(second.sub).not.toBe(first.sub);
    expectCleanSignIn(window);
    await window.close();
  });

  it('sends the code to an application that asks for a form', async () => {
    const window = await openBrowser();
    const { page } = window;
    await application.start(page, { response_mode: 'form_post' });
    await approveShown(page, ada);
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expect(new URL(page.url()).search).toBe('');
    expectCleanSignIn(window);
    await window.close();
  });
});
