import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { type PhoneWindow, typeNumber } from '../phone/phone-window.js';
import { openWindow, type Window, type WindowOptions } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';

export let service: PagesService;
export let account: Account;

/** Starts a service with one account for the tests of a file. */
export function startDeskService(): void {
  beforeAll(async () => {
    service = await pagesService();
    account = await service.signUp({ plan: 'enterprise', companyName: 'Northwind Traders' });
  });
  afterAll(() => service.close());
  // Requests are rate-limited per IP address, and all pages share one.
  afterEach(() => service.clock.advance(60_001));
}

export interface DeskWindow extends Window {
  readonly deviceId: string;
}

export const newDevice = async (owner = account) => {
  const body = { name: 'Lobby kiosk', deviceType: 'kiosk' };
  const reply = await service.call('POST', '/api/console/devices', { as: owner.token, body });
  return { deviceId: reply.body.device.id as string, code: reply.body.enrollment.code as string };
};

export const revoke = (deviceId: string) =>
  service.call('DELETE', `/api/console/devices/${deviceId}`, { as: account.token });

/** A tablet that is set up with the link of a new device. `time` is what its clock shows first. */
export async function openDesk(options: WindowOptions = {}, time?: number): Promise<DeskWindow> {
  const { deviceId, code } = await newDevice();
  const viewport = { width: 1024, height: 768 };
  const window = await openWindow(service.origin, { viewport, ...options });
  if (time !== undefined) await window.page.clock.install({ time });
  await window.page.goto(`/desk#code=${code}&device=${deviceId}`);
  await window.page.locator('button[type="submit"]').click();
  await window.page.getByText('Northwind Traders').first().waitFor();
  return { ...window, deviceId };
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor();

export const START = 'Welcome to Northwind Traders';

/** Registers somebody, up to the code. */
export async function begin(page: Page, name = 'Ada Lovelace'): Promise<void> {
  await press(page, /^Register/);
  await page.keyboard.type(name);
  await press(page, 'Continue');
  await heading(page, 'Scan with your phone');
  await page.getByRole('img', { name: 'Code for your phone' }).waitFor();
}

/** What the stage shows. */
export async function shownOn(page: Page): Promise<{ readonly code: string; readonly number: string }> {
  const stage = page.locator('[data-qr-payload]');
  return {
    code: (await stage.getAttribute('data-qr-payload')) ?? '',
    number: (await stage.getAttribute('data-match-code')) ?? '',
  };
}

/** The person's part of a registration. */
export async function registerOn(phone: PhoneWindow, code: string): Promise<void> {
  await beginOn(phone, code);
  await finishOn(phone);
}

/** The phone joins the registration. */
export async function beginOn(phone: PhoneWindow, code: string): Promise<void> {
  await phone.scanned(code);
  await phone.page.getByRole('button', { name: 'Continue', exact: true }).click();
}

export const finishOn = ({ page }: PhoneWindow) =>
  page.getByRole('button', { name: 'Register', exact: true }).click();

/** Opens a sign-in's code, up to the number. */
export async function scanOn(phone: PhoneWindow, code: string): Promise<void> {
  await phone.scanned(code);
  await phone.page.getByRole('group', { name: 'Digits' }).waitFor();
}

export async function approveOn(phone: PhoneWindow, number: string): Promise<void> {
  await typeNumber(phone.page, number);
}

export const states = async (): Promise<readonly string[]> =>
  (await service.call('GET', '/v1/registrations', { as: account.key })).body.registrations.map(
    ({ state }: { state: string }) => state,
  );
