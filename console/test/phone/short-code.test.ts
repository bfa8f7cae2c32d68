// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/scan/ console/src/phone/phone.tsx sdk/src/phone/acts/pair.ts: the address of a code, scanned by phones that know it or not
import { expect, it } from 'vitest';
import { openPairing } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import { account, checkLooks, press, register, service, startPhoneService } from './phone-desk.js';
import { openPhone } from './phone-window.js';

startPhoneService();

/** Opens the address of a new sign-in on this phone, as its camera does. */
async function scanAddress(page: Awaited<ReturnType<typeof openPhone>>['page'], key = account.key) {
  const { url, matchCode = '' } = await openPairing(service, key, undefined, { match: 'type' });
  const { hash } = new URL(url);
  await page.goto('about:blank');
  await page.goto(`/phone/${hash}`);
  return { matchCode, hash };
}

it('the short address of a code signs in, and leaves the browser’s history [pairing/short-address]', async () => {
  const phone = await openPhone(service);
  const { page } = phone;
  await register(phone);
  const { hash } = await scanAddress(page);
  await page.getByText('Example AG').first().waitFor();
  await page.getByRole('button', { name: 'This was not me' }).waitFor();
  expect(page.url()).not.toContain(hash);
  expectClean(phone);
  await phone.close();
});

it('a phone with no identity, and one of another company, say what to do', async () => {
  const phone = await openPhone(service);
  const { page } = phone;
  await scanAddress(page);
  await page.getByText('This browser has no identity.').waitFor();
  await register(phone);
  const other = await service.signUp({ companyName: 'Northwind' });
  await scanAddress(page, other.key);
  await page.getByText('of a company where this phone is not registered').waitFor();
  await checkLooks(page, 'short-foreign');
  await press(page, 'Back');
  await page.goto(`/phone/#c=${'A'.repeat(22)}.1.${'b'.repeat(16)}`);
  await page.getByText('of a company where this phone is not registered').waitFor();
  expectClean(phone, /status of 404/);
  await phone.close();
});
