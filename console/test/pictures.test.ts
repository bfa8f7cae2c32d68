// @module-tag named: compares pictures of every page, which another build of Chromium draws in another way
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPolicy } from '../../server/test/support/pairing.js';
import { manualClock } from '../../server/test/support/service.js';
import { openPhone, typeNumber } from './phone/phone-window.js';
import { openWindow, type Window } from './support/browser.js';

import { seedClients } from './support/clients.js';
import { seedHostedSignIn } from './support/hosted-sign-in.js';
import { fixedRandom, type Northwind, seedNorthwind, signUpFixed } from './support/northwind.js';
import { differences, otherBrowser } from './support/pictures.js';
import { type PagesService, pagesService } from './support/service.js';
import { watchRequests } from './support/settled.js';
import { logIn } from './support/signed-in.js';
import { seedWebhooks } from './support/webhooks.js';

/** Without a port, which would differ in every run and is part of what pages show. */
const ORIGIN = 'http://localhost';

let service: PagesService;
let northwind: Northwind;
const random = fixedRandom('northwind');
beforeAll(async () => {
  service = await pagesService(
    { BASE_URL: ORIGIN },
    { clock: manualClock(Date.parse('2026-05-12T06:30:00.000Z')), random },
  );
  northwind = await seedNorthwind(service);
});
afterAll(() => service.close());

const options = () => ({
  switches: [`--host-resolver-rules=MAP localhost:80 127.0.0.1:${new URL(service.origin).port}`],
  timezoneId: 'UTC',
});

/** Stops the page's clock at the service's time, and makes its random bytes the same in every run. */
async function fix({ context }: Window): Promise<void> {
  await context.clock.setFixedTime(service.clock.now());
  await context.addInitScript(`(() => {
    let next = 1;
    crypto.getRandomValues = (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let at = 0; at < bytes.length; at++) bytes[at] = (next = (next * 48271) % 0x7fffffff) & 255;
      return array;
    };
  })()`);
}

type Step = (page: Page) => Promise<unknown>;
/** A page or one of its states: its name, its address, and what leads to it. */
type State = readonly [name: string, address: string, ...steps: Step[]];

const press =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click();
/**
 * What the next request draws is then the same, however many requests a page sent before. Identifiers of the same millisecond
 * count up, so the clock moves, too.
 */
const restartRandom =
  (name: string): Step =>
  async () => {
    service.clock.advance(1);
    random.restart(name);
  };
const heading =
  (name: string): Step =>
  (page) =>
    page.getByRole('heading', { name, exact: true }).waitFor();

/** The screen ignores clicks in its first moment, and shows a spinner. */
const ready =
  (name: string): Step =>
  (page) =>
    page.locator('button:not([aria-disabled])', { hasText: name }).waitFor();

async function expectPictures(page: Page, states: readonly State[]): Promise<void> {
  const settled = watchRequests(page);
  const found: string[] = [];
  for (const [name, address, ...steps] of states) {
    if (address !== '') {
      // The last picture was narrow. What leads to this state may only be shown on a wide page.
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(address);
    }
    if (steps.length > 0) await settled();
    for (const step of steps) await step(page);
    await settled();
    found.push(...(await differences(page, name, settled)));
  }
  expect(found, found.join('\n')).toEqual([]);
}

async function openLoggedIn(account: { email: string; password: string }): Promise<Window> {
  const window = await openWindow(ORIGIN, options());
  await fix(window);
  await window.page.goto('/dashboard/login');
  await logIn(window.page, account as Northwind);
  await window.page.waitForURL('**/home');
  return window;
}

const reason = otherBrowser();
if (reason !== undefined) console.warn(reason);

