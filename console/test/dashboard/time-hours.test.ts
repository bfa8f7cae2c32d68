// @module-tag if-touched @pages console/src/dashboard/time/: one room of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPerson } from '../../../server/test/support/phone.js';
import { createSite, placeDesk, proposeOwn, type Site } from '../../../server/test/support/punches.js';
import { type Account, manualClock } from '../../../server/test/support/service.js';
import { openedDesk, staffAt } from '../../../server/test/support/staff.js';
import { expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { asProved, employ, giveRights, NOON, record } from '../support/hours.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logOut, openDashboard } from '../support/signed-in.js';

const FIVE_MINUTES = 5 * 60_000;

let service: PagesService;
let account: Account;
let site: Site;
beforeAll(async () => {
  service = await pagesService({}, { clock: manualClock(NOON) });
});
afterAll(() => service.close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  site = await createSite(service, account);
  await giveRights(service, account);
});

describe('the month [GET /v1/attendance/sheets] [GET /v1/attendance/months/:month]', () => {
  it('shows hours, a flag and what only a key recorded, and is closed with its open flag [POST /v1/attendance/months/:month/close]', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id, employeeCode: '1815' });
    const bo = await employ(service, account, 'Bo Diddley', { siteId: site.id });
    await record(service, account, ada, 'come', '2026-05-12T06:00');
    await record(service, account, ada, 'go', '2026-05-12T14:30');
    await record(service, account, ada, 'come', '2026-05-13T06:00');
    await asProved(service, account, [ada]);
    await record(service, account, bo, 'come', '2026-05-12T06:00');
    await record(service, account, bo, 'go', '2026-05-12T10:00');
    await service.call('POST', '/v1/attendance/marks', {
      as: account.key,
      body: { userId: bo.id, date: '2026-05-15', code: 'holiday', source: 'HR' },
    });
    const window = await openDashboard(service, account, `/live/time/month?month=2026-05`);
    const { page } = window;
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Ada Lovelace').getByRole('cell', { name: '8:30', exact: true }).first().waitFor();
    await row('Bo Diddley').getByText('+4:00').first().waitFor();
    await row('Bo Diddley').getByText('hol').waitFor();
    await row('Ada Lovelace').getByText('Came and did not go.').waitFor();
    await page.getByText('This month is not closed.').waitFor();
    await expectAccessibleInEveryLook(page, 'time-month');

    await page.getByRole('button', { name: 'Payroll …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Everybody with hours has a personnel number.').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();

    await page.getByRole('button', { name: 'Close the month …' }).click();
    await dialog
      .getByRole('list', { name: 'Open flags' })
      .getByText(/Wed,? 13 May/)
      .waitFor();
    await expectAccessibleInEveryLook(page, 'time-close');
    const flags = (
      await service.call('GET', `/v1/attendance/months/2026-05?siteId=${site.id}`, { as: account.key })
    ).body.flags.length;
    await dialog.getByRole('button', { name: `Close with ${flags} open` }).click();
    const versions = page.getByRole('list', { name: 'Versions' });
    await versions.getByText('Version 1').waitFor();

    await record(service, account, ada, 'go', '2026-05-13T14:00');
    await asProved(service, account, [ada]);
    await page.reload();
    await page.getByRole('button', { name: 'Close again …' }).click();
    await dialog
      .getByRole('button', { name: /^Close / })
      .last()
      .click();
    await versions.getByText('Changed since the version before: Ada Lovelace.').waitFor();
    await expectAccessibleInEveryLook(page, 'time-closed');
    expectClean(window);
    await window.close();
  });

  it('of one person is one page of paper, with each day, notes and signatures', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id, employeeCode: '1815' });
    for (let day = 1; day <= 31; day += 1) {
      const date = `2026-05-${String(day).padStart(2, '0')}`;
      await record(service, account, ada, 'come', `${date}T05:${String(10 + day)}`);
      await record(service, account, ada, 'beginBreak', `${date}T10:00`);
      await record(service, account, ada, 'endBreak', `${date}T10:20`);
      if (day !== 20) await record(service, account, ada, 'go', `${date}T15:30`);
    }
    await asProved(service, account, [ada]);
    const window = await openDashboard(service, account, `/live/time/month/${ada.id}?month=2026-05`);
    const { page } = window;
    const sheet = page.getByRole('article', { name: 'Sheet' });
    await sheet.getByText('Personnel number 1815').waitFor();
    expect(await sheet.locator('tbody tr').count()).toBe(31);
    await sheet.getByText('Came twice without going. The first shift has no end and no minutes.').waitFor();
    await expectAccessibleInEveryLook(page, 'time-person');
    await page.emulateMedia({ media: 'print' });
    expect(await sheet.getByText('Date, for the company').isVisible()).toBe(true);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    await paper(page, 'time-person');
    const file = await page.pdf({ preferCSSPageSize: true });
    expect(file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBe(1);
    await page.emulateMedia({ media: 'screen' });
    expectClean(window);
    await window.close();
  });
});

