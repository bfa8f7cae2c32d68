// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/parts/ console/src/phone/phone.tsx: every answer of a person who is asked for a sign-in
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pngOf } from '../../../server/test/support/images.js';
import { openPairing, poll, setPolicy } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  press,
  register,
  service,
  startPhoneService,
  waitForHeading,
} from './phone-desk.js';
import { databaseOf, openPhone, typeNumber } from './phone-window.js';

startPhoneService();

const ORIGIN = 'https://portal.example.com';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A sign-in of a page of the company, which opened it itself if there is an `origin`. */
async function openFromPage(asks: object = {}, address = '127.0.0.1', origin = ORIGIN) {
  await setPolicy(service, account, { origins: [ORIGIN] });
  const { body } = await service.call('POST', '/v1/proof-pairing/sessions', {
    as: account.key,
    address,
    headers: { ...(origin && { origin }), 'user-agent': FIREFOX },
    body: { context: { origin: ORIGIN, application: 'Time sheets' }, ...asks },
  });
  return body.session as { readonly id: string; readonly qrPayload: string; readonly matchCode: string };
}

const warnings = (page: Page) =>
  page.getByRole('list', { name: 'Please check' }).getByRole('listitem').allTextContents();
const typed = (page: Page) => page.getByRole('status').filter({ hasText: /typed/i }).textContent();

describe('the phone before an approval', () => {
  it('shows the page, browser and time, and warns about what does not look right', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    await phone.scanned((await openFromPage()).qrPayload);
    await waitForHeading(page, 'Approve this sign-in?');
    for (const text of [
      'Example AG',
      'Time sheets',
      'portal.example.com',
      'Firefox on Windows',
      'Stated by the browser, not verified',
      'Opened just now',
    ])
      await page.getByText(text, { exact: true }).first().waitFor();
    expect(await page.getByText('Network of the page').count()).toBe(0);
    expect(await warnings(page)).toEqual(['First sign-in to this page with this phone.']);
    await checkLooks(page, 'asked');
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');

    // The second sign-in is from elsewhere, and three minutes old.
    const old = await openFromPage({}, '203.0.113.9');
    service.clock.advance(180_000);
    await phone.scanned(old.qrPayload);
    await page.getByText('Opened 3 min ago', { exact: true }).waitFor();
    expect(await warnings(page)).toEqual([
      'Asked from another network. With mobile data, that is normal.',
      'Opened more than two minutes ago.',
    ]);
    await checkLooks(page, 'asked-warnings');
    // What looks wrong can still be right.
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    expect((await databaseOf(page)).approvals).toMatchObject([
      { origin: ORIGIN, application: 'Time sheets', outcome: 'approved' },
      { origin: ORIGIN, application: 'Time sheets', outcome: 'approved' },
    ]);
    expectClean(phone);
    await phone.close();
  });

  it.each([
    ['en', 'Network of the page: unknown'],
    ['de', 'Netz der Seite: unbekannt'],
    ['es', 'Red de la página: desconocida'],
  ])('says in %s that the network is unknown when a backend opened the sign-in', async (locale, text) => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${locale}'] })`);
    await page.reload();
    await phone.scanned((await openFromPage({}, '127.0.0.1', '')).qrPayload);
    await page.getByText(text, { exact: true }).waitFor();
    expect(await page.getByText('Firefox').count()).toBe(0);
    expectClean(phone);
    await phone.close();
  });

  it('takes three taps from the scan to the end: two digits approve [phones/three-taps]', async () => {
    const phone = await openPhone(service, { viewport: { width: 390, height: 844 } });
    const { page } = phone;
    await register(phone);
    const pairing = await openFromPage({ match: 'type' });
    await phone.scanned(pairing.qrPayload);
    await page.evaluate(
      'window.taps = 0, addEventListener("click", () => { window.taps += 1; }, { capture: true })',
    );
    await typeNumber(page, pairing.matchCode);
    await waitForHeading(page, 'Signed in');
    await press(page, 'Done');
    expect(await page.evaluate('window.taps')).toBe(3);
    expect(JSON.parse(phone.bodies.at(-1) ?? '')).toMatchObject({ matchCode: pairing.matchCode });
    expectClean(phone);
    await phone.close();
  });

  it('takes the number by keyboard too, and sends nothing before it is complete', async () => {
    const phone = await openPhone(service, { viewport: { width: 390, height: 844 } });
    const { page } = phone;
    await register(phone);
    const pairing = await openFromPage({ match: 'type' });
    const [tens = '', ones = ''] = pairing.matchCode;
    await phone.scanned(pairing.qrPayload);
    await page.locator('button:enabled', { hasText: tens }).first().waitFor();
    expect(await typed(page)).toBe('No digit typed yet');
    await page.keyboard.type(tens);
    expect(await typed(page)).toBe(`Typed: ${tens}`);
    await checkLooks(page, 'number');
    await page.keyboard.press('Enter');
    await press(page, 'Delete the last digit');
    expect(await typed(page)).toBe('No digit typed yet');
    expect(phone.bodies.filter((body) => body.includes('publicSignals'))).toHaveLength(0);
    await page.keyboard.type(tens);
    await press(page, ones);
    await waitForHeading(page, 'Signed in');
    expectClean(phone);
    await phone.close();
  });

  it('asks to scan again when the person takes longer than a scan is valid', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.clock.install();
    await register(phone);
    await phone.scanned((await openFromPage({ match: 'type' })).qrPayload);
    await page.getByRole('group', { name: 'Digits' }).waitFor();
    await page.clock.fastForward(111_000);
    await waitForHeading(page, 'The code has changed');
    await press(page, 'Scan again');
    await waitForHeading(page, 'Scan a code');
    expectClean(phone);
    await phone.close();
  });

  it('shows the company’s new name, color and logo, and keeps them only after an approval', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    const logo = pngOf(64, 48).toString('base64');
    const body = { name: 'Example Holding', accentColor: '#ffd166', logo };
    await service.call('PUT', '/api/console/profile', { as: account.token, body });
    await phone.scanned((await openFromPage()).qrPayload);
    await page.locator('bdi').getByText('Example Holding').first().waitFor();
    await page.locator('main img').waitFor();
    await press(page, 'Cancel');
    await page.locator('article').getByText('Example AG').waitFor();
    await phone.scanned((await openFromPage()).qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    await press(page, 'Done');
    await page.locator('article').getByText('Example Holding').waitFor();
    expect(await page.locator('article img').count()).toBe(1);
    expectClean(phone);
    await phone.close();
  });

  it('says that the code was approved before when it is too late to decline', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    const pairing = await openPairing(service, account.key);
    await phone.scanned(pairing.qrPayload);
    await page.getByRole('button', { name: 'This was not me' }).waitFor();
    const other = await phone.context.newPage();
    await other.goto(`/phone/#${pairing.qrPayload}`);
    await press(other, 'Approve');
    await waitForHeading(other, 'Signed in');
    await press(page, 'This was not me');
    await waitForHeading(page, 'Somebody is signed in');
    await checkLooks(page, 'declined-too-late');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('bound');
    expectClean(phone, /status of 409/);
    await phone.close();
  });
});
