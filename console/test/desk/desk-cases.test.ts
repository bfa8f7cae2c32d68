// @module-tag if-touched @pages console/src/desk/ console/test/desk/: what happens at a desk when something goes wrong
import { describe, expect, it } from 'vitest';
import { openPhone, withScreenLock } from '../phone/phone-window.js';
import { expectAccessibleInEveryLook, openWindow } from '../support/browser.js';
import { logIn } from '../support/signed-in.js';
import {
  account,
  approveOn,
  begin,
  heading,
  newDevice,
  openDesk,
  press,
  registerOn,
  revoke,
  START,
  scanOn,
  service,
  shownOn,
  startDeskService,
  states,
} from './setting.js';

startDeskService();

describe('setting up a desk', () => {
  it('rejects a wrong code, takes a right one that is typed, and asks for nothing after a reload', async () => {
    const { code } = await newDevice();
    const { page, close } = await openWindow(service.origin);
    await page.goto('/desk');
    await page.getByLabel('Code of the device').fill('SV-7K2M');
    await press(page, 'Set up this screen');
    await page.getByText('The code has eight letters or digits after SV.').waitFor();
    await page.getByLabel('Code of the device').fill('SV-2222-2222');
    await press(page, 'Set up this screen');
    await page.getByText(/This code is wrong, was used, or has expired/).waitFor();
    await expectAccessibleInEveryLook(page, 'desk-set-up');
    await page.getByLabel('Code of the device').fill(code.toLowerCase());
    await press(page, 'Set up this screen');
    await heading(page, START);
    await page.reload();
    await heading(page, START);
    await close();
  });
});

