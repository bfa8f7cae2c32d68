import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, inEveryLook, picture } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import type { PhoneWindow } from './phone-window.js';

export let service: PagesService;
export let account: Account;

/** Gives the tests of a file a service of their own, with one account. */
export function startPhoneService(): void {
  beforeAll(async () => {
    service = await pagesService();
    account = await service.signUp({ companyName: 'Example AG' });
  });
  afterAll(() => service.close());
  // Each address may take few steps of a registration a minute, and all pages have the same address.
  afterEach(() => service.clock.advance(60_001));
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** A name that somebody else chose, in an element that keeps its direction from the text around it. */
export const apart = (page: Page, name: string) =>
  page.locator('bdi').getByText(name, { exact: true }).first().waitFor();
export const headed = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor();

export async function look(page: Page, name: string): Promise<void> {
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

export async function linkFragment(name = 'Example AG') {
  const key = await service.createKey(account, 'live', ['proof_pairing:claim']);
  return { key, fragment: `#link=${key}&tenant=${account.tenantId}&name=${encodeURIComponent(name)}` };
}

/** A phone that is registered and linked, as its owner would do it. */
export async function register(phone: PhoneWindow): Promise<string> {
  const { id, deeplink } = await openDesk();
  await phone.scanned(deeplink);
  await press(phone.page, 'Go on');
  await press(phone.page, 'Register');
  await headed(phone.page, 'Registered');
  return id;
}
export async function link({ page }: { page: Page }): Promise<string> {
  const { key, fragment } = await linkFragment();
  await page.goto('about:blank');
  await page.goto(`/phone/${fragment}`);
  await press(page, 'Link');
  await headed(page, 'Linked');
  return key;
}
