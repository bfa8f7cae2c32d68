// @module-tag ci: every page: errors on a first visit, and its pictures
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DASHBOARD } from './support/addresses.js';
import { openWindow, type Window } from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';
import { watchRequests } from './support/settled.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const docs = readdirSync(fileURLToPath(new URL('../dist/docs', import.meta.url)), { recursive: true })
  .map((name) => `/docs/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.html') && name !== '/docs/404.html')
  .map((name) => name.replace(/(\/index)?\.html$/, ''));

const RECORDS = [
  'users',
  'devices',
  'registrations',
  'verifications',
  'pairing',
  'attendance',
  'webhooks',
  'applications',
].map((list) => `/live/${list}/019e1ae0-ca40-7246-a790-2db1ad6347d9`);

it('logs no error on any page when somebody visits it for the first time without a session', async () => {
  const dashboard = [
    '/',
    '/login',
    '/signup',
    ...DASHBOARD,
    ...RECORDS,
    '/live/audit/1',
    '/live/nothing',
    '/nothing',
  ];
  const addresses = ['/', '/phone/', '/sign-in/', ...dashboard.map((path) => `/dashboard${path}`)];
  const found: Record<string, unknown> = {};
  const visit = async ({ page, problems }: Window, address: string) => {
    const settled = watchRequests(page);
    const reply = await page.goto(address);
    await settled();
    if (Object.values(problems).some((list) => list.length > 0) || reply?.status() !== 200)
      found[address] = { status: reply?.status(), ...structuredClone(problems) };
  };
  for (const address of addresses) {
    // Another window each, because a first visit has no cookies and an empty cache.
    const window = await openWindow(service.origin);
    await visit(window, address);
    await window.close();
  }
  // The pages of the documentation share one template, with the same style and script.
  const window = await openWindow(service.origin);
  for (const address of docs) await visit(window, address);
  await window.close();
  expect(found).toEqual({});
});
