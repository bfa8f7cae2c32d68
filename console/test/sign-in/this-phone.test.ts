// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/ console/src/phone/: the hosted sign-in pages; their server is tested
import { describe, expect, it } from 'vitest';
import { setPolicy } from '../../../server/test/support/pairing.js';
import { openPhone, typeNumber } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook } from '../support/browser.js';
import {
  account,
  application,
  expectCleanSignIn,
  openBrowser,
  openRegisteredPhone,
  press,
  registerWindow,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from './desk.js';

startSignInService();

describe('approving on the phone that signs in', () => {
  it('goes to the phone’s page and back, and leaves no code in the address or the history', async () => {
    const phone = await openPhone(service, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = phone;
    await registerWindow(phone, 'Ada Lovelace');
    await application.start(page);
    const shown = await shownOn(page);
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await expectAccessibleInEveryLook(page, 'sign-in-this-phone');
    const signInUrl = page.url();
    await press(page, 'Approve on this phone');
    await waitForHeading(page, 'Approve this sign-in?');
    for (const name of ['Northwind Traders', 'Time tracking', application.host])
      await page.getByText(name).first().waitFor();
    await press(page, 'Approve');
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    const returned = addresses.find((url) => url.startsWith(`${signInUrl}#`));
    expect(returned, addresses.join('\n')).toBeDefined();
    const code = new URL(returned as string).hash.slice(1);
    expect(code).toMatch(/^[\w-]{16,}$/);
    // No entry of the history has the code, so going back can't show it.
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain(code);
    expect(shown.id).not.toBe('');
    expectCleanSignIn(phone, /status of 404/);
    await phone.close();
  });

  it('shows the number before the phone’s page asks for it, if the company’s policy wants a number everywhere', async () => {
    await setPolicy(service, account, { pairing_match: 'type' });
    const phone = await openPhone(service, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = phone;
    await registerWindow(phone, 'Grace Hopper');
    await application.start(page);
    await press(page, 'Approve on this phone');
    await waitForHeading(page, 'Remember this number');
    await expectAccessibleInEveryLook(page, 'sign-in-remember');
    const number = (await page.getByLabel('Remember this number').textContent()) ?? '';
    await press(page, 'Continue');
    await typeNumber(page, number);
    expect(await application.result(page)).toMatchObject({ name: 'Grace Hopper' });
    await setPolicy(service, account, {});
    expectCleanSignIn(phone);
    await phone.close();
  });

  it('leads a person whose browser is not registered back to the sign-in page, where a phone can scan', async () => {
    const desk = await openBrowser();
    const { page } = desk;
    await application.start(page);
    const { id } = await shownOn(page);
    const signInUrl = page.url();
    await press(page, 'Approve in this browser');
    await waitForHeading(page, 'This browser is not registered');
    await page.getByText('Use the phone that you registered.').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-in-not-registered-here');
    await press(page, 'Back to the sign-in page');
    await page.waitForURL(signInUrl);
    const phone = await openRegisteredPhone('Annie Easley');
    await page.locator('[data-qr-payload]').waitFor();
    const shown = await shownOn(page);
    expect(shown.id).not.toBe(id);
    await typeOnPhone(phone, shown);
    expect(await application.result(page)).toMatchObject({ name: 'Annie Easley' });
    expectCleanSignIn(desk);
    await phone.close();
    await desk.close();
  });

  it('leads a person who cancels on the phone’s page back to the sign-in page', async () => {
    const phone = await openRegisteredPhone('Dorothy Vaughan');
    const { page } = phone;
    await application.start(page);
    const signInUrl = page.url();
    await press(page, 'Approve in this browser');
    await press(page, 'Cancel');
    await page.waitForURL(signInUrl);
    await page.locator('[data-qr-payload]').waitFor();
    expectCleanSignIn(phone);
    await phone.close();
  });

  it('offers nothing else if the company’s policy allows nothing else', async () => {
    await setPolicy(service, account, { same_device_only: true });
    const phone = await openPhone(service);
    const { page } = phone;
    await registerWindow(phone, 'Mary Jackson');
    await application.start(page);
    await page.getByText('accepts an approval only on the device where you sign in').waitFor();
    expect(await page.locator('[data-qr-payload]').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'sign-in-same-device-only');
    await press(page, 'Approve in this browser');
    await press(page, 'Approve');
    expect(await application.result(page)).toMatchObject({ name: 'Mary Jackson' });
    await setPolicy(service, account, {});
    expectCleanSignIn(phone);
    await phone.close();
  });

  it('gives nothing to somebody who sends their own code, which needs no number, to a person with a phone', async () => {
    const attacker = await openBrowser();
    await application.start(attacker.page);
    await shownOn(attacker.page);
    const uid = new URL(attacker.page.url()).pathname;
    const post = (path: string, body: object) =>
      attacker.page.evaluate(`fetch('${uid}/${path}', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: '${JSON.stringify(body)}' }).then((reply) => reply.json())`) as Promise<
        Record<string, { id: string; qrPayload: string }>
      >;
    const { session } = await post('session', { sameDevice: true });
    const victim = await openPhone(service);
    await registerWindow(victim, 'Katherine Johnson');
    await victim.scanned(session?.qrPayload as string);
    await press(victim.page, 'Approve');
    // The code to go on with comes back to this browser, which did not begin the sign-in.
    await waitForHeading(victim.page, 'This sign-in is over');
    expect(new URL(victim.page.url()).pathname + new URL(victim.page.url()).hash).toBe(uid);
    expect((await post('complete', { sessionId: session?.id })).error).toBe('sign_in_not_approved');
    expectCleanSignIn(victim, /status of 404/);
    await victim.close();
    await attacker.close();
  });
});
