import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPairing, poll } from '../../../server/test/support/pairing.js';
import { account, press, service, waitForHeading } from './phone-desk.js';
import type { PhoneWindow } from './phone-window.js';

/** Opens “Phones and key” of the phone's only identity. */
export async function openPhonesAndKey(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto('/phone/');
  await press(page, 'Phones and key');
  await waitForHeading(page, 'Phones and key');
}

/** Opens a part of “Phones and key”. */
export async function openPart(
  page: Page,
  part: 'Add another phone' | 'A phone is lost' | 'Change my key',
): Promise<void> {
  await openPhonesAndKey(page);
  await page.getByRole('button', { name: part }).click();
}

/** Lets the phone show its code for another one, and returns the address in the QR code. */
export async function showCode({ page }: PhoneWindow): Promise<string> {
  await openPart(page, 'Add another phone');
  await press(page, 'Show the code');
  await waitForHeading(page, 'Scan with your other phone');
  return (await page.locator('[data-address]').getAttribute('data-address')) ?? '';
}

/** Scans another phone's code with this one, and returns the digits that it shows. */
export async function scanCode({ page }: PhoneWindow, address: string): Promise<string> {
  await page.goto('about:blank');
  await page.goto(address);
  await press(page, 'Continue');
  await press(page, 'Add this phone');
  await waitForHeading(page, 'Type these digits on your other phone');
  const digits = ((await page.locator('output').textContent()) ?? '').replace(' ', '');
  expect(digits).toMatch(/^\d{6}$/);
  return digits;
}

export async function typeDigits({ page }: PhoneWindow, digits: string): Promise<void> {
  await waitForHeading(page, 'Which digits does it show?');
  await page.keyboard.type(digits);
  await press(page, 'Add');
}

/** Adds `other` to the person of `phone`. */
export async function addPhone(phone: PhoneWindow, other: PhoneWindow): Promise<void> {
  await typeDigits(phone, await scanCode(other, await showCode(phone)));
  await waitForHeading(phone.page, 'Phone added');
  await waitForHeading(other.page, 'This phone is added');
}

/** Tries to sign a desktop in with a phone that can't any more. */
export async function failToSignIn(
  phone: PhoneWindow,
  message = 'The service did not accept this phone’s identity.',
): Promise<void> {
  const pairing = await openPairing(service, account.key);
  await phone.scanned(pairing.qrPayload);
  await press(phone.page, 'Approve');
  await phone.page.getByText(message).waitFor();
  expect((await poll(service, account.key, pairing)).body.session.state).not.toBe('bound');
}

/** Signs a desktop in, and returns the person's ID. */
export async function signIn(phone: PhoneWindow): Promise<string> {
  const pairing = await openPairing(service, account.key);
  await phone.scanned(pairing.qrPayload);
  await press(phone.page, 'Approve');
  await waitForHeading(phone.page, 'Signed in');
  const { body } = await poll(service, account.key, pairing);
  expect(body.session.state).toBe('bound');
  return body.session.userId;
}
