// @module-tag ci: opens every page with an empty cache
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const addresses = [
  ...['/', '/phone/', '/sign-in/'],
  ...['/', '/login', '/signup', ...DASHBOARD, ...RECORDS, '/live/audit/1', '/live/nothing', '/nothing'].map(
    (path) => `/dashboard${path}`,
  ),
];

async function expectNoError({ page, problems }: Window, address: string): Promise<void> {
  const settled = watchRequests(page);
  const reply = await page.goto(address);
  await settled();
  expect({ status: reply?.status(), ...problems }).toEqual({
    status: 200,
    foreignRequests: [],
    consoleErrors: [],
    policyViolations: [],
  });
}

// Another window each, because a first visit has no cookies and an empty cache.
it.each(addresses)(
  '%s logs no error when somebody visits it for the first time without a session',
  async (address) => {
    const window = await openWindow(service.origin);
    await expectNoError(window, address);
    await window.close();
  },
);

describe('the documentation', () => {
  let window: Window;
  beforeAll(async () => {
    window = await openWindow(service.origin);
  });
  afterAll(() => window.close());

  // Its pages share one template, with the same style and script.
  it.each(docs)('%s logs no error', (address) => expectNoError(window, address));
});
