import type { Page } from 'playwright-core';
import type { Role } from '../../../server/src/model/roles.js';
import { addMember } from '../../../server/test/support/members.js';
import type { Account } from '../../../server/test/support/service.js';
import { openWindow, type Window } from './browser.js';
import type { PagesService } from './service.js';
import { logIn } from './signed-in.js';

/** Opens a page of the dashboard in a window that a new member with this role is logged in to. */
export async function openAs(
  service: PagesService,
  account: Account,
  role: Role,
  path: string,
): Promise<Window> {
  const member = await addMember(service, account, role);
  const window = await openWindow(service.origin);
  await window.page.goto(`/dashboard/login?next=${encodeURIComponent(path)}`);
  await logIn(window.page, member);
  await window.page.waitForURL(`**/dashboard${path}`);
  return window;
}

/** Opens another page without loading the dashboard again, which must be shown. */
export async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click();
  const heading = name === 'Webhooks' ? 'Events and webhooks' : name;
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}
