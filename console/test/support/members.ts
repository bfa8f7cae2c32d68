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

/** The rooms whose pages have names of their own. */
const ROOM_OF: Readonly<Record<string, string>> = {
  Everybody: 'People',
  Registrations: 'People',
  Applications: 'Sign-in',
  'Desks and devices': 'Sign-in',
  Policy: 'Sign-in',
  Verifications: 'Activity',
  Pairings: 'Activity',
  Attendance: 'Activity',
  Approvals: 'Activity',
  'API keys': 'Developers',
  Requests: 'Developers',
  Webhooks: 'Developers',
  Playground: 'Developers',
  'SDK and CLI': 'Developers',
  'Audit log': 'Trust',
  Receipts: 'Trust',
  'Check everything': 'Trust',
  Exports: 'Trust',
  Company: 'Settings',
  Team: 'Settings',
  'My log-in': 'Settings',
  'Plan and usage': 'Settings',
};

/** Opens another page by its name in the navigation, which shows the pages of one room. */
export async function openPage(page: Page, name: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Dashboard' });
  const room = ROOM_OF[name];
  const link = navigation.getByRole('link', { name, exact: true });
  if (room !== undefined) await navigation.getByRole('link', { name: room, exact: true }).click();
  await link.click();
}

/** Opens another page without loading the dashboard again, which must be shown. */
export async function follow(page: Page, name: string): Promise<void> {
  await openPage(page, name);
  await page.getByRole('heading', { level: 1, name: HEADINGS[name] ?? name, exact: true }).waitFor();
}

const HEADINGS: Readonly<Record<string, string>> = { Everybody: 'People', Webhooks: 'Events and webhooks' };
