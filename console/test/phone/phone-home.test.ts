// @module-tag if-touched @pages console/src/phone/history/ console/src/phone/home.tsx console/src/phone/parts/ console/src/phone/inbox/ console/src/phone/phone.tsx: the company, the history, languages and installing on the phone
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pngOf } from '../../../server/test/support/images.js';
import { openPairing, poll } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  openDesk,
  press,
  register,
  service,
  startPhoneService,
  waitForHeading,
} from './phone-desk.js';
import { databaseOf, openPhone } from './phone-window.js';

startPhoneService();

/** Whether the texts are on the page in this order. */
async function expectInOrder(page: Page, ...texts: string[]): Promise<void> {
  const main = page.locator('main');
  for (const text of texts) await main.getByText(text).first().waitFor();
  const shown = (await main.textContent()) ?? '';
  const places = texts.map((text) => shown.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places.toSorted((left, right) => left - right)).toEqual(places);
}

/** What Chromium does when the page can be installed. `prompted` is set when the page asks the person. */
const offerInstall = (page: Page) =>
  page.evaluate(`(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    event.prompt = async () => { window.prompted = true; };
    return !dispatchEvent(event);
  })()`);

const LANGUAGES = [
  {
    language: 'German',
    locale: 'de-CH',
    lang: 'de',
    identities: 'Ihre Identitäten',
    empty: 'Noch keine Identität',
    continue: 'Weiter',
    confirm: 'Bei diesem Unternehmen registrieren?',
    register: 'Registrieren',
    registered: 'Registriert',
    done: 'Fertig',
    details: 'Details',
    date: /^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/,
    approve: 'Diese Anmeldung bestätigen?',
    opened: 'Geöffnet gerade eben',
    digits: 'Ziffern',
    notMe: 'Das war ich nicht',
    nobody: 'Niemand wurde angemeldet',
    used: 'Dieser Code ist abgelaufen oder wurde schon verwendet.',
  },
  {
    language: 'Spanish',
    locale: 'es-MX',
    lang: 'es',
    identities: 'Tus identidades',
    empty: 'Aún no tienes ninguna identidad',
    continue: 'Continuar',
    confirm: '¿Registrarte en esta empresa?',
    register: 'Registrarme',
    registered: 'Registro completado',
    done: 'Listo',
    details: 'Detalles',
    date: /^\d{1,2} [a-z]{3,4} \d{4}, \d{1,2}:\d{2}\s[ap]\.m\.$/,
    approve: '¿Aprobar este inicio de sesión?',
    opened: 'Se abrió ahora mismo',
    digits: 'Dígitos',
    notMe: 'No he sido yo',
    nobody: 'Nadie ha iniciado sesión',
    used: 'Este código ha caducado o ya se ha usado.',
  },
];

