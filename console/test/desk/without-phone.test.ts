// @module-tag if-touched @pages console/src/desk/ console/test/desk/ server/src/features/pins/: somebody without a phone at the clock of a desk
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberAccount } from '../../../server/test/support/members.js';
import type { Person } from '../../../server/test/support/phone.js';
import { createSite } from '../../../server/test/support/punches.js';
import { openedDesk, staffAt } from '../../../server/test/support/staff.js';
import { employ, memberWith } from '../../../server/test/support/time-scene.js';
import { openPhone } from '../phone/phone-window.js';
import { expectAccessible, expectAccessibleInEveryLook } from '../support/browser.js';
import { account, type DeskWindow, heading, openDesk, press, service, startDeskService } from './setting.js';

startDeskService();

const CLOCK = 'Scan to clock in or out';
const NUMBER = 'Your personnel number';
const PIN = 'Your PIN';
const CHOOSE = 'What do you want to do?';

let desk: DeskWindow;
let ada: Person;
let hr: MemberAccount;
/** Drawn by a member, so it has to be changed. */
let printed: string;
beforeAll(async () => {
  const site = await createSite(service, account);
  desk = await openDesk();
  const placed = await service.call('PATCH', `/v1/devices/${desk.deviceId}`, {
    as: account.key,
    body: { locationId: site.id },
  });
  expect(placed.status, placed.text).toBe(200);
  ada = await employ(service, { account, site }, { employeeCode: '1815' });
  hr = await memberWith(service, account, { hours: true }, 'reception');
  const headers = await staffAt(service, await openedDesk(service, account), hr);
  const drawn = await service.call('POST', '/v1/staff/pins', { headers, body: { userId: ada.userId } });
  printed = drawn.body.pin;
  await press(desk.page, /^Clock in or out/);
});
afterAll(() => desk.close());

/** Types a number with the keyboard and a PIN by touch. */
async function identify(pin: string, number = '1815'): Promise<void> {
  const { page } = desk;
  await press(page, 'Without my phone');
  await heading(page, NUMBER);
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
  await heading(page, PIN);
  await touch(pin);
}

async function touch(pin: string): Promise<void> {
  for (const digit of pin) await desk.page.getByRole('button', { name: digit, exact: true }).click();
}

const events = async () =>
  (await service.call('GET', '/v1/attendance?sort=oldest', { as: account.key })).body.attendance;

