import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { approveOnPhone } from '../../../server/test/support/oidc/oidc.js';
import { type Person, registerPerson } from '../../../server/test/support/phone.js';
import type { Account } from '../../../server/test/support/service.js';
import { openPhone, type PhoneWindow, typeNumber } from '../phone/phone-window.js';
import { expectClean, openWindow, type Window, type WindowOptions } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { type Application, openApplication } from './application.js';

export let service: PagesService;
export let account: Account;
export let application: Application;

/** Starts a service with one account and one application for the tests of a file. */
export function startSignInService(): void {
  beforeAll(async () => {
    service = await pagesService();
    account = await service.signUp({ plan: 'enterprise', companyName: 'Northwind Traders' });
    application = await openApplication(service, account);
  });
  afterAll(async () => {
    await application.close();
    await service.close();
  });
  // Requests are rate-limited per IP address, and all pages share one.
  afterEach(() => service.clock.advance(60_001));
}

/** A browser of somebody who signs in. */
export const openBrowser = (options: WindowOptions = {}): Promise<Window> =>
  openWindow(service.origin, options);

/** As `expectClean`, but a browser may go to the application. */
export function expectCleanSignIn(window: Window, expected?: RegExp, { origin } = application): void {
  const foreignRequests = window.problems.foreignRequests.filter((url) => !url.startsWith(`${origin}/`));
  expectClean({ ...window, problems: { ...window.problems, foreignRequests } }, expected);
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const waitForHeading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor();

/** What a sign-in page shows. */
export interface Shown {
  readonly id: string;
  readonly qrPayload: string;
  readonly matchCode: string;
}

/** Reads the code as a test of a customer would. */
export async function shownOn(page: Page): Promise<Shown> {
  const code = page.locator('[data-qr-payload]');
  const [qrPayload, matchCode] = [
    await code.getAttribute('data-qr-payload'),
    await code.getAttribute('data-match-code'),
  ] as [string, string];
  return { id: qrPayload.split(':')[3] as string, qrPayload, matchCode };
}

export const another = (number: string) => String((Number(number) + 1) % 100).padStart(2, '0');

/** Registers a phone page, of a person with this name. */
export async function openRegisteredPhone(name: string): Promise<PhoneWindow> {
  const phone = await openPhone(service);
  await registerWindow(phone, name);
  return phone;
}

export async function registerWindow(phone: PhoneWindow, fullName: string): Promise<void> {
  const body = { profile: { fullName } };
  const reply = await service.call('POST', '/v1/registrations', { as: account.key, body });
  await phone.scanned(reply.body.pair.deeplink);
  await press(phone.page, 'Continue');
  await press(phone.page, 'Register');
  await waitForHeading(phone.page, 'Registered');
}

/** Scans the code, and types the number. */
export async function typeOnPhone(phone: PhoneWindow, { qrPayload, matchCode }: Shown): Promise<void> {
  await phone.scanned(qrPayload);
  await typeNumber(phone.page, matchCode);
}

/** A person whose phone has no page. */
export async function newPerson(fullName: string): Promise<Person> {
  const body = { fullName, externalId: `employee-${fullName}` };
  const reply = await service.call('POST', '/v1/users', { as: account.key, body });
  if (reply.status !== 201) throw new Error(`creating a user returned ${reply.status} ${reply.text}`);
  return registerPerson(service, account.key, { externalId: body.externalId });
}

/** Approves what the page shows with the phone of the person. */
export async function approveShown(page: Page, person: Person): Promise<void> {
  const reply = await approveOnPhone({ service, account }, person, await shownOn(page));
  if (reply.status !== 200) throw new Error(`approving returned ${reply.status} ${reply.text}`);
}