describe('the PIN of a person', () => {
  it('is taken away on their month, and then opens nothing at a desk [DELETE /v1/users/:userId/attendance-pin]', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id, employeeCode: '1815' });
    const desk = await openedDesk(service, account);
    await placeDesk(service, account, desk, site);
    const headers = await staffAt(service, desk, account);
    const drawn = await service.call('POST', '/v1/staff/pins', { headers, body: { userId: ada.id } });
    const declare = () =>
      service.call('POST', '/v1/attendance/declared/pin', {
        as: desk.session,
        body: { number: '1815', pin: drawn.body.pin, newPin: '483920' },
      });
    const window = await openDashboard(service, account, `/live/time/month/${ada.id}?month=2026-06`);
    const { page } = window;
    await page.getByRole('button', { name: 'Take the PIN away …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take the PIN of Ada Lovelace away?' });
    await dialog.waitFor();
    await expectAccessibleInEveryLook(page, 'time-pin');
    await dialog.getByRole('button', { name: 'Take the PIN away', exact: true }).click();
    await page.getByText('The PIN is taken away').waitFor();
    expect((await declare()).body).toMatchObject({ error: 'pin_rejected' });
    expectClean(window);
    await window.close();
  });
});

describe('marks of days', () => {
  it('are added and removed on a person’s month without another look at the sheet, and are in the month of the site [POST /v1/attendance/marks] [DELETE /v1/attendance/marks/:id]', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id });
    const window = await openDashboard(service, account, `/live/time/month/${ada.id}?month=2026-06`);
    const { page } = window;
    const sheets: string[] = [];
    const add = page.getByRole('button', { name: /^Mark Fri,? 12 Jun/ });
    const row = page.getByRole('row').filter({ hasText: /^Fri,? 12/ });
    const dialog = page.getByRole('dialog');
    await add.click();
    page.on('request', (request) => {
      if (request.url().includes('/v1/attendance/sheets')) sheets.push(request.url());
    });
    await dialog.getByLabel('Mark', { exact: true }).fill('on leave');
    await dialog.getByRole('button', { name: 'Add the mark' }).click();
    await dialog.getByText('Mark must be 1 to 32 letters').waitFor();
    await dialog.getByLabel('Mark', { exact: true }).fill('holiday');
    await expectAccessibleInEveryLook(page, 'time-mark');
    await dialog.getByRole('button', { name: 'Add the mark' }).click();
    await row.getByText('holiday').last().waitFor();
    await add.click();
    await dialog.getByRole('list', { name: 'Marks of the day' }).getByText('HR').waitFor();
    await expectAccessibleInEveryLook(page, 'time-marked');
    await dialog.getByRole('button', { name: 'Remove “holiday”' }).click();
    await row.getByText('holiday').last().waitFor({ state: 'detached' });
    await dialog.getByLabel('Mark', { exact: true }).fill('absent');
    await dialog.getByRole('button', { name: 'Add the mark' }).click();
    await row.getByText('absent').last().waitFor();
    expect(sheets).toEqual([]);
    await page.getByRole('link', { name: 'Everybody’s month' }).click();
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).getByText('abs').waitFor();
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('are not for a representative, who corrects nothing either', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id });
    await giveRights(service, account, { hours: false, representative: true });
    const { page, close } = await openDashboard(service, account, `/live/time/month/${ada.id}?month=2026-06`);
    await page.getByRole('article', { name: 'Sheet' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Mark|Correct) / }).count()).toBe(0);
    await close();
  });
});

