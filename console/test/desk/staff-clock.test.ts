// @module-tag if-touched @pages console/src/desk/ console/test/desk/ server/src/features/pins/: a member beside somebody without a phone
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addMember } from '../../../server/test/support/members.js';
import { createSite } from '../../../server/test/support/punches.js';
import { expectAccessibleInEveryLook } from '../support/browser.js';
import { account, heading, openDesk, press, service, startDeskService } from './setting.js';

startDeskService();

async function startStaff(page: Page): Promise<void> {
  const member = await addMember(service, account, 'reception');
  await press(page, 'Menu of the desk');
  await page.getByLabel('E-mail').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await heading(page, 'What do you want to do?');
}

it('offers a clock to nobody where the environment has no site, and to everybody from the first site on', async () => {
  const { page, close } = await openDesk();
  await page.getByRole('button', { name: /^Sign in/ }).waitFor();
  const clock = page.getByRole('button', { name: /^(Clock|Give a PIN|Show only the clock)/ });
  expect(await clock.count()).toBe(0);
  await startStaff(page);
  await page.getByRole('button', { name: /^Who is here/ }).waitFor();
  expect(await clock.count()).toBe(0);
  await createSite(service, account);
  await page.reload();
  await page.getByRole('button', { name: /^Clock in or out/ }).waitFor();
  await startStaff(page);
  expect(await clock.count()).toBe(3);
  await close();
});

it('a member at a desk clocks somebody in, and gives them a PIN that is shown once [time/without-a-phone]', async () => {
  const { page, close, deviceId } = await openDesk();
  const created = await service.call('POST', '/v1/users', {
    as: account.key,
    body: { fullName: 'Ada Lovelace' },
  });
  await startStaff(page);
  const find = async (task: RegExp) => {
    await press(page, task);
    await page.getByLabel('First or last name').fill('Lovelace');
    await press(page, 'Find');
    await press(page, /^Ada Lovelace/);
  };
  await find(/^Clock somebody in or out/);
  await heading(page, 'What does Ada Lovelace do?');
  await expectAccessibleInEveryLook(page, 'desk-staff-clock');
  await press(page, 'Come');
  await page.getByRole('heading', { name: /^Came \d\d:\d\d$/ }).waitFor();
  const { attendance } = (await service.call('GET', '/v1/attendance', { as: account.key })).body;
  expect(attendance).toMatchObject([
    { userId: created.body.user.id, type: 'check_in', evidence: 'declared', deviceId },
  ]);
  await press(page, 'Done');
  await find(/^Give a PIN/);
  await press(page, 'Draw a PIN');
  await heading(page, 'PIN of Ada Lovelace');
  const pin = (await page.locator('output').textContent()) ?? '';
  expect(pin).toMatch(/^\d{6}$/);
  await expectAccessibleInEveryLook(page, 'desk-staff-pin');
  await press(page, 'Done');
  await heading(page, 'What do you want to do?');
  expect(await page.locator('body').textContent()).not.toContain(pin);
  await close();
});
