// @module-tag if-touched @pages console/scripts/ console/vite.config.ts console/index.html: opens every page but the documentation with an empty cache
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DASHBOARD } from './support/addresses.js';
import { openWindow } from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';
import { watchRequests } from './support/settled.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

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
  ...[
    '/',
    '/login',
    '/signup',
    '/join',
    '/forgot',
    '/reset',
    ...DASHBOARD,
    ...RECORDS,
    '/live/trust/audit/1',
    '/live/nothing',
    '/nothing',
  ].map((path) => `/dashboard${path}`),
];

// Another window each, because a first visit has no cookies and an empty cache.
it.each(addresses)(
  '%s logs no error when somebody visits it for the first time without a session',
  async (address) => {
    const { page, problems, close } = await openWindow(service.origin);
    const settled = watchRequests(page);
    const reply = await page.goto(address);
    await settled();
    expect({ status: reply?.status(), ...problems }).toEqual({
      status: 200,
      foreignRequests: [],
      consoleErrors: [],
      policyViolations: [],
    });
    await close();
  },
);
