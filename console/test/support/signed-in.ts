import { parsePairingCode, Svc } from '@svc/sdk';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { enrolledAt, sdkProver } from '../../../server/test/support/sdk.js';
import type { Account } from '../../../server/test/support/service.js';
import { openWindow, type Window, type WindowOptions } from './browser.js';
import type { PagesService } from './service.js';

export async function logIn(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<void> {
  const button = page.getByRole('button', { name: 'Log in' });
  // The page before it can have the same fields.
  await button.waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await button.click();
}

/** Logs out with the account's menu. */
export async function logOut(page: Page, how: 'Log out' | 'Log out everywhere'): Promise<void> {
  await page.getByRole('button', { name: /^Account / }).click();
  await page.getByRole('menuitem', { name: how, exact: true }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
}

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;
/** The cookies of each account, so that only its first window has to log in. */
const sessions = new Map<string, StorageState>();

/** Opens a page of the dashboard in a window that is logged in to the account. */
export async function openDashboard(
  { origin }: PagesService,
  account: Account,
  path: string,
  options: WindowOptions & { before?: (page: Page) => Promise<unknown> } = {},
): Promise<Window> {
  const { before, ...rest } = options;
  const storageState = sessions.get(account.email);
  const window = await openWindow(origin, { ...rest, ...(storageState && { storageState }) });
  const { page, context } = window;
  await before?.(page);
  if (storageState !== undefined) {
    await page.goto(`/dashboard${path}`);
    return window;
  }
  await page.goto(`/dashboard/login?next=${encodeURIComponent(path)}`);
  await logIn(page, account);
  await page.waitForURL(`**/dashboard${path}`);
  sessions.set(account.email, await context.storageState());
  return window;
}

/** Shows all pages of a list. Those far from the window leave the document, so the list's own count tells when one arrived. */
export async function showAll(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Show more' });
  const shown = page.getByText(/^Showing /);
  while (await more.isVisible()) {
    const before = (await shown.textContent()) ?? '';
    // A click would first scroll to the button, and that already loads the next page.
    await more.dispatchEvent('click');
    await shown.and(page.getByText(before, { exact: true })).waitFor({ state: 'detached' });
  }
}

const FAILURES = {
  failing: {
    status: 503,
    headers: {},
    json: {
      error: 'service_unavailable',
      message: 'The service is not available. Try again.',
      requestId: 'req-1',
    },
  },
  'rate-limited': {
    status: 429,
    // Longer than the SDK waits before a retry.
    headers: { 'Retry-After': '60' },
    json: {
      error: 'rate_limit_exceeded',
      message: 'Too many requests. Try again later.',
      requestId: 'req-1',
    },
  },
};

/** Reloads the page while matching requests fail, first with 503 and then with 429. */
export async function whileFailing(
  page: Page,
  pattern: RegExp,
  check: (how: string) => Promise<void>,
): Promise<void> {
  for (const [how, failure] of Object.entries(FAILURES)) {
    await page.route(pattern, (route) => route.fulfill(failure));
    await page.reload();
    await check(how);
    await page.unroute(pattern);
  }
}

/** The text that a phone would scan, from the link next to the code. */
export async function scanned(page: Page): Promise<string> {
  const link = page.getByRole('link', { name: 'Open in this browser' });
  const href = (await link.getAttribute('href')) as string;
  return decodeURIComponent(href.replace(/^\/phone\/#code=/, ''));
}

/** The number that the page shows beside the code. */
export const numberOn = async (page: Page): Promise<string> =>
  (await page.getByLabel('Type this number on the phone').textContent()) ?? '';

/** Registers a person, and approves with a phone of theirs. */
export async function approve(
  service: PagesService,
  account: Account,
  code: string,
  matchCode: string,
): Promise<string> {
  const { c } = await completeCeremony(service, account, { profile: { fullName: 'Ada <b>Lovelace</b>' } });
  const proof = await (await sdkProver()).provePairing(c.identity, code, enrolledAt(service, account), {
    matchCode,
  });
  const { pairing } = new Svc({ baseUrl: service.origin }).phone;
  const { scanTicket } = await pairing.context(parsePairingCode(code));
  await pairing.submit(proof.sessionId, { ...proof, scanTicket });
  return c.identity.did;
}