/** Takes a picture of the page as it is printed, as wide as A4 without its margins. */
async function paper(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 703, height: 1032 });
  await picture(page, `${name}-paper`);
  if (before) await page.setViewportSize(before);
}

describe('corrections [GET /v1/attendance/corrections]', () => {
  it('are agreed together after one confirmation, each by a request of its own [POST /v1/attendance/corrections/:id/decide] [step_up_required]', async () => {
    const { externalId } = (
      await service.call('POST', '/v1/users', {
        as: account.key,
        body: { fullName: 'Ada Lovelace', externalId: crypto.randomUUID(), siteId: site.id },
      })
    ).body.user;
    const ada = await registerPerson(service, account.key, { externalId });
    const old = await record(service, account, { id: ada.userId, name: '' }, 'come', '2026-06-09T06:10');
    const company = { tenantId: account.tenantId, company: 'Example' };
    const come = { type: 'check_in', reason: 'work' } as const;
    const first = await proposeOwn(service, ada, company, {
      ...{ userId: ada.userId, cause: 'wrong_time', note: 'I came with the first bus.' },
      changes: [
        {
          old: { id: old, ...come, occurredAt: '2026-06-09T06:10:00.000Z' },
          new: { ...come, occurredAt: '2026-06-09T05:30:00.000Z' },
        },
      ],
    });
    const second = await proposeOwn(service, ada, company, {
      ...{ userId: ada.userId, cause: 'forgotten', note: null },
      changes: [
        {
          old: null,
          new: { type: 'check_out', reason: 'work', occurredAt: '2026-06-09T14:00:00.000Z' },
        },
      ],
    });
    expect([first.status, second.status]).toEqual([201, 201]);
    const window = await openDashboard(service, account, '/live/time/corrections');
    const { page } = window;
    const waiting = page.getByRole('region', { name: 'Waiting for the company' });
    await waiting.getByText('Came 08:10').waitFor();
    await waiting.getByText('Came 07:30').waitFor();
    await waiting.getByText('I came with the first bus.').waitFor();
    await waiting.getByRole('button', { name: 'Choose all' }).click();
    await expectAccessibleInEveryLook(page, 'time-corrections');
    service.clock.advance(FIVE_MINUTES + 1_000);
    const decisions: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/decide')) decisions.push(request.url());
    });
    await waiting.getByRole('button', { name: 'Agree to all chosen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Your password').fill(account.password);
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Nothing waits for the company.').waitFor();
    // The first is sent again once the log-in is confirmed.
    expect(new Set(decisions).size).toBe(2);
    expect(decisions.length).toBe(3);
    const { body } = await service.call('GET', '/v1/attendance/corrections', { as: account.key });
    expect(body.corrections.map(({ state }: { state: string }) => state)).toEqual(['agreed', 'agreed']);
    expectClean(window, /status of 403/);
    await window.close();
  });

  it('are proposed from a day of a person’s month, and withdrawn [POST /v1/attendance/corrections] [POST /v1/attendance/corrections/:id/withdraw]', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id });
    const id = await record(service, account, ada, 'come', '2026-06-09T06:00');
    const window = await openDashboard(service, account, `/live/time/month/${ada.id}?month=2026-06`);
    const { page } = window;
    await page.getByRole('button', { name: /^Correct Tue,? 9 Jun/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What happens to “Came 08:00”').selectOption('Change');
    await dialog.getByLabel('Time at the site').fill('2026-06-09T07:45');
    await dialog.getByRole('button', { name: 'Add an event' }).click();
    await dialog.getByLabel('Cause').selectOption('Wrong time');
    await dialog.getByLabel('Note').fill('The gate has another clock.');
    await expectAccessibleInEveryLook(page, 'time-propose');
    await dialog.getByRole('button', { name: 'Propose the correction' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await service.call('GET', '/v1/attendance/corrections', { as: account.key });
    expect(body.corrections[0]).toMatchObject({
      ...{
        state: 'proposed',
        proposedBy: 'member',
        cause: 'wrong_time',
        note: 'The gate has another clock.',
      },
      changes: [
        { old: { id }, new: { type: 'check_in', occurredAt: '2026-06-09T05:45:00.000Z' } },
        { old: null, new: { type: 'check_out', occurredAt: '2026-06-09T15:00:00.000Z' } },
      ],
    });
    await page.goto('/dashboard/live/time/corrections');
    const waiting = page.getByRole('region', { name: 'Waiting for the person' });
    await waiting.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await waiting.waitFor({ state: 'detached' });
    await page.getByRole('row').getByText('Withdrawn').waitFor();
    expectClean(window);
    await window.close();
  });
});

