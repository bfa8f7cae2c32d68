// @module-tag if-touched @pages console/src/desk/ console/test/desk/: the desk; what its device may do is tested on the server
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPhone, type PhoneWindow } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import {
  account,
  approveOn,
  type DeskWindow,
  heading,
  openDesk,
  press,
  registerOn,
  scanOn,
  service,
  shownOn,
  startDeskService,
} from './setting.js';

startDeskService();

let desk: DeskWindow;
let phone: PhoneWindow;
beforeAll(async () => {
  desk = await openDesk();
  phone = await openPhone(service);
});
afterAll(async () => {
  await desk.close();
  await phone.close();
});

describe('a desk', () => {
  it('is set up with the code of a device, has a key that cannot be exported, and keeps no code in its address [devices/desk]', async () => {
    const { page } = desk;
    await heading(page, 'Welcome to Northwind Traders');
    expect(new URL(page.url()).hash).toBe('');
    const kept = await page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('svc-desk');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('device').objectStore('device').get('this');
        reading.onsuccess = () => resolve([reading.result.key.privateKey.extractable, reading.result.deviceId]);
      };
    })`);
    expect(kept).toEqual([false, desk.deviceId]);
    await expectAccessibleInEveryLook(page, 'desk-start');
  });

  it('registers a person in three actions, and shows the phone’s three steps', async () => {
    const { page } = desk;
    await press(page, /^Register/);
    await heading(page, 'Who are you?');
    await expectAccessibleInEveryLook(page, 'desk-form');
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.com');
    await press(page, 'Continue');
    await heading(page, 'Scan with your phone');
    await page.getByRole('img', { name: 'Code for your phone' }).waitFor();
    await page.getByText(/Expires in 1[45]:/).waitFor();
    await expectAccessibleInEveryLook(page, 'desk-registering');
    await registerOn(phone, (await shownOn(page)).code);
    await heading(page, 'You are registered, Ada Lovelace');
    const { users } = (await service.call('GET', '/v1/users', { as: account.key })).body;
    expect(users[0]).toMatchObject({ fullName: 'Ada Lovelace', email: 'ada@example.com' });
    await expectAccessibleInEveryLook(page, 'desk-registered');
    await press(page, /^Done/);
    await heading(page, 'Welcome to Northwind Traders');
  });

  it('signs a person in: the code gives way to the number once a phone has opened it, then their name', async () => {
    const { page } = desk;
    await press(page, /^Sign in/);
    await heading(page, 'Scan, then type your number');
    const { code, number } = await shownOn(page);
    await expectAccessibleInEveryLook(page, 'desk-signing-in');
    await scanOn(phone, code);
    await heading(page, 'Type your number');
    await page.getByText('Phone connected').waitFor();
    await page.getByText('Phone connected').waitFor();
    expect(
      await page.getByText('Waiting for your phone').count(),
      'it is connected [devices/reading-at-a-desk]',
    ).toBe(0);
    expect(await page.getByLabel('Type this number on your phone').textContent()).toBe(number);
    expect(await page.getByRole('img', { name: 'Code for your phone' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'desk-phone-connected');
    await press(page, 'Not your phone? Show the code');
    await page.getByRole('img', { name: 'Code for your phone' }).waitFor();
    await approveOn(phone, number);
    await heading(page, 'Welcome, Ada Lovelace');
    await press(page, 'Sign in another');
    await heading(page, 'Scan, then type your number');
    await press(page, 'Cancel');
    expectClean(desk);
    expectClean(phone);
  });

  it('leaves no session of the person behind [devices/what-a-desk-shows]', async () => {
    const path = '/v1/audit?action=session.logged_out';
    const ended = async () => (await service.call('GET', path, { as: account.key })).body.audit;
    await expect.poll(ended).toMatchObject([{ actorType: 'device', actorId: desk.deviceId }]);
  });

  it('says which field is wrong, and takes a person without a contact', async () => {
    const { page } = desk;
    await heading(page, 'Welcome to Northwind Traders');
    await press(page, /^Register/);
    await press(page, 'Continue');
    await page.getByText('Enter the name.').waitFor();
    await page.keyboard.type('Grace Hopper');
    await page.getByLabel('E-mail or phone number').fill('nothing');
    await press(page, 'Continue');
    await page.getByText('Enter an e-mail address or a phone number.').waitFor();
    await page.getByLabel('E-mail or phone number').fill('');
    await press(page, 'Continue');
    await heading(page, 'Scan with your phone');
    await press(page, 'Cancel');
    await heading(page, 'Welcome to Northwind Traders');
  });

  it('works with the keyboard alone', async () => {
    const { page } = desk;
    const { keyboard } = page;
    await page.locator('body').press('Tab');
    await page.getByRole('button', { name: /^Register/ }).focus();
    await keyboard.press('Enter');
    await keyboard.type('Alan Turing');
    await keyboard.press('Enter');
    await heading(page, 'Scan with your phone');
    // On localhost, *Open in this browser* comes before it once there is a code.
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await keyboard.press('Enter');
    await heading(page, 'Welcome to Northwind Traders');
  });

  it.each([
    {
      language: 'Deutsch',
      lang: 'de',
      start: 'Willkommen bei Northwind Traders',
      signIn: /^Anmelden/,
      scan: 'Scannen, dann die Zahl eintippen',
      expires: /Läuft ab in/,
      cancel: 'Abbrechen',
    },
    {
      language: 'Español',
      lang: 'es',
      start: 'Te damos la bienvenida a Northwind Traders',
      signIn: /^Iniciar sesión/,
      scan: 'Escanea y luego escribe tu número',
      expires: /Caduca en/,
      cancel: 'Cancelar',
    },
  ])('speaks $language once that is pressed, and the next person’s language afterwards', async (texts) => {
    const { page } = desk;
    await press(page, texts.language);
    await heading(page, texts.start);
    expect(await page.evaluate('document.documentElement.lang')).toBe(texts.lang);
    await expectAccessibleInEveryLook(page, `desk-start-${texts.lang}`);
    await press(page, texts.signIn);
    await heading(page, texts.scan);
    await page.getByText(texts.expires).waitFor();
    await press(page, texts.cancel);
    await heading(page, 'Welcome to Northwind Traders');
  });

  it('keeps the focus where the language is chosen', async () => {
    const { page } = desk;
    const focused = () => page.evaluate('document.activeElement?.textContent');
    await press(page, 'Español');
    await heading(page, 'Te damos la bienvenida a Northwind Traders');
    expect(await focused()).toBe('English');
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome to Northwind Traders');
    expect(await focused()).toBe('Español');
  });
});
