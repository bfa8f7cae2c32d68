// @module-tag if-touched @pages console/src/dashboard/shell/ console/src/dashboard/records/ console/src/dashboard/pages.ts console/src/dashboard/main.tsx console/src/dashboard/dashboard.tsx console/src/dashboard/session.tsx: the frame of the dashboard in detail
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

it('focuses the first field of a dialog, and marks the page that is open with forced colours too', async () => {
  const window = await openDashboard(service, await service.signUp(), '/developers/keys', {
    forcedColors: 'active',
  });
  const { page } = window;
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New key' });
  await form.getByLabel('Name').waitFor();
  expect(await form.getByLabel('Name').evaluate((field) => field.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });
  const outlineOf = (name: string) =>
    link(name).evaluate((found) => found.ownerDocument.defaultView?.getComputedStyle(found).outlineStyle);
  expect([await outlineOf('API keys'), await outlineOf('Requests')]).toEqual(['solid', 'none']);
  expectClean(window);
  await window.close();
});