describe('without a phone, at the clock of a desk [time/without-a-phone]', () => {
  it('a printed PIN is changed at its first use, right there, and then counts', async () => {
    const { page } = desk;
    await press(page, 'Without my phone');
    await heading(page, NUMBER);
    await expectAccessibleInEveryLook(page, 'desk-number');
    await press(page, 'Back');
    await identify(printed);
    await heading(page, CHOOSE);
    await expectAccessibleInEveryLook(page, 'desk-acts');
    await press(page, 'Come');
    await heading(page, 'Choose a new PIN');
    await expectAccessibleInEveryLook(page, 'desk-new-pin');
    await touch('482915');
    await heading(page, 'The new PIN again');
    await touch('482916');
    await page.getByText('The two PINs are not the same.').waitFor();
    await touch('111111');
    await heading(page, 'The new PIN again');
    await touch('111111');
    await page.getByText('This PIN is easy to guess').waitFor();
    await touch('482915');
    await heading(page, 'The new PIN again');
    await touch('482915');
    await page.getByRole('heading', { name: /^Came \d\d:\d\d$/ }).waitFor();
    await heading(page, CLOCK);
    expect(await events()).toMatchObject([
      { type: 'check_in', evidence: 'declared', userId: ada.userId, deviceId: desk.deviceId },
    ]);
  });

  it('a wrong PIN is one sentence, and many wrong ones say how long they lock', async () => {
    const { page } = desk;
    await identify('000001', '1816');
    for (let n = 0; n < 5; n += 1) {
      await press(page, 'Go');
      await page.getByText('The number or the PIN is wrong.').waitFor();
      await touch('000001');
    }
    await press(page, 'Go');
    await page.getByText(/^Too many wrong tries\. It works again in 1[45]\smin\.$/).waitFor();
    await expectAccessible(page);
    await press(page, 'Back');
    await press(page, 'Back');
    await heading(page, CLOCK);
  });

  it('somebody reads their month and agrees to a correction, and nothing of it stays', async () => {
    const { page } = desk;
    service.clock.advance(3_600_000);
    const occurredAt = new Date(service.clock.now() - 60_000).toISOString();
    const proposed = await service.call('POST', '/v1/attendance/corrections', {
      as: hr.token,
      body: {
        ...{ userId: ada.userId, cause: 'forgotten' },
        changes: [{ old: null, new: { type: 'check_out', reason: 'work', occurredAt } }],
      },
    });
    expect(proposed.status, proposed.text).toBe(201);
    await identify('482915');
    await press(page, 'My month');
    await page.getByText('A correction waits for you').waitFor();
    await page.getByText('Ada Lovelace').waitFor();
    await expectAccessibleInEveryLook(page, 'desk-month');
    await page.clock.install();
    await press(page, 'Agree');
    await page.getByText('A correction waits for you').waitFor({ state: 'detached' });
    expect(await events()).toMatchObject([{ evidence: 'declared' }, { evidence: 'agreed' }]);
    // The touch has been noticed.
    await page.clock.runFor(1_000);
    await page.clock.fastForward(61_000);
    await heading(page, CLOCK);
    expect(await page.locator('body').textContent()).not.toContain('Ada');
    await press(page, 'Without my phone');
    expect(await page.getByLabel(NUMBER).inputValue()).toBe('');
    await page.reload();
  });

  it('a phone that has lost its data sends its person to the desk, where they clock out with number and PIN', async () => {
    const { page } = desk;
    await press(page, /^Clock in or out/);
    // As an iPhone is that did not open the page for fourteen days.
    const phone = await openPhone(service);
    await phone.scanned(String(await page.locator('[data-qr-payload]').getAttribute('data-qr-payload')));
    await phone.page.getByText('Press “Without my phone” on the desk').waitFor();
    await expectAccessible(phone.page);
    await phone.close();
    service.clock.advance(60_001);
    await identify('482915');
    await press(page, 'Go');
    await page.getByRole('heading', { name: /^Went \d\d:\d\d$/ }).waitFor();
    await heading(page, CLOCK);
    expect((await events()).at(-1)).toMatchObject({ type: 'check_out', evidence: 'declared' });
    await page.reload();
  });
});

describe.each([
  [
    'Deutsch',
    /^Kommen und Gehen/,
    'Ohne mein Telefon',
    'Weiter',
    'Was möchten Sie tun?',
    'Mein Monat',
    'de',
    'Gehen ohne Kommen.',
  ],
  [
    'Español',
    /^Fichar/,
    'Sin mi móvil',
    'Siguiente',
    '¿Qué quieres fichar?',
    'Mi mes',
    'es',
    'Una salida sin entrada.',
  ],
] as const)('in %s', (language, clock, without, next, choose, month, lang, flag) => {
  it('fits a narrow screen', async () => {
    const { page } = desk;
    // Now may be in another month than the events of before.
    const occurredAt = new Date(service.clock.now()).toISOString();
    const body = { userId: ada.userId, type: 'check_out', occurredAt };
    const recorded = await service.call('POST', '/v1/attendance', { as: account.key, body });
    expect(recorded.status, recorded.text).toBe(201);
    await press(page, language);
    await press(page, clock);
    await page.locator('[data-qr-payload]').waitFor();
    await expectAccessibleInEveryLook(page, `desk-clock-${lang}`);
    await press(page, without);
    await page.keyboard.type('1815');
    await press(page, next);
    await touch('482915');
    await heading(page, choose);
    await expectAccessibleInEveryLook(page, `desk-acts-${lang}`);
    await press(page, month);
    await page.getByRole('table').waitFor();
    await page.getByText(flag).waitFor();
    await expectAccessibleInEveryLook(page, `desk-month-${lang}`);
    await page.reload();
  });
});