describe.skipIf(reason !== undefined)('every page looks like its committed pictures', () => {
  it('signed out: landing, login, sign-up and the documentation', async () => {
    const window = await openWindow(ORIGIN, options());
    await fix(window);
    await expectPictures(window.page, [
      ['landing', '/'],
      ['login', '/dashboard/login'],
      ['sign-up', '/dashboard/signup'],
      ['docs/index', '/docs'],
      ['docs/guide', '/docs/pairing'],
      ['docs/reference', '/docs/reference/users'],
      ['docs/not-found', '/docs/nothing'],
    ]);
    await window.close();
  });

  it('the dashboard of a new account', async () => {
    const account = await signUpFixed(service, 'new@northwind.example', 'New Company');
    const window = await openLoggedIn(account);
    await expectPictures(window.page, [
      ['overview/new', '/dashboard/live/home'],
      ['people/empty', '/dashboard/live/people'],
      ['pairing/empty', '/dashboard/live/activity/pairings'],
    ]);
    await window.close();
  });

  it('the lists and records', async () => {
    const { deviceId, verificationId, completed } = northwind;
    const window = await openLoggedIn(northwind);
    await expectPictures(window.page, [
      ['overview/live', '/dashboard/live/home'],
      ['overview/test', '/dashboard/test/home'],
      ['people/list', '/dashboard/live/people'],
      ['people/test', '/dashboard/test/people'],
      ['people/person', `/dashboard/live/people/${completed.userId}`],
      ['devices/list', '/dashboard/live/sign-in/devices'],
      ['devices/device', `/dashboard/live/sign-in/devices/${deviceId}`],
      ['verifications/list', '/dashboard/live/activity/verifications'],
      ['verifications/verification', `/dashboard/live/activity/verifications/${verificationId}`],
      ['attendance', '/dashboard/live/activity/attendance'],
      ['registrations/list', '/dashboard/live/people/registrations'],
      ['registrations/completed', `/dashboard/live/people/registrations/${completed.id}`],
      ['audit/list', '/dashboard/live/trust/audit'],
      ['audit/entry', '/dashboard/live/trust/audit/7'],
      ['requests', '/dashboard/live/developers/requests'],
      ['find', '/dashboard/live/home', (page) => page.keyboard.press('Control+k')],
      ['not-found', '/dashboard/live/nothing'],
    ]);
    await window.close();
  });

  it('the pages of the account, the playground and what shows a code', async () => {
    const window = await openLoggedIn(northwind);
    await expectPictures(window.page, [
      ['keys/list', '/dashboard/developers/keys'],
      ['keys/new', '/dashboard/developers/keys', press('New key')],
      ['security', '/dashboard/sign-in/policy'],
      ['profile', '/dashboard/settings/company'],
      ['usage', '/dashboard/settings/usage'],
      ['playground', '/dashboard/test/developers/playground'],
      ['registrations/new', '/dashboard/live/people/registrations', press('Register a person')],
      [
        'registrations/open',
        '/dashboard/live/people/registrations',
        press('Register a person'),
        (page) => page.getByLabel('Full name').fill('Dorothy Vaughan'),
        restartRandom('registration'),
        press('Start registration'),
        heading('Dorothy Vaughan'),
      ],
      ['pairing/list', '/dashboard/live/activity/pairings'],
      [
        'pairing/code',
        '/dashboard/live/activity/pairings',
        restartRandom('code'),
        press('Show a code'),
        (page) => page.getByRole('img', { name: 'Sign-in code' }).waitFor(),
      ],
    ]);
    await window.close();
  });

  it('the phone, from an empty page to its history', async () => {
    const phone = await openPhone({ ...service, origin: ORIGIN }, options());
    await fix(phone);
    const { page } = phone;
    await expectPictures(page, [['phone/empty', '/phone/', heading('No identity yet')]]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Scan a code' }).click();
    await expectPictures(page, [['phone/scan', '']]);
    const { body } = await service.call('POST', '/v1/registrations', { as: northwind.key, body: {} });
    await phone.scanned(body.pair.deeplink);
    await press('Continue')(page);
    await expectPictures(page, [['phone/register', '', heading('Register with this company?')]]);
    await press('Register')(page);
    await expectPictures(page, [['phone/registered', '', heading('Registered')]]);
    await press('Done')(page);
    await expectPictures(page, [['phone/identities', '']]);
    await press('Phones and key')(page);
    await expectPictures(page, [['phone/phones', '', heading('Phones and key')]]);
    await phone.scanned((await openFromPortal()).qrPayload);
    await expectPictures(page, [['phone/approve', '', ready('4')]]);
    await press('4')(page);
    await press('This was not me')(page);
    await expectPictures(page, [['phone/declined', '', heading('Nobody was signed in')]]);
    const mistyped = await openFromPortal();
    await phone.scanned(mistyped.qrPayload);
    await typeNumber(page, mistyped.matchCode === '00' ? '01' : '00');
    await expectPictures(page, [['phone/wrong-number', '', heading('Wrong number')]]);
    const old = await openFromPortal({ match: 'off' }, '203.0.113.9');
    service.clock.advance(180_000);
    await fix(phone);
    await phone.scanned(old.qrPayload);
    await expectPictures(page, [['phone/warnings', '', ready('Approve')]]);
    await press('Approve')(page);
    await expectPictures(page, [['phone/success', '', heading('Signed in')]]);
    await page.goto('/phone/');
    await press('History')(page);
    await expectPictures(page, [['phone/history', '', heading('Today')]]);
    await phone.close();
  });

  it('the hosted sign-in pages', async () => {
    const hosted = await seedHostedSignIn(service, random.restart);
    const window = await openWindow(ORIGIN, options());
    await fix(window);
    const { page } = window;
    /** The code and the number are drawn while the page loads. */
    const open = (name: string): Step[] => [
      restartRandom(name),
      () => window.context.clock.setFixedTime(service.clock.now()),
      () => page.goto(hosted.signIn),
      () => page.getByRole('img', { name: 'Sign-in code' }).waitFor(),
    ];
    await expectPictures(page, [
      ['sign-in/waiting', '', ...open('waiting')],
      ['sign-in/declined', '', ...open('declined'), hosted.decline, heading('Declined on the phone')],
      ['sign-in/error', hosted.wrong, heading('This sign-in can’t continue')],
      ['sign-in/device', hosted.device, heading('Connect a device')],
      [
        'sign-in/device-confirm',
        await hosted.startDevice(),
        heading('Is this your code?'),
        // The library draws another one in every run.
        () => page.evaluate(`document.querySelector('output').textContent = 'WDJB-MJHT'`),
      ],
      [
        'sign-in/sign-out',
        '',
        ...open('approved'),
        hosted.approve,
        () => page.goto(hosted.signOut),
        heading('Sign out?'),
      ],
    ]);
    await window.close();
  });

  // Near the end, because it lets days pass.
  it('webhooks and live events', async () => {
    const { account, active, off } = await seedWebhooks(service, random.restart);
    const window = await openLoggedIn(account);
    await expectPictures(window.page, [
      ['webhooks/empty', '/dashboard/test/developers/webhooks'],
      ['webhooks/list', '/dashboard/live/developers/webhooks'],
      [
        'webhooks/new',
        '/dashboard/live/developers/webhooks',
        press('Add a webhook'),
        (page) => page.getByRole('radio', { name: 'Chosen events' }).check(),
        (page) => page.getByRole('checkbox', { name: 'API keys' }).check(),
        (page) => page.getByRole('button', { name: 'types of People' }).click(),
        (page) => page.getByRole('checkbox', { name: 'user.created' }).check(),
      ],
      ['webhooks/webhook', `/dashboard/live/developers/webhooks/${active}`],
      ['webhooks/off', `/dashboard/live/developers/webhooks/${off}`],
      [
        'webhooks/events',
        '/dashboard/live/developers/webhooks?view=events',
        (page) => page.getByText('Live: new events appear here.').waitFor(),
        (page) => page.getByRole('button', { name: 'user.created' }).first().click(),
      ],
    ]);
    await window.close();
  });

  // Last, because it lets another day pass.
  it('applications', async () => {
    const { account, grafana } = await seedClients(service, random.restart);
    const window = await openLoggedIn(account);
    await expectPictures(window.page, [
      ['applications/empty', '/dashboard/test/sign-in/applications'],
      ['applications/list', '/dashboard/live/sign-in/applications'],
      ['applications/new', '/dashboard/live/sign-in/applications', press('Add an application')],
      ['applications/application', `/dashboard/live/sign-in/applications/${grafana}`],
      [
        'applications/settings',
        `/dashboard/live/sign-in/applications/${grafana}`,
        // The page is longer than its picture.
        (page) => page.getByRole('tab', { name: 'Grafana' }).evaluate((tab) => tab.scrollIntoView()),
      ],
    ]);
    await window.close();
  });
});

const PORTAL = 'https://portal.northwind.example';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A sign-in that a page of the company opened itself, from an address. */
async function openFromPortal(asks: object = {}, address = '127.0.0.1') {
  await setPolicy(service, northwind, { origins: [PORTAL] });
  const { body } = await service.call('POST', '/v1/proof-pairing/sessions', {
    as: northwind.key,
    address,
    headers: { origin: PORTAL, 'user-agent': FIREFOX },
    body: { context: { origin: PORTAL, application: 'Time sheets' }, match: 'type', ...asks },
  });
  return body.session as { readonly qrPayload: string; readonly matchCode: string };
}
