// @module-tag if-touched @pages console/src/inspection/ server/src/features/sheets/: the page of an inspection in detail
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { createSite, type Site } from '../../../server/test/support/punches.js';
import { type Account, manualClock } from '../../../server/test/support/service.js';
import {
  expectAccessible,
  expectAccessibleInEveryLook,
  expectClean,
  openWindow,
  picture,
  type Window,
} from '../support/browser.js';
import { asProved, employ, giveRights, NOON, record } from '../support/hours.js';
import { type PagesService, pagesService } from '../support/service.js';

let service: PagesService;
let account: Account;
let site: Site;
beforeAll(async () => {
  service = await pagesService({}, { clock: manualClock(NOON) });
  account = await service.signUp({ plan: 'enterprise', companyName: 'Muster AG' });
  site = await createSite(service, account);
  await giveRights(service, account);
});
afterAll(() => service.close());

interface Given {
  readonly id: string;
  readonly url: string;
  readonly code: string;
}

async function given(of: Site, more: object = {}): Promise<Given> {
  const { status, body, text } = await service.call('POST', '/v1/attendance/inspections', {
    as: account.key,
    body: { siteId: of.id, from: '2026-04', to: '2026-06', ...more },
  });
  if (status !== 201) throw new Error(`creating an inspection returned ${text}`);
  return { id: body.inspection.id, url: body.url, code: body.code };
}

async function open(url: string, locale = 'en-GB'): Promise<Window> {
  const window = await openWindow(service.origin, { locale });
  await window.page.goto(url);
  return window;
}

async function enter(page: Page, code: string, label = 'Code', button = 'Open'): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** Two people with a month that has something to look at. */
async function work(): Promise<void> {
  const ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id, employeeCode: '1815' });
  const bo = await employ(service, account, 'Bo Diddley', { siteId: site.id });
  for (let day = 1; day <= 31; day += 1) {
    const date = `2026-05-${String(day).padStart(2, '0')}`;
    await record(service, account, ada, 'come', `${date}T05:${String(10 + day)}`);
    await record(service, account, ada, 'beginBreak', `${date}T10:00`);
    await record(service, account, ada, 'endBreak', `${date}T10:20`);
    if (day !== 20) await record(service, account, ada, 'go', `${date}T15:30`);
  }
  await asProved(service, account, [ada]);
  await record(service, account, bo, 'come', '2026-05-12T06:00');
  await record(service, account, bo, 'go', '2026-05-12T10:00');
  await service.db.query(sql.mutation`update attendance set contested_at = ${new Date(NOON)}
    where tenant_id = ${account.tenantId} and user_id = ${ada.id} and occurred_at = ${new Date('2026-05-05T15:30:00Z')}`);
  await service.call('POST', '/v1/attendance/marks', {
    as: account.key,
    body: { userId: bo.id, date: '2026-05-15', code: 'holiday', source: 'HR' },
  });
}

