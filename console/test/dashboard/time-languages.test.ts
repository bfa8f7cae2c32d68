// @module-tag if-touched @pages console/src/dashboard/time/ console/src/ui/lists/: the room Time in German and Spanish
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSite, type Site } from '../../../server/test/support/punches.js';
import { type Account, manualClock } from '../../../server/test/support/service.js';
import { expectAccessible, expectClean, picture } from '../support/browser.js';
import { asProved, type Employee, employ, giveRights, NOON, record } from '../support/hours.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
let site: Site;
let ada: Employee;
beforeAll(async () => {
  service = await pagesService({}, { clock: manualClock(NOON) });
  account = await service.signUp({ plan: 'enterprise' });
  site = await createSite(service, account);
  await giveRights(service, account);
  ada = await employ(service, account, 'Ada Lovelace', { siteId: site.id });
  const bo = await employ(service, account, 'Bo Diddley', { siteId: site.id });
  await record(service, account, ada, 'come', '2026-05-12T04:00');
  await record(service, account, ada, 'go', '2026-05-12T15:30');
  await record(service, account, ada, 'come', '2026-05-13T06:00');
  const { deviceId } = await gate();
  await record(service, account, ada, 'come', '2026-06-10T06:00', { deviceId });
  await record(service, account, bo, 'come', '2026-06-10T06:00', { deviceId });
  await record(service, account, bo, 'beginBreak', '2026-06-10T09:30', { deviceId });
  await asProved(service, account, [ada]);
  const old = await record(service, account, bo, 'come', '2026-05-12T06:00');
  await record(service, account, bo, 'go', '2026-05-12T10:00');
  await send('/v1/attendance/marks', account.key, {
    ...{ userId: bo.id, date: '2026-05-15', code: 'Frei', source: 'SAP' },
  });
  await send('/v1/attendance/corrections', account.token, {
    ...{ userId: bo.id, cause: 'wrong_time' },
    changes: [
      { old, new: { type: 'check_in', reason: 'work', occurredAt: '2026-05-12T05:30:00.000Z' } },
      { old: null, new: { type: 'check_out', reason: 'break', occurredAt: '2026-05-12T08:00:00.000Z' } },
    ],
  });
});
afterAll(() => service.close());

