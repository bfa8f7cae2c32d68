// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/browsers/ console/src/phone/phone.tsx console/src/phone/parts/: the phone page; its server is tested
import { beforeAll, describe, expect, it } from 'vitest';
import { setPolicy } from '../../../server/test/support/pairing.js';
import {
  account,
  application,
  expectCleanSignIn,
  openBrowser,
  press,
  registerWindow,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from '../sign-in/desk.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { putBeside } from '../support/phone-beside.js';
import { databaseOf, openPhone, type Passkey, type PhoneWindow, withScreenLock } from './phone-window.js';

startSignInService();

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true };
const FIREFOX = {
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
};

beforeAll(async () => {
  await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
});

async function openLockedPhone(name: string) {
  const phone = await openPhone(service, NARROW);
  const lock = await withScreenLock(phone);
  await registerWindow(phone, name);
  const [passkey] = await lock.passkeys();
  return { ...phone, passkey };
}

/** A computer that shows a code, which the phone has approved. */
async function approveAt(phone: PhoneWindow & { readonly passkey?: Passkey | undefined }) {
  const desk = await openBrowser(FIREFOX);
  await putBeside(desk.page, phone.passkey);
  await application.start(desk.page);
  const shown = await shownOn(desk.page);
  await typeOnPhone(phone, shown);
  return { desk, shown };
}

async function openBrowsers({ page }: PhoneWindow): Promise<void> {
  await page.goto('about:blank');
  await page.goto('/phone/');
  await press(page, 'Phones and key');
  await page.getByRole('button', { name: 'Browsers' }).click();
  await waitForHeading(page, 'Browsers');
}

const historyOf = async ({ page }: PhoneWindow) =>
  (await databaseOf(page)).approvals.map(({ outcome, newBrowser }) => ({ outcome, newBrowser }));

describe('a sign-in in a browser that is new to the person', () => {
  it('goes on at the computer beside the phone, which says what it signed in, and forgets it', async () => {
    const phone = await openLockedPhone('Ada Lovelace');
    const { page } = phone;
    const { desk } = await approveAt(phone);
    await waitForHeading(page, 'Go on at the computer');
    await page.getByText('Firefox on Windows').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-nearby');
    expect(await historyOf(phone)).toEqual([{ outcome: 'unconfirmed', newBrowser: undefined }]);
    await press(desk.page, 'Confirm with my phone');
    await press(desk.page, 'Yes, remember it');
    expect(await application.result(desk.page)).toMatchObject({ name: 'Ada Lovelace' });
    await waitForHeading(page, 'Confirm on the computer');
    await page.getByText('Firefox on Windows, beside you').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-nearby-done');
    expect(await historyOf(phone)).toEqual([
      { outcome: 'approved', newBrowser: { browser: 'Firefox', system: 'Windows' } },
    ]);
    await press(page, 'Done');
    await page.getByText('Firefox on Windows, beside you').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-nearby-history');

    // The browser is known now.
    await application.start(desk.page, { prompt: 'login' });
    await typeOnPhone(phone, await shownOn(desk.page));
    await waitForHeading(page, 'Signed in');

    await openBrowsers(phone);
    await page.getByText('Firefox on Windows').waitFor();
    await page.getByText('Beside your phone,').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-browsers');
    await press(page, 'Forget Firefox on Windows');
    await page.getByRole('heading', { name: 'Forget “Firefox on Windows”?' }).waitFor();
    await expectAccessibleInEveryLook(page, 'phone-browsers-forget');
    await press(page, 'Forget');
    await page.getByText('No known browsers').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-browsers-empty');
    await application.start(desk.page, { prompt: 'login' });
    await typeOnPhone(phone, await shownOn(desk.page));
    await waitForHeading(page, 'Go on at the computer');
    expectCleanSignIn(desk);
    expectClean(phone);
    await desk.close();
    await phone.close();
  });

  it('ends when the person says that it was not theirs', async () => {
    const phone = await openLockedPhone('Grace Hopper');
    const { desk } = await approveAt(phone);
    await waitForHeading(phone.page, 'Go on at the computer');
    await press(phone.page, 'This was not me');
    await waitForHeading(phone.page, 'Nobody was signed in');
    await waitForHeading(desk.page, 'Declined on the phone');
    expect(await historyOf(phone)).toEqual([{ outcome: 'declined', newBrowser: undefined }]);
    expectCleanSignIn(desk);
    // A poll that was on its way finds the session gone.
    expectClean(phone, /status of 404/);
    await desk.close();
    await phone.close();
  });

  it('says that nobody was signed in when its time is over', async () => {
    const phone = await openLockedPhone('Mary Jackson');
    const { desk } = await approveAt(phone);
    await waitForHeading(phone.page, 'Go on at the computer');
    service.clock.advance(300_000);
    await waitForHeading(phone.page, 'Nobody was signed in');
    await expectAccessibleInEveryLook(phone.page, 'phone-nearby-over');
    expect(await historyOf(phone)).toEqual([{ outcome: 'failed', newBrowser: undefined }]);
    expectClean(phone, /status of 404/);
    await desk.close();
    await phone.close();
  });

  it('fails for a phone whose passkey was revoked, which offers a new one [attestation/revoked-by-the-company]', async () => {
    const phone = await openLockedPhone('Christine Darden');
    const [before] = (await databaseOf(phone.page)).identities;
    const path = `/v1/attestation/keys/${before?.attestationKeyId}`;
    expect((await service.call('DELETE', path, { as: account.key })).status).toBe(200);
    const { desk } = await approveAt(phone);
    await waitForHeading(phone.page, 'Not in a new browser');
    await press(phone.page, 'Turn on');
    await press(phone.page, 'Turn on');
    await waitForHeading(phone.page, 'Passkey turned on');
    const [after] = (await databaseOf(phone.page)).identities;
    expect(after?.attestationKeyId).not.toBe(before?.attestationKeyId);
    expectCleanSignIn(desk);
    expectClean(phone, /status of 403/);
    await desk.close();
    await phone.close();
  });

  it('fails for a phone without a passkey, which says what else works', async () => {
    const phone = await openPhone(service, NARROW);
    await registerWindow(phone, 'Annie Easley');
    const { desk } = await approveAt(phone);
    await waitForHeading(phone.page, 'Not in a new browser');
    await phone.page.getByText('no screen lock protects it').waitFor();
    expect(await phone.page.getByRole('button', { name: 'Turn on' }).count()).toBe(0);
    await expectAccessibleInEveryLook(phone.page, 'phone-nearby-refused');
    // A phone that has a screen lock by now can have one.
    await withScreenLock(phone);
    await typeOnPhone(phone, await shownOn(desk.page));
    await press(phone.page, 'Turn on');
    await press(phone.page, 'Turn on');
    await waitForHeading(phone.page, 'Passkey turned on');
    const [identity] = (await databaseOf(phone.page)).identities;
    expect(identity?.protection.kind).toBe('screen-lock');
    expect(identity?.attestationKeyId).toBeDefined();
    expectCleanSignIn(desk);
    expectClean(phone, /status of 403/);
    await desk.close();
    await phone.close();
  });
});
