// @module-tag if-touched @pages console/src/dashboard/login/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, openWindow } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const WARNING = 'opened without encryption';

describe('the pages before the dashboard [http/surrounding-space]', () => {
  it('say that they were opened without encryption, where a log-in would only show the form again', async () => {
    const origin = service.origin.replace('localhost', 'svc.test');
    const window = await openWindow(origin, { switches: ['--host-resolver-rules=MAP svc.test 127.0.0.1'] });
    const { page } = window;
    for (const path of ['login', 'signup', 'forgot']) {
      await page.goto(`/dashboard/${path}`);
      await page.getByText(WARNING).waitFor();
    }
    await page.goto('/dashboard/login');
    await page.getByText(WARNING).waitFor();
    await expectAccessibleInEveryLook(page, 'login-without-encryption');
    await window.close();
  });

  it('say nothing of it at localhost', async () => {
    const { page, close } = await openWindow(service.origin);
    await page.goto('/dashboard/login');
    await page.getByRole('button', { name: 'Log in', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await page.getByText(WARNING).count()).toBe(0);
    await close();
  });
});