async function send(path: string, as: string, body: object) {
  const reply = await service.call('POST', path, { as, body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const gate = async () => {
  const body = { name: 'Tor 1', deviceType: 'kiosk', locationId: site.id };
  return { deviceId: (await send('/v1/devices', account.key, body)).device.id };
};

/** Words that every English sentence has one of, and neither of the other languages has. */
const ENGLISH =
  /\b(the|and|is|are|of|with|this|that|who|what|their|they|your|you|not|only|from|until|more|show|showing|close|loading|every|hours|months?|people|nobody|day|by|to)\b/i;

/** What of the room can be read or heard: text, labels, titles and placeholders. Not what is marked as English, and not the names of countries. */
const spoken = (page: Page): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main *')].filter((at) => at.closest('[lang]').lang !== 'en' && !at.closest('select[name="country"]')).flatMap((at) => [
    ...['aria-label', 'title', 'placeholder'].map((name) => at.getAttribute(name) ?? ''),
    ...[...at.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent),
  ])`);

async function expectNoEnglish(page: Page, name: string): Promise<void> {
  const texts = await spoken(page);
  expect(texts.length).toBeGreaterThan(20);
  expect(
    texts.filter((text) => ENGLISH.test(text)),
    name,
  ).toEqual([]);
  await expectAccessible(page);
  await picture(page, `time-${name}`);
}

const LANGUAGES = [
  {
    locale: 'de-DE',
    words: {
      ...{ here: 'Anwesend', month: 'Monat', sites: 'Standorte', corrections: 'Korrekturen' },
      ...{ close: 'Monat abschließen …', cancel: 'Abbrechen', payroll: 'Lohn …', shut: 'Schließen' },
      ...{
        mark: 'Vermerk für Fr., 15. Mai',
        correct: 'Di., 12. Mai korrigieren',
        add: 'Standort hinzufügen',
      },
      ...{ edit: 'Werk Nord bearbeiten', withdraw: 'Zurückziehen', nav: 'Arbeitszeit', event: 'Kommen' },
      ...{
        rule: 'Mehr als 10 Stunden Arbeit an einem Tag (§ 3 ArbZG).',
        may: 'Mai 2026',
        country: 'Deutschland',
      },
      ...{ pin: 'PIN entziehen …', check: 'Monat nachprüfen', wrong: 'Was nicht stimmt' },
      ...{ zone: 'Zeitzone', unknown: 'Zeitzone ist nicht bekannt.', save: 'Speichern' },
    },
  },
  {
    locale: 'es-ES',
    words: {
      ...{ here: 'Presentes', month: 'Mes', sites: 'Centros', corrections: 'Correcciones' },
      ...{ close: 'Cerrar el mes…', cancel: 'Cancelar', payroll: 'Nómina…', shut: 'Cerrar' },
      ...{ mark: 'Anotación para vie, 15 may', correct: 'Corregir mar, 12 may', add: 'Añadir un centro' },
      ...{ edit: 'Editar Werk Nord', withdraw: 'Retirar', nav: 'Jornada', event: 'Entrada' },
      ...{ pin: 'Retirar el PIN…', check: 'Comprobar este mes', wrong: 'Lo que no es correcto' },
      ...{ rule: 'Más de 10 horas de trabajo en un día (ArbZG, artículo 3).', may: 'mayo de 2026' },
      ...{
        country: 'Alemania',
        zone: 'Zona horaria',
        unknown: 'Zona horaria no se conoce.',
        save: 'Guardar',
      },
    },
  },
] as const;

describe.each(LANGUAGES)('the room Time in a browser that prefers $locale', ({ locale, words }) => {
  const open = (path: string) => openDashboard(service, account, path, { locale });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const dismiss = (dialog: Locator, name: string) =>
    dialog.getByRole('button', { name, exact: true }).last().click();

  it('says who is here, and names its pages in the navigation', async () => {
    const window = await open('/live/time/here');
    const { page } = window;
    await heading(page, words.here);
    await page.getByRole('table').getByText('Bo Diddley').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Dashboard' });
    await navigation.getByRole('link', { name: words.nav, exact: true }).waitFor();
    await navigation.getByRole('link', { name: words.corrections, exact: true }).waitFor();
    await expectNoEnglish(page, `here-${locale}`);
    expectClean(window);
    await window.close();
  });

  it('shows a month, with dates and flags, and what closes it', async () => {
    const window = await open('/live/time/month?month=2026-05');
    const { page } = window;
    const dialog = page.getByRole('dialog');
    await heading(page, words.month);
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).getByText(words.rule).waitFor();
    await page.getByRole('option', { name: words.may }).waitFor({ state: 'attached' });
    await expectNoEnglish(page, `month-${locale}`);
    await page.getByRole('button', { name: words.payroll }).click();
    await page.getByText('Bo Diddley').first().waitFor();
    await expectNoEnglish(page, `payroll-${locale}`);
    await dismiss(dialog, words.shut);
    await page.getByRole('button', { name: words.close }).click();
    await dialog.getByText(words.rule).waitFor();
    await expectNoEnglish(page, `close-${locale}`);
    await dismiss(dialog, words.cancel);
    await page.getByRole('button', { name: words.check }).click();
    await page.getByText(words.wrong).waitFor();
    await expectNoEnglish(page, `check-${locale}`);
    expectClean(window);
    await window.close();
  });

  it('shows a person’s sheet, which is corrected and marked', async () => {
    const window = await open(`/live/time/month/${ada.id}?month=2026-05`);
    const { page } = window;
    const dialog = page.getByRole('dialog');
    await page.getByRole('article').getByText(words.rule).waitFor();
    await expectNoEnglish(page, `person-${locale}`);
    await page.getByRole('button', { name: words.correct }).click();
    await dialog.getByText(`${words.event} 06:00`).first().waitFor();
    await expectNoEnglish(page, `propose-${locale}`);
    await dismiss(dialog, words.cancel);
    await page.getByRole('button', { name: words.pin }).click();
    await dialog.waitFor();
    await expectNoEnglish(page, `pin-${locale}`);
    await dismiss(dialog, words.cancel);
    await page.getByRole('button', { name: words.mark }).click();
    await dialog.waitFor();
    await expectNoEnglish(page, `mark-${locale}`);
    expectClean(window);
    await window.close();
  });

  it('lists corrections with the names of people, which one request asks for', async () => {
    const window = await open('/live/home');
    const { page } = window;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/dashboard/live/time/corrections');
    await heading(page, words.corrections);
    await page.getByRole('row').getByText('Bo Diddley').waitFor();
    await page.getByRole('button', { name: words.withdraw }).waitFor();
    await expectNoEnglish(page, `corrections-${locale}`);
    expect(requests.filter((path) => path.startsWith('/v1/users'))).toEqual([]);
    await page.getByRole('button', { name: words.withdraw }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoEnglish(page, `withdraw-${locale}`);
    expectClean(window);
    await window.close();
  });

  it('lists sites, and says what is wrong with one', async () => {
    const window = await open('/live/time/sites');
    const { page } = window;
    const dialog = page.getByRole('dialog');
    await heading(page, words.sites);
    await page.getByRole('row').filter({ hasText: 'Werk Nord' }).getByText(words.country).waitFor();
    await expectNoEnglish(page, `sites-${locale}`);
    await page.getByRole('button', { name: words.add }).first().click();
    await dialog.waitFor();
    await dialog.locator('summary').click();
    await expectNoEnglish(page, `new-site-${locale}`);
    await dismiss(dialog, words.cancel);
    await page.getByRole('button', { name: words.edit }).click();
    await dialog.getByLabel(words.zone).fill('Europe/Nowhere');
    await dialog.getByRole('button', { name: words.save }).click();
    await dialog.getByText(words.unknown).waitFor();
    await expectNoEnglish(page, `edit-site-${locale}`);
    expectClean(window, /status of 400/);
    await window.close();
  });
});
