// @module-tag if-touched @pages console/src/dashboard/time/ console/src/dashboard/nouns/sites/ console/src/dashboard/team/: one room of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../../../server/test/support/members.js';
import { createSite } from '../../../server/test/support/punches.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const rooms = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');

describe('the room Time', () => {
  it('begins with the first site, which lists the keys that read attendance, and with rights for a member [POST /v1/sites] [GET /v1/sites] [PATCH /v1/sites/:siteId]', async () => {
    const account = await service.signUp();
    const grace = await addMember(service, account, 'developer');
    const window = await openDashboard(service, account, '/live/time/here');
    const { page } = window;
    await page.getByRole('heading', { name: 'Working time is off' }).waitFor();
    await expectAccessibleInEveryLook(page, 'time-off');
    await page.getByRole('link', { name: 'Create the first site' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('North plant');
    await dialog.getByLabel('Country').selectOption('DE');
    await dialog.getByLabel('Time zone').fill('Europe/Nowhere');
    await dialog.getByText('Payroll file').click();
    await dialog.getByLabel('Type of working time').fill('100');
    await expectAccessibleInEveryLook(page, 'time-new-site');
    await dialog.getByRole('button', { name: 'Turn working time on' }).click();
    await dialog.getByText('must be a zone of the IANA database').waitFor();
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Turn working time on' }).click();
    const keys = dialog.getByRole('list', { name: 'Keys that read attendance' }).getByRole('listitem');
    await keys.first().waitFor();
    expect(await keys.count()).toBe(1);
    await expectAccessibleInEveryLook(page, 'time-turned-on');
    await dialog.getByRole('link', { name: 'Team' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Rights over hours' }).click();
    await dialog.getByLabel('Hours', { exact: true }).check();
    await dialog.getByLabel('All sites').uncheck();
    await dialog.getByLabel('North plant').check();
    await expectAccessibleInEveryLook(page, 'time-rights');
    await dialog.getByRole('button', { name: 'Change the rights' }).click();
    await row.getByText('Hours').waitFor();
    const { body } = await service.call('GET', '/api/console/members', { as: account.token });
    const { id } = (await service.call('GET', '/v1/sites?environment=live', { session: account.token })).body
      .sites[0];
    expect(body.members.find((member: { id: string }) => member.id === grace.id)).toMatchObject({
      hours: true,
      representative: false,
      siteIds: [id],
    });
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('changes a site, and lists it', async () => {
    const account = await service.signUp();
    await createSite(service, account);
    const window = await openDashboard(service, account, '/live/time/sites');
    const { page } = window;
    await page.getByRole('button', { name: 'Edit Werk Nord' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Werk Süd');
    await dialog.getByRole('radio', { name: 'Anywhere' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Werk Süd' });
    await row.getByText('Anywhere').waitFor();
    await row.getByText('Germany').waitFor();
    await expectAccessibleInEveryLook(page, 'time-sites');
    expectClean(window);
    await window.close();
  });

  it('is not there for a developer without a right, and reception sees only who is here', async () => {
    const account = await service.signUp();
    const before = await openAs(service, account, 'reception', '/live/open');
    await before.page.getByRole('heading', { level: 1, name: 'Open now' }).waitFor();
    expect(await rooms(before.page).filter({ hasText: 'Here now' }).count()).toBe(0);
    await before.close();
    await createSite(service, account);
    const developer = await openAs(service, account, 'developer', '/live/time/month');
    await developer.page.getByText('Only members with the right Hours or Representative').waitFor();
    expect(
      await rooms(developer.page)
        .filter({ hasText: /^Time$/ })
        .count(),
    ).toBe(0);
    expectClean(developer);
    await developer.close();
    const reception = await openAs(service, account, 'reception', '/live/open');
    await rooms(reception.page).filter({ hasText: 'Here now' }).click();
    await reception.page.getByText('Nobody is on site.').waitFor();
    expect(await rooms(reception.page).allInnerTexts()).not.toContain('Month');
    expectClean(reception);
    await reception.close();
  });

  it('gives a device and a person their site [PATCH /api/console/devices/:id] [PATCH /v1/users/:userId]', async () => {
    const account = await service.signUp();
    const site = await createSite(service, account);
    const ok = async (path: string, body: object) =>
      (await service.call('POST', path, { as: account.key, body })).body;
    const { device } = await ok('/v1/devices', { name: 'Main gate', deviceType: 'kiosk' });
    const { user } = await ok('/v1/users', { fullName: 'Ada Lovelace' });
    const window = await openDashboard(service, account, `/live/sign-in/devices/${device.id}`);
    const { page } = window;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Site').selectOption('Another place');
    await dialog.getByLabel('Place').fill('Hall 2');
    await dialog.getByLabel('Site').selectOption('Werk Nord');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Main gate' }).getByText('Werk Nord').waitFor();
    await page.goto(`/dashboard/live/people/${user.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Site').selectOption('Werk Nord');
    await dialog.getByLabel('Clocks in').selectOption('Anywhere');
    await dialog.getByLabel('Employee code').fill('1815');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Ada Lovelace' }).getByText('Werk Nord').waitFor();
    const stored = async (path: string) => (await service.call('GET', path, { as: account.key })).body;
    expect((await stored(`/v1/devices/${device.id}`)).device.locationId).toBe(site.id);
    expect((await stored(`/v1/users/${user.id}`)).user).toMatchObject({
      ...{ siteId: site.id, attendanceFrom: 'anywhere', employeeCode: '1815' },
    });
    expectClean(window);
    await window.close();
  });

  it('says plainly that the attendance of others is not for a member, where the service refuses it [role_insufficient]', async () => {
    const account = await service.signUp();
    const { user } = (
      await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada Lovelace' } })
    ).body;
    const window = await openAs(service, account, 'developer', '/live/home');
    const { page } = window;
    const refused = { error: 'role_insufficient', message: 'This needs a right.', requestId: 'req-1' };
    await page.route(/\/v1\/(attendance|activity)/, (route) => route.fulfill({ status: 403, json: refused }));
    const sentence = page.getByText('Attendance is working time here.');
    for (const address of ['activity/attendance', 'activity', `people/${user.id}`]) {
      await page.goto(`/dashboard/live/${address}`);
      await sentence.first().waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    expectClean(window, /status of 403/);
    await window.close();
  });
});