describe('somebody with a link and a code [time/inspection]', () => {
  it('reads, prints and fetches the hours of a site, until the inspection ends', async () => {
    await work();
    const of = await given(site);
    const window = await open(of.url);
    const { page } = window;
    await heading(page, 'Inspection of working time');
    expect(page.url()).toBe(`${service.origin}/inspection`);
    await expectAccessibleInEveryLook(page, 'inspection-code');
    await enter(page, of.code === '000000' ? '000001' : '000000');
    await page.getByText('This link and this code open nothing.').waitFor();
    await enter(page, of.code);

    // The site is in Germany.
    await heading(page, 'Muster AG');
    expect(await page.title()).toBe('Prüfung der Arbeitszeit');
    await page.getByLabel('Monat', { exact: true }).selectOption('Mai 2026');
    const summary = page.getByRole('region', { name: 'Alle' });
    const row = (name: string) => summary.getByRole('row').filter({ hasText: name });
    await row('Bo Diddley').getByRole('cell', { name: '+4:00' }).waitFor();
    await row('2 Personen').waitFor();
    const sheet = page.getByRole('article', { name: 'Blatt von Ada Lovelace' });
    await sheet.getByText('Personalnummer 1815').waitFor();
    const day = (name: string) => sheet.getByRole('row').filter({ hasText: name });
    expect(await sheet.locator('tbody tr').count()).toBe(31);
    expect(await day('05.05').locator('td').allInnerTexts()).toEqual([
      ...['07:15', '17:30 ‡', '12:00 – 12:20', '0:20', '9:55', ''],
      expect.stringMatching(/bestritten/),
    ]);
    expect(await day('20.05').textContent()).toContain('ohne Ende');
    await sheet.getByText('Zweimal Kommen ohne Gehen.').waitFor();
    await sheet.getByText(/Mehr als 9 Stunden Arbeit mit insgesamt weniger als 45 Minuten Pause/).waitFor();
    const other = page.getByRole('article', { name: 'Blatt von Bo Diddley' });
    await other.getByText('† Nur von einem API-Schlüssel').waitFor();
    expect(await other.getByRole('row').filter({ hasText: '12.05' }).textContent()).toMatch(
      /08:00 †.*12:00 †/,
    );
    await other.getByText('holiday (HR)').waitFor();
    await expectAccessibleInEveryLook(page, 'inspection-month');

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Drucken' }).isVisible()).toBe(false);
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBe(3);
    await page.setViewportSize({ width: 703, height: 1032 });
    await picture(page, 'inspection-paper');
    await page.emulateMedia({ media: 'screen' });

    for (const [button, file, begins] of [
      ['CSV', 'hours-2026-05.csv', 'site;date;employeeCode;name;'],
      ['Excel (XLSX)', 'hours-2026-05.xlsx', 'PK'],
      ['Datei zum Nachprüfen', 'hours-2026-05.jsonl', '{"'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      expect((await readFile(await download.path(), 'utf8')).startsWith(begins), file).toBe(true);
    }

    await page.reload();
    await heading(page, 'Muster AG');
    await summary.waitFor();
    await service.call('DELETE', `/v1/attendance/inspections/${of.id}`, { as: account.key });
    await page.getByRole('button', { name: 'Voriger Monat' }).click();
    await heading(page, 'Diese Prüfung ist beendet');
    await expectAccessible(page);
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    expectClean(window, /status of 404/);
    await window.close();
    const { body } = await service.call('GET', '/v1/attendance/inspections', { as: account.key });
    // June at first and after the page was loaded again, May, and three files.
    expect(body.inspections[0]).toMatchObject({ id: of.id, looks: 6 });
  });

  it('checks a month in the browser, and reads why a check fails once the inspection has ended [time/hours-file]', async () => {
    const there = await createSite(service, account, { name: 'Werk Süd' });
    const cy = await employ(service, account, 'Cy Twombly', { siteId: there.id });
    await record(service, account, cy, 'come', '2026-06-09T06:00');
    await record(service, account, cy, 'go', '2026-06-09T14:30');
    const of = await given(there);
    const window = await open(of.url);
    const { page } = window;
    await enter(page, of.code);
    const panel = (name: string) => page.getByRole('region', { name });
    await panel('Monat nachprüfen').getByRole('button', { name: 'Monat nachprüfen' }).click();
    await page.getByText('Dieser Monat stimmt.').waitFor();
    await page.getByText('1 Person, 0:00 Stunden nach ihren eigenen Buchungen und 8:30 weitere').waitFor();
    await expectAccessibleInEveryLook(page, 'inspection-check-de');
    for (const [language, holds] of [
      ['Español', 'Este mes es correcto.'],
      ['English', 'This month holds.'],
    ] as const) {
      await page.getByRole('combobox').first().selectOption(language);
      await page.getByText(holds).waitFor();
      await expectAccessibleInEveryLook(page, `inspection-check-${language}`);
    }

    await service.db.query(sql.mutation`update attendance set occurred_at = occurred_at - interval '1 hour'
      where tenant_id = ${account.tenantId} and user_id = ${cy.id} and type = 'check_in'`);
    await page.getByRole('button', { name: 'Check again' }).click();
    const wrong = panel('Check this month').getByRole('list', { name: 'What is wrong' });
    await wrong.getByText('This event says something else than when it was recorded.').waitFor();
    await wrong.getByText('Cy Twombly').first().waitFor();
    await expectAccessibleInEveryLook(page, 'inspection-check-wrong');
    await service.call('DELETE', `/v1/attendance/inspections/${of.id}`, { as: account.key });
    await page.getByRole('button', { name: 'Check again' }).click();
    await heading(page, 'This inspection has ended');
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('is in no search engine, and names the page to no other', async () => {
    const { url, code } = await given(site);
    const window = await openWindow(service.origin);
    const { page } = window;
    const referrers: string[] = [];
    page.on('request', (request) => referrers.push(request.headers().referer ?? ''));
    await page.goto(url);
    await enter(page, code);
    await heading(page, 'Muster AG');
    expect(await page.getAttribute('meta[name="robots"]', 'content')).toBe('noindex');
    expect(new Set(referrers)).toEqual(new Set(['']));
    expect(page.url()).toBe(`${service.origin}/inspection`);
    await window.close();
  });

  it.each([
    ['DE', 'Europe/Berlin', 'Standort'],
    ['ES', 'Europe/Madrid', 'Centro'],
    ['FR', 'Europe/Paris', 'Site'],
  ])('reads in the language of the site, %s, and in another by choice', async (country, timeZone, word) => {
    const there = await createSite(service, account, { name: `Site ${country}`, country, timeZone });
    const { url, code } = await given(there);
    const window = await open(url, 'es-ES');
    const { page } = window;
    await enter(page, code, 'Código', 'Abrir');
    await page.getByText(word, { exact: true }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe(country === 'FR' ? 'en' : country.toLowerCase());
    await page.getByRole('combobox').first().selectOption('English');
    await page.getByText('Nobody has a sheet in this month.').waitFor();
    await page.reload();
    await page.getByText(word, { exact: true }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('loads one language', async () => {
    const { url, code } = await given(site);
    const window = await openWindow(service.origin, { locale: 'de-DE' });
    const { page } = window;
    const files: string[] = [];
    page.on('request', (request) => files.push(new URL(request.url()).pathname));
    await page.goto(url);
    await enter(page, code, 'Code', 'Öffnen');
    await page.getByLabel('Monat', { exact: true }).waitFor();
    expect(files.filter((file) => /\/(en|es)-[^/]+\.js$/.test(file))).toEqual([]);
    expect(files.filter((file) => /\/de-[^/]+\.js$/.test(file))).not.toEqual([]);
    await window.close();
  });
});

describe('somebody with the address alone [time/inspection]', () => {
  it('learns nothing, also with a link that is none', async () => {
    const window = await open('/inspection');
    const { page } = window;
    await heading(page, 'Open the link that you were given');
    await expectAccessible(page);
    expect(await page.content()).not.toContain('Muster');
    await page.goto('/inspection#nothing');
    await heading(page, 'Inspection of working time');
    await enter(page, '123456');
    await page.getByText('This link and this code open nothing.').waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });
});