describe('who is here now [GET /v1/sites/:siteId/presence]', () => {
  it('stays with its time when there is no network, and is printed on one page', async () => {
    const device = (
      await service.call('POST', '/v1/devices', {
        as: account.key,
        body: { name: 'Main gate', deviceType: 'kiosk', locationId: site.id },
      })
    ).body.device;
    const names = ['Ada Lovelace', 'Bo Diddley', 'Chiara Costa', 'Dmitri Ivanov'];
    for (const [at, name] of names.entries()) {
      const person = await employ(service, account, name, { siteId: site.id });
      await record(service, account, person, 'come', `2026-06-10T0${5 + at}:15`, { deviceId: device.id });
      if (at === 1)
        await record(service, account, person, 'beginBreak', '2026-06-10T09:30', { deviceId: device.id });
      if (at === 3) await record(service, account, person, 'go', '2026-06-10T09:00', { deviceId: device.id });
    }
    const window = await openDashboard(service, account, '/live/time/here');
    const { page, context } = window;
    const table = page.getByRole('table', { name: 'On site' });
    await table.getByText('Bo Diddley').waitFor();
    expect(await table.getByText('Dmitri Ivanov').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'time-here');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(/This is the list of .*12:0/).waitFor();
    await table.getByText('Ada Lovelace').waitFor();
    await expectAccessibleInEveryLook(page, 'time-here-offline');
    await page.emulateMedia({ media: 'print' });
    expect(await table.isVisible()).toBe(false);
    const list = page.getByRole('region', { name: 'Evacuation list' }).getByRole('listitem');
    expect(await list.count()).toBe(3);
    await paper(page, 'time-evacuation');
    const file = await page.pdf({ preferCSSPageSize: true });
    expect(file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBe(1);
    await page.emulateMedia({ media: 'screen' });
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(/This is the list of/).waitFor({ state: 'detached' });
    expectClean(window, /ERR_INTERNET_DISCONNECTED/);
    await window.close();
  });

  it('is shown and printed without a network after a reload too, says how old it is, and is deleted at the log-out', async () => {
    const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id });
    const { id: deviceId } = (
      await service.call('POST', '/v1/devices', {
        as: account.key,
        body: { name: 'Main gate', deviceType: 'kiosk', locationId: site.id },
      })
    ).body.device;
    await record(service, account, ada, 'come', '2026-06-10T06:15', { deviceId });
    const window = await openDashboard(service, account, '/live/time/here');
    const { page, context } = window;
    await page.getByRole('table', { name: 'On site' }).getByText('Ada Lovelace').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.clock.install({ time: Date.now() });
    await context.setOffline(true);
    await page.reload();
    await page.getByText(/This is the list of Wednesday.* 12:\d\d \(just now\)\./).waitFor();
    await page.clock.fastForward(35 * 60_000);
    await page.getByText(/\(35 minutes ago\)/).waitFor();
    const list = page.getByRole('region', { name: 'Evacuation list' });
    await list.getByRole('checkbox', { name: /Ada Lovelace.*08:15, Main gate/ }).check();
    await expectAccessibleInEveryLook(page, 'time-here-kept');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await list.isVisible()).toBe(true);
    await paper(page, 'time-here-kept');
    await page.emulateMedia({ media: 'screen' });
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'On site' }).waitFor();
    const kept = () => page.evaluate<string | null>('localStorage.getItem("here-lists")');
    expect(await kept()).toContain('Ada Lovelace');
    await logOut(page, 'Log out');
    expect(await kept()).toBeNull();
    await context.setOffline(true);
    await page.goto('/dashboard/live/time/here');
    await page.getByText('this browser keeps no list of this site').waitFor();
    await window.close();
  });
});
