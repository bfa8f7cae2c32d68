// @module-tag ci: only takes pictures, and only with -u
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { addMember } from '../../server/test/support/members.js';
import { type Account, manualClock } from '../../server/test/support/service.js';
import { openPhone, type PhoneWindow, typeNumber } from './phone/phone-window.js';
import { openWindow, type Window, type WindowOptions } from './support/browser.js';
import { seedBusyCompany } from './support/busy-company.js';
import { fixedRandom, type Northwind } from './support/northwind.js';
import { encodePng } from './support/palette-png.js';
import { type PagesService, pagesService } from './support/service.js';
import { watchRequests } from './support/settled.js';
import { logIn } from './support/signed-in.js';

/** The landing page shows these. `npm test -- product-pictures -u` takes them again. */
const FOLDER = fileURLToPath(new URL('../src/landing/pictures/', import.meta.url));
/** The README shows the dashboard as PNG, and the guides show what they are about. */
const DOCS = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const GUIDES = [
  ['light', 'overview'],
  ['dark', 'overview-dark'],
] as const;
const UPDATES = process.env.UPDATE_PICTURES === 'true';
const QUALITY = 82;
/** For large screens and for phones, by what follows the name. */
const SIZES = { '': 1, '-small': 0.5 };
const NO_SIZE = { width: 0, height: 0 };

let service: PagesService;
let account: Account;
beforeAll(async () => {
  if (!UPDATES) return;
  const clock = manualClock(Date.parse('2026-05-12T10:42:00.000Z'));
  service = await pagesService({}, { clock, random: fixedRandom('landing') });
  account = await seedBusyCompany(service);
});
afterAll(() => service?.close());

const options = (width: number, height: number, scale: number): WindowOptions => ({
  viewport: { width, height },
  deviceScaleFactor: scale,
  timezoneId: 'UTC',
});

/** Writes the page as WebP, in both schemes. */
async function take(page: Page, name: string): Promise<void> {
  const settled = watchRequests(page);
  mkdirSync(FOLDER, { recursive: true });
  const devtools = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled();
    await page.evaluate('document.fonts.ready');
    for (const [size, scale] of Object.entries(SIZES)) {
      const clip = { x: 0, y: 0, ...(page.viewportSize() ?? NO_SIZE), scale };
      const { data } = await devtools.send('Page.captureScreenshot', {
        format: 'webp',
        quality: QUALITY,
        clip,
      });
      writeFileSync(`${FOLDER}${name}-${colorScheme}${size}.webp`, Buffer.from(data, 'base64'));
    }
  }
  await devtools.detach();
}

async function takeForDocs(page: Page, name: string): Promise<void> {
  const png = PNG.sync.read(await page.screenshot({ scale: 'css' }));
  writeFileSync(`${DOCS}${name}.png`, encodePng(png));
}

/** The reception's desk, set up. */
async function openDesk(): Promise<Window> {
  const device = { name: 'Reception desk', deviceType: 'kiosk' };
  const made = await service.call('POST', '/api/console/devices', { as: account.token, body: device });
  const desk = await openWindow(service.origin, options(1024, 720, 1.25));
  const { page } = desk;
  await desk.context.clock.setFixedTime(service.clock.now());
  await page.goto(`/desk#code=${made.body.enrollment.code}&device=${made.body.device.id}`);
  await page.locator('button[type="submit"]').click();
  await page.getByText('Northwind Traders').first().waitFor();
  return desk;
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

async function registered(): Promise<PhoneWindow> {
  const phone = await openPhone(service, options(360, 740, 2));
  await phone.context.clock.setFixedTime(service.clock.now());
  const body = { profile: { fullName: 'Elif Haddad' } };
  const { body: opened } = await service.call('POST', '/v1/registrations', { as: account.key, body });
  await phone.scanned(opened.pair.deeplink);
  await press(phone.page, 'Continue');
  await press(phone.page, 'Register');
  await heading(phone.page, 'Registered');
  return phone;
}

describe.runIf(UPDATES)('the pictures of the landing page and the guides', () => {
  it('the dashboard of a company on a working day', async () => {
    const window = await openWindow(service.origin, options(1280, 800, 1.5));
    const { page } = window;
    await window.context.clock.setFixedTime(service.clock.now());
    await page.goto('/dashboard/login');
    await logIn(page, account as Northwind);
    await page.waitForURL('**/home');
    await page.getByText('Needs attention').waitFor();
    const hide = page.getByRole('button', { name: 'Hide the first steps' });
    if (await hide.isVisible()) await hide.click();
    await take(page, 'dashboard');
    for (const [colorScheme, name] of GUIDES) {
      await page.emulateMedia({ colorScheme });
      await takeForDocs(page, name);
    }
    await window.close();
  });

  it('a desk that shows its code, and the phone that signs somebody in there', async () => {
    const phone = await registered();
    const desk = await openDesk();
    const { page } = desk;
    const stage = page.locator('[data-qr-payload]');
    const numberOf = async () => String(await stage.getAttribute('data-match-code'));
    await press(page, /^Sign in/);
    // A number like 00 or 11 would look made up.
    while (!/^[2-5][6-9]$/.test(await numberOf())) {
      await press(page, 'Cancel');
      await press(page, /^Sign in/);
    }
    await heading(page, 'Scan, then type your number');
    await take(page, 'desk');
    const text = String(await stage.getAttribute('data-qr-payload'));
    const number = await numberOf();
    await phone.scanned(text);
    await typeNumber(phone.page, number);
    await heading(phone.page, 'Signed in');
    await take(phone.page, 'phone');
    await desk.close();
    await phone.close();
  });

  it('what a member at a desk chooses from, and what they say about a new phone', async () => {
    const phone = await registered();
    const { email, password } = await addMember(service, account, 'reception');
    const desk = await openDesk();
    const { page } = desk;
    await press(page, 'Menu of the desk');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Start');
    await heading(page, 'What do you want to do?');
    await takeForDocs(page, 'desk-staff');
    await press(page, /^A phone is lost/);
    await page.getByLabel('First or last name').fill('Haddad');
    await press(page, 'Find');
    await press(page, /^Elif Haddad.*One phone/);
    await press(page, 'Lock');
    await press(page, 'Yes, lock');
    await press(page, 'Register the new phone');
    await heading(page, 'How do you know that this is Elif Haddad?');
    await takeForDocs(page, 'desk-how');
    await press(page, 'I know them');
    const stage = page.locator('[data-qr-payload]');
    await phone.scanned(String(await stage.getAttribute('data-qr-payload')));
    await press(phone.page, 'Continue');
    await press(phone.page, 'Register');
    await heading(page, 'Elif Haddad’s new phone does not work yet');
    await takeForDocs(page, 'desk-waits');
    await desk.close();
    await phone.close();
  });
});