describe('a desk', () => {
  it('shows the code again after a refused phone, for the next one', async () => {
    const { page, close } = await openDesk();
    const phone = await openPhone(service);
    await begin(page, 'Grace Hopper');
    await registerOn(phone, (await shownOn(page)).code);
    await heading(page, 'You are registered, Grace Hopper');
    await press(page, /^Done/);
    await press(page, /^Sign in/);
    await heading(page, 'Scan, then type your number');
    const { code, number } = await shownOn(page);
    await scanOn(phone, code);
    await heading(page, 'Type your number');
    const { users } = (await service.call('GET', '/v1/users?q=Grace', { as: account.key })).body;
    await service.call('PATCH', `/v1/users/${users[0].id}`, {
      as: account.key,
      body: { status: 'inactive' },
    });
    await approveOn(phone, number);
    await page.getByText('A phone was not accepted.').waitFor();
    await page.getByRole('img', { name: 'Code for your phone' }).waitFor();
    await heading(page, 'Scan, then type your number');
    await press(page, 'Cancel');
    await close();
    await phone.close();
  });

  it('is tried without a phone: on an address that no phone can reach, this browser takes part', async () => {
    const desk = await openDesk();
    await begin(desk.page);
    const opened = desk.context.waitForEvent('page');
    await desk.page.getByRole('link', { name: 'Open in this browser' }).click();
    await (await opened).getByRole('button', { name: 'Continue', exact: true }).click();
    await heading(desk.page, 'Confirm on your phone');
    expect(await desk.page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    await desk.close();
  });

  it('goes back to its start after a person who walks away, and cancels their code four minutes later [devices/reading-at-a-desk]', async () => {
    const { page, close } = await openDesk();
    await heading(page, START);
    await page.clock.install();
    await begin(page);
    await page.clock.fastForward(46_000);
    await page.getByText('Are you still there?').waitFor();
    await press(page, 'I’m still here');
    await page.getByText('Are you still there?').waitFor({ state: 'detached' });
    await heading(page, 'Scan with your phone');
    await page.clock.fastForward(61_000);
    await heading(page, START);
    await page.clock.fastForward(230_000);
    expect((await states())[0]).toBe('awaiting_device');
    await page.clock.fastForward(15_000);
    await expect.poll(async () => (await states())[0]).toBe('abandoned');
    await close();
  });

  it('leaves a code that somebody reads on their phone to that phone, also once the desk is back at its start [devices/reading-at-a-desk]', async () => {
    const { page, close } = await openDesk();
    const phone = await openPhone(service);
    await heading(page, START);
    await page.clock.install();
    await begin(page, 'Hedy Lamarr');
    await phone.scanned((await shownOn(page)).code);
    await page.clock.fastForward(61_000);
    await heading(page, START);
    expect(await page.locator('body').textContent()).not.toContain('Hedy');
    await phone.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await phone.page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect.poll(async () => (await states())[0]).toBe('completed');
    await page.clock.fastForward(300_000);
    await heading(page, START);
    expect((await states())[0]).toBe('completed');
    await phone.close();
    await close();
  });

  it('shows nothing of the person before after a reload, and cancels their code [devices/unfinished-desk]', async () => {
    const { page, close } = await openDesk();
    await begin(page, 'Grace Hopper');
    await page.reload();
    await heading(page, START);
    expect(await page.locator('body').textContent()).not.toContain('Grace');
    await expect.poll(async () => (await states())[0]).toBe('abandoned');
    await close();
  });

  it('dims the code while there is no network, and goes on when it is back', async () => {
    const { page, context, close } = await openDesk();
    await begin(page);
    await context.setOffline(true);
    await page.getByText('No connection. Trying again…').waitFor();
    await context.setOffline(false);
    await page.getByText('Waiting for your phone').waitFor();
    await press(page, 'Cancel');
    await heading(page, START);
    await context.setOffline(true);
    await heading(page, 'No connection');
    await context.setOffline(false);
    await heading(page, START);
    await close();
  });

  it('offers a new code when a phone opens one and then does nothing', async () => {
    const { page, close } = await openDesk();
    const phone = await openPhone(service);
    await begin(page, 'Ada Lovelace');
    const { code } = await shownOn(page);
    await phone.scanned(code);
    await phone.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await phone.page.getByRole('button', { name: 'Register', exact: true }).click();
    await heading(page, 'You are registered, Ada Lovelace');
    await press(page, /^Done/);
    await press(page, /^Sign in/);
    const before = await shownOn(page);
    await scanOn(phone, before.code);
    await heading(page, 'Type your number');
    service.clock.advance(300_000);
    await heading(page, 'The code has expired');
    await expectAccessibleInEveryLook(page, 'desk-expired');
    await press(page, 'Show a new code');
    await heading(page, 'Scan, then type your number');
    expect((await shownOn(page)).code).not.toBe(before.code);
    await phone.close();
    await close();
  });

  it('says that it is switched off when its device was revoked, and stays so', async () => {
    const { page, deviceId, close } = await openDesk();
    await heading(page, START);
    await revoke(deviceId);
    await press(page, /^Sign in/);
    await heading(page, 'This desk is switched off');
    await expectAccessibleInEveryLook(page, 'desk-revoked');
    await page.reload();
    await heading(page, 'This desk is switched off');
    await page.getByText('Northwind Traders').first().waitFor();
    await close();
  });

  it('is left only with the log-in of a member of its company, who is not kept logged in', async () => {
    const { page, close } = await openDesk();
    const stranger = await service.signUp();
    await press(page, 'Menu of the desk');
    await page.getByText('Lobby kiosk').waitFor();
    await expectAccessibleInEveryLook(page, 'desk-menu');
    await press(page, 'Leave the desk');
    const logIn = async (email: string, password: string) => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(password);
      await press(page, 'Leave the desk');
    };
    await logIn(account.email, 'not-the-password-1');
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    await logIn(stranger.email, stranger.password);
    await page.getByText('This is a member of another company. The desk stays.').waitFor();
    await logIn(account.email, account.password);
    await heading(page, 'Set up this desk');
    await page.reload();
    await heading(page, 'Set up this desk');
    const { loginSessions } = (
      await service.call('GET', '/api/console/login-sessions', { as: account.token })
    ).body;
    expect(loginSessions.filter(({ current }: { current: boolean }) => !current)).toEqual([]);
    await close();
  });

  it('is left with a passkey, and the browser is not logged in afterwards [devices/leaving-a-desk-by-passkey]', async () => {
    const desk = await openDesk();
    const { page, context, close } = desk;
    await heading(page, START);
    await withScreenLock(desk);
    await press(page, 'Menu of the desk');
    await press(page, 'Leave the desk');
    await press(page, 'Leave with a passkey');
    await page.getByText('No passkey was used.').waitFor();
    await page.goto('/dashboard/login?next=%2Fsettings%2Fsecurity');
    await logIn(page, account);
    await press(page, 'Add a passkey');
    await press(page, 'Continue');
    await page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').waitFor();
    await context.clearCookies();
    await page.goto('/desk');
    await press(page, 'Menu of the desk');
    await press(page, 'Start with a passkey');
    await heading(page, 'What do you want to do?');
    await press(page, 'End');
    await press(page, 'Menu of the desk');
    await press(page, 'Leave the desk');
    await press(page, 'Leave with a passkey');
    await heading(page, 'Set up this desk');
    expect(await context.cookies()).toEqual([]);
    await close();
  });
});