describe('the phone page', () => {
  it('shows the company’s logo, name and color before what it asks, also without a network', async () => {
    const { host } = new URL(service.origin);
    const logo = pngOf(64, 48).toString('base64');
    const body = { accentColor: '#ffd166', logo };
    expect((await service.call('PUT', '/api/console/profile', { as: account.token, body })).status).toBe(200);
    const phone = await openPhone(service);
    const { page, context } = phone;
    const widthOfLogo = () =>
      page.evaluate(`(async () => {
        const image = document.querySelector('main img');
        await image.decode();
        return image.naturalWidth;
      })()`);
    await phone.scanned((await openDesk()).deeplink);
    await press(page, 'Continue');
    await waitForHeading(page, 'Register with this company?');
    await expectInOrder(page, 'Example AG', host, 'Register with this company?');
    expect(await widthOfLogo()).toBe(64);
    await press(page, 'Register');
    await waitForHeading(page, 'Registered');
    await press(page, 'Done');
    await context.setOffline(true);
    expect(
      await page.evaluate(`(() => {
        const { backgroundColor, color } = getComputedStyle(document.querySelector('article > div'));
        return { backgroundColor, color };
      })()`),
    ).toEqual({ backgroundColor: 'rgb(255, 209, 102)', color: 'rgb(0, 0, 0)' });
    expect(await widthOfLogo()).toBe(64);
    await checkLooks(page, 'company');
    await context.setOffline(false);

    await phone.scanned((await openPairing(service, account.key)).qrPayload);
    await waitForHeading(page, 'Approve this sign-in?');
    await expectInOrder(page, 'Example AG', host, 'Approve this sign-in?');
    await checkLooks(page, 'company-asks');
    expectClean(phone);
    await phone.close();
  });

  it('keeps a history of decisions that never leaves it, until it is cleared or the identity removed', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    await press(page, 'Done');
    await press(page, 'History');
    await waitForHeading(page, 'No approvals yet');
    const requests = phone.bodies.length;

    const decide = async (button: string) => {
      const pairing = await openPairing(service, account.key);
      await phone.scanned(pairing.qrPayload);
      await press(page, button);
      return async () => (await poll(service, account.key, pairing)).body.session.state;
    };
    const state = await decide('Approve');
    await waitForHeading(page, 'Signed in');
    expect(await state()).toBe('bound');
    const declined = await decide('This was not me');
    await waitForHeading(page, 'Nobody was signed in');
    expect(await declined()).toBe('declined');
    await press(page, 'Done');
    await page.getByText('Used just now').waitFor();
    // The response is lost, so nobody knows whether the desktop is signed in.
    await page.route('**/submit', (route) => route.abort());
    await decide('Approve');
    await page.getByText('The service did not respond.').waitFor();
    await press(page, 'Back');
    await press(page, 'History');
    await waitForHeading(page, 'Today');
    // The list as it was before is shown until it is read again.
    await page.locator('main li').nth(2).waitFor();
    const { host } = new URL(service.origin);
    expect(await page.locator('main li').allInnerTexts()).toEqual(
      ['May be signed in', 'Not me', 'Signed in'].map((outcome) =>
        expect.stringMatching(new RegExp(`Example AG\\s+${outcome}\\s+${host} · \\d\\d:\\d\\d$`)),
      ),
    );
    await checkLooks(page, 'history');
    // Only the two proofs and the decline were sent, although one did not arrive.
    expect(phone.bodies.length).toBe(requests + 3);

    await press(page, 'Clear history');
    await page.getByRole('dialog').getByRole('button', { name: 'Clear history' }).click();
    await waitForHeading(page, 'No approvals yet');
    expect((await databaseOf(page)).approvals).toEqual([]);
    await decide('This was not me');
    await press(page, 'Done');
    await waitForHeading(page, 'Recent approvals');
    expect((await databaseOf(page)).approvals).toHaveLength(1);
    await page.getByText('Details', { exact: true }).click();
    await press(page, 'Remove');
    await press(page, 'Remove it');
    await waitForHeading(page, 'No identity yet');
    expect((await databaseOf(page)).approvals).toEqual([]);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it.each(LANGUAGES)(
    'speaks $language to a browser that prefers it, with its dates and errors',
    async (texts) => {
      const phone = await openPhone(service, { locale: texts.locale });
      const { page } = phone;
      const looks = (name: string) => checkLooks(page, `${texts.language.toLowerCase()}-${name}`);
      await page.goto('/phone/');
      await waitForHeading(page, texts.empty);
      expect(await page.evaluate('[document.documentElement.lang, document.title]')).toEqual([
        texts.lang,
        texts.identities,
      ]);
      const desk = await openDesk();
      await phone.scanned(desk.deeplink);
      await press(page, texts.continue);
      await waitForHeading(page, texts.confirm);
      await looks('confirm');
      await press(page, texts.register);
      await waitForHeading(page, texts.registered);
      await press(page, texts.done);
      await page.getByText(texts.details, { exact: true }).click();
      await page.getByText(texts.date).waitFor();
      await looks('home');
      const asked = { match: 'type', context: { application: 'Time tracking' } };
      const pairing = await openPairing(service, account.key, undefined, asked);
      await phone.scanned(pairing.qrPayload);
      await waitForHeading(page, texts.approve);
      await page.getByText(texts.opened).waitFor();
      await looks('asked');
      await page.getByRole('group', { name: texts.digits }).waitFor();
      await press(page, texts.notMe);
      await waitForHeading(page, texts.nobody);
      await looks('declined');
      await phone.scanned((await openDesk()).deeplink);
      await page.route('**/pair-device', (route) =>
        route.fulfill({ status: 401, json: { error: 'pair_failed', message: 'Not valid.', requestId: 'r' } }),
      );
      await press(page, texts.continue);
      await page.getByText(texts.used).waitFor();
      expectClean(phone, /status of 401/);
      await phone.close();
    },
  );

  it('shows the host before its script has arrived, and keeps the code if the script does not', async () => {
    const phone = await openPhone(service, { locale: 'de-DE' });
    const { page } = phone;
    const { host } = new URL(service.origin);
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/assets/main-*.js', async (route) => {
      await held;
      await route.abort();
    });
    const { deeplink } = await openDesk();
    await page.goto(`/phone/#code=${encodeURIComponent(deeplink)}`, { waitUntil: 'commit' });
    await page.getByText(host, { exact: true }).waitFor();
    await page.getByText('Der Code wird gelesen').waitFor();
    await checkLooks(page, 'loading');
    answer?.();
    await page.getByText('Die Seite konnte nicht geladen werden.').waitFor();
    await page.unroute('**/assets/main-*.js');
    await page.reload();
    await waitForHeading(page, 'Dieses Telefon registrieren?');
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('opens the address of a code, and names the person after the registration and on the card [phones/name-on-the-phone]', async () => {
    const fullName = 'Augusta Ada King, Countess of Lovelace-Donaudampfschifffahrtsgesellschaft';
    const body = { profile: { fullName } };
    const opened = await service.call('POST', '/v1/registrations', { as: account.key, body });
    const phone = await openPhone(service, { viewport: { width: 320, height: 700 } });
    const { page } = phone;
    await page.goto(opened.body.pair.url);
    await waitForHeading(page, 'Register this phone?');
    expect(new URL(page.url()).hash).toBe('');
    await expectInOrder(page, new URL(service.origin).host, 'Register this phone?');
    await press(page, 'Continue');
    await press(page, 'Register');
    await waitForHeading(page, 'Registered');
    await page.getByText(`${fullName} is registered with Example AG.`).waitFor();
    await checkLooks(page, 'registered-person');
    await press(page, 'Done');
    await page.locator('article').getByText(fullName, { exact: true }).waitFor();
    await checkLooks(page, 'card-person');
    await press(page, 'Add another phone');
    await page.getByRole('heading', { name: 'Add another phone' }).waitFor();
    await press(page, 'Back');
    await press(page, 'A phone is lost');
    await waitForHeading(page, 'Your phones');
    await press(page, 'Back');
    await waitForHeading(page, 'Your identities');
    expectClean(phone);
    await phone.close();
  });

  it('offers to be installed after the first registration, and never again after a no', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const card = page.getByText('Add it to your home screen');
    await page.goto('/phone/');
    await waitForHeading(page, 'No identity yet');
    // The browser shows no offer of its own either.
    expect(await offerInstall(page)).toBe(true);
    expect(await card.count()).toBe(0);
    await register(phone);
    await press(page, 'Done');
    await page.getByText('Not used yet').waitFor();
    expect(await card.count()).toBe(0);
    await offerInstall(page);
    await card.waitFor();
    await checkLooks(page, 'install');
    await press(page, 'Install');
    await card.waitFor({ state: 'detached' });
    expect(await page.evaluate('prompted')).toBe(true);

    // Safari on iOS has no offer, so the page says where the menu is.
    await page.addInitScript(
      `Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' })`,
    );
    await page.reload();
    const byHand = page.getByText('Tap Share, then “Add to Home Screen”');
    await byHand.waitFor();
    await checkLooks(page, 'install-ios');
    await press(page, 'Not now');
    await byHand.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Not used yet').waitFor();
    await offerInstall(page);
    expect(await card.count()).toBe(0);
    expectClean(phone);
    await phone.close();
  });
});
