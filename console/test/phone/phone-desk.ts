import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, inEveryLook, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import type { PhoneWindow } from './phone-window.js';

export let service: PagesService;
export let account: Account;

/** Starts a service with one account for the tests of a file. */
export function startPhoneService(): void {
  beforeAll(async () => {
    service = await pagesService();
    account = await service.signUp({ companyName: 'Example AG' });
  });
  afterAll(() => service.close());
  // Registration steps are rate-limited per IP address, and all pages share one.
  afterEach(() => service.clock.advance(60_001));
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Waits for a user-supplied name in a `bdi` element, which isolates its direction marks. */
export const waitForIsolated = (page: Page, name: string) =>
  page.locator('bdi').getByText(name, { exact: true }).first().waitFor();
export const waitForHeading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor();

export async function checkLooks(page: Page, name: string): Promise<void> {
  await inEveryLook(page, async (at) => {
    await expectAccessible(page);
    await picture(page, `phone-${name}-${at}`);
  });
}

export async function openDesk(key = account.key): Promise<{ id: string; deeplink: string }> {
  const { body } = await service.call('POST', '/v1/registrations', { as: key, body: {} });
  return { id: body.session.id, deeplink: body.pair.deeplink };
}
export const stateAtDesk = async (id: string): Promise<string> =>
  (await service.call('GET', `/v1/registrations/${id}`, { as: account.key })).body.session.state;

/** Registers the phone as its owner would, and returns the registration's ID. Default: with the account of the file. */
export async function register(phone: PhoneWindow): Promise<string> {
  const { id, deeplink } = await openDesk();
  await phone.scanned(deeplink);
  await press(phone.page, 'Continue');
  await press(phone.page, 'Register');
  await waitForHeading(phone.page, 'Registered');
  return id;
}
