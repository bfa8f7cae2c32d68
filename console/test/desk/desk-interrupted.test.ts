// @module-tag if-touched @pages console/src/desk/ console/test/desk/: a desk that loses its power, its network or its key in the middle
import { describe, expect, it } from 'vitest';
import { openPhone, type PhoneWindow } from '../phone/phone-window.js';
import { expectAccessible, expectAccessibleInEveryLook } from '../support/browser.js';
import {
  begin,
  beginOn,
  type DeskWindow,
  finishOn,
  heading,
  openDesk,
  press,
  START,
  service,
  shownOn,
  startDeskService,
  states,
} from './setting.js';

startDeskService();

const CONFIRM = 'Confirm on your phone';

/** A desk and a phone that has begun a registration there. */
async function halfRegistered(name: string): Promise<DeskWindow & { readonly phone: PhoneWindow }> {
  const desk = await openDesk();
  const phone = await openPhone(service);
  await begin(desk.page, name);
  await beginOn(phone, (await shownOn(desk.page)).code);
  await heading(desk.page, CONFIRM);
  // It says so as soon as the phone has opened the code.
  const isNoted = `'begunAt' in JSON.parse(localStorage.getItem('svc-desk-open') ?? '{}')`;
  await expect.poll(() => desk.page.evaluate(isNoted)).toBe(true);
  const close = async () => {
    await phone.close();
    await desk.close();
  };
  return { ...desk, phone, close };
}

describe('a registration that a phone has begun', () => {
  it('is found again after a loss of power, without the name, and the desk says how it ended [devices/registration-left-at-a-desk]', async () => {
    const { page, context, phone, close } = await halfRegistered('Grace Hopper');
    await page.reload();
    await heading(page, CONFIRM);
    expect(await page.locator('body').textContent()).not.toContain('Grace');
    await expectAccessible(page);
    await context.setOffline(true);
    await page.getByText('No connection. Trying again…').waitFor();
    await context.setOffline(false);
    await finishOn(phone);
    await heading(page, 'You are registered, Grace Hopper');
    await page.reload();
    await heading(page, START);
    await close();
  });

  it('is greeted by a desk that was dark for less than a minute, and not later [devices/registration-left-at-a-desk]', async () => {
    const registeredInTheDark = async (name: string, darkMs: number) => {
      const { page, phone, close } = await halfRegistered(name);
      await page.goto('about:blank');
      await finishOn(phone);
      await phone.page.getByRole('heading', { name: 'Registered' }).waitFor();
      service.clock.advance(darkMs);
      await page.goto('/desk');
      return { page, close };
    };
    const present = await registeredInTheDark('Grace Hopper', 20_000);
    await heading(present.page, 'You are registered, Grace Hopper');
    await present.close();
    const away = await registeredInTheDark('Alan Turing', 61_000);
    await heading(away.page, START);
    expect(await away.page.locator('body').textContent()).not.toContain('Alan');
    await away.close();
  });

  it('is ended by a press on the desk, because it may be somebody else’s phone [devices/registration-left-at-a-desk]', async () => {
    const { page, phone, close } = await halfRegistered('Ada Lovelace');
    await expectAccessibleInEveryLook(page, 'desk-registering-connected');
    await press(page, 'Not your phone? Show a new code');
    await heading(page, 'Scan with your phone');
    await expect.poll(async () => (await states()).slice(0, 2)).toEqual(['awaiting_device', 'abandoned']);
    await finishOn(phone);
    await phone.page
      .getByRole('alert')
      .getByText(/was ended at the desk/)
      .waitFor();
    await beginOn(phone, (await shownOn(page)).code);
    await heading(page, CONFIRM);
    await press(page, 'Cancel');
    await heading(page, START);
    await expect.poll(async () => (await states())[0]).toBe('abandoned');
    await close();
  });

  it('is left to the phone when the person walks away [devices/unfinished-desk]', async () => {
    const { page, phone, close } = await halfRegistered('Ada Lovelace');
    await page.clock.install();
    await press(page, 'Deutsch');
    await heading(page, 'Bestätigen Sie auf dem Telefon');
    await page.clock.runFor(301_000);
    await heading(page, START);
    await finishOn(phone);
    await expect.poll(async () => (await states())[0]).toBe('completed');
    await close();
  });
});

describe('a desk', () => {
  it('cancels a code that was left without a network as soon as the network is back', async () => {
    const { page, context, close } = await openDesk();
    await begin(page);
    await context.setOffline(true);
    await press(page, 'Cancel');
    await heading(page, 'No connection');
    expect((await states())[0]).toBe('awaiting_device');
    await context.setOffline(false);
    await heading(page, START);
    await expect.poll(async () => (await states())[0]).toBe('abandoned');
    await close();
  });

  it('asks to be set up again when the browser has lost its key, and shows nothing of the person before', async () => {
    const { page, close } = await openDesk();
    await begin(page, 'Grace Hopper');
    await page.evaluate(`new Promise((resolve) => {
      indexedDB.deleteDatabase('svc-desk').onsuccess = resolve;
    })`);
    await page.reload();
    await heading(page, 'Set up this desk');
    expect(await page.locator('body').textContent()).not.toContain('Grace');
    await close();
  });

  it('works with a clock that is two hours slow, and when somebody sets it back [devices/clock-of-a-desk]', async () => {
    const { page, close } = await openDesk({}, Date.now() - 2 * 60 * 60_000);
    await begin(page);
    await page.getByText(/Expires in 1[45]:/).waitFor();
    await page.clock.setSystemTime(Date.now() - 4 * 60 * 60_000);
    await page.clock.runFor(61_000);
    await heading(page, START);
    await close();
  });

  it('says when it goes on after too many requests, and goes on by itself [devices/busy-desk]', async () => {
    const { page, close } = await openDesk();
    await page.clock.install();
    await page.route('**/v1/registrations', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '20' },
        json: { error: 'rate_limit_exceeded', message: 'Too many requests.', requestId: 'req-1' },
      }),
    );
    await press(page, /^Register/);
    await page.keyboard.type('Ada Lovelace');
    await press(page, 'Continue');
    await heading(page, 'One moment, please');
    await page.getByText(/It goes on by itself in \d+\ss\./).waitFor();
    await expectAccessible(page);
    await page.unroute('**/v1/registrations');
    await page.clock.runFor(20_500);
    await heading(page, 'Scan with your phone');
    await close();
  });
});
