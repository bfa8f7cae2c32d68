// @module-tag if-touched @pages console/src/dashboard/attendance/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { manualClock } from '../../../server/test/support/service.js';
import { DASHBOARD } from '../support/addresses.js';
import { fixedRandom, type Northwind, seedNorthwind } from '../support/northwind.js';
import { type PagesService, pagesService } from '../support/service.js';
import { watchRequests } from '../support/settled.js';
import { openDashboard } from '../support/signed-in.js';

/** How late the service answers, so that the page is drawn before. */
const LATE_MS = 300;
/** The cumulative layout shift. Browsers call a page good below 0.1. */
const PROMISED = 0.02;

let service: PagesService;
let northwind: Northwind;
beforeAll(async () => {
  // The page's clock is the current time, so the records have to be of the two days before.
  const clock = manualClock(Date.now() - 51 * 3_600_000);
  service = await pagesService({}, { clock, random: fixedRandom('shifts') });
  northwind = await seedNorthwind(service, 'shifts@northwind.example');
});
afterAll(() => service.close());

const OBSERVE = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, of: sources.map(({ node }) => (node?.outerHTML ?? node?.data ?? '').slice(0, 100)) });
  }).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  readonly of: readonly string[];
}

it.each([1280, 390])('moves nothing while the parts of a page are loaded, %i px wide', async (width) => {
  const window = await openDashboard(service, northwind, '/live/home');
  const { page } = window;
  await page.addInitScript(OBSERVE);
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue().catch(() => undefined);
  });
  await page.setViewportSize({ width, height: 800 });
  const settled = watchRequests(page);
  const { completed, deviceId, verificationId } = northwind;
  const records = [`users/${completed.userId}`, `devices/${deviceId}`, `verifications/${verificationId}`];
  const found: Record<string, readonly Shift[]> = {};
  for (const path of [...DASHBOARD, ...records.map((record) => `/live/${record}`)]) {
    await page.goto(`/dashboard${path}`);
    await settled();
    const shifts = await shiftsOf(page);
    if (shifts.reduce((sum, { value }) => sum + value, 0) >= PROMISED) found[path] = shifts;
  }
  expect(found, JSON.stringify(found, null, 1)).toEqual({});
  await window.close();
});

const shiftsOf = (page: Page) => page.evaluate<Shift[]>('window.shifts');
