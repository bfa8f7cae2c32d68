// @module-tag if-touched @pages console/src/desk/ console/test/desk/ console/src/dashboard/home/open-now.tsx server/src/features/staff/: a day at the desk, with the clicks that it takes
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember, type MemberAccount } from '../../../server/test/support/members.js';
import { openPhone, type PhoneWindow, typeNumber } from '../phone/phone-window.js';
import { expectClean, type Window } from '../support/browser.js';
import { countedClicks } from '../support/clicks.js';
import { openDashboard } from '../support/signed-in.js';
import {
  account,
  type DeskWindow,
  heading,
  openDesk,
  START,
  service,
  shownOn,
  startDeskService,
} from './setting.js';

startDeskService();

const TASKS = 'What do you want to do?';
/** Two of them were imported. */
const PEOPLE = ['Ada Lovelace', 'Alan Turing', 'Grace Murray', 'Hedy Lamarr', 'Katherine Johnson'] as const;
const IMPORTED: readonly string[] = PEOPLE.slice(0, 2);

let member: MemberAccount;
let desk: DeskWindow;
let dashboard: Window;
const phones = new Map<string, PhoneWindow>();
beforeAll(async () => {
  member = await addMember(service, account, 'reception');
  for (const fullName of IMPORTED)
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName } });
  desk = await openDesk();
  dashboard = await openDashboard(service, { ...account, ...member }, '/live/open');
});
afterAll(async () => {
  for (const window of [desk, dashboard, ...phones.values()]) await window.close();
});

const button = ({ page }: Window, name: string | RegExp) => page.getByRole('button', { name }).first();
/** Many people in a minute are more than one address may be. */
const later = () => service.clock.advance(20_000);

/** A member starts. Returns their clicks; they also type their e-mail and password. */
async function start(): Promise<number> {
  const clicks = countedClicks();
  await heading(desk.page, START);
  await clicks.click(button(desk, 'Menu of the desk'));
  await desk.page.getByLabel('E-mail').fill(member.email);
  await desk.page.getByLabel('Password').fill(member.password);
  await clicks.click(desk.page.getByRole('button', { name: 'Start', exact: true }));
  await heading(desk.page, TASKS);
  return clicks.count;
}

/** Types a name and presses Enter. */
async function find(name: string): Promise<void> {
  await desk.page.getByLabel('First or last name').fill(name.split(' ').at(-1) ?? '');
  await desk.page.keyboard.press('Enter');
}

/** The person's part: from the code to the phone that is registered. Returns the taps after scanning. */
async function takeCode(phone: PhoneWindow): Promise<number> {
  const taps = countedClicks();
  await phone.scanned((await shownOn(desk.page)).code);
  await taps.click(phone.page.getByRole('button', { name: 'Continue', exact: true }));
  await taps.click(phone.page.getByRole('button', { name: 'Register', exact: true }));
  return taps.count;
}

describe('a day of a reception', () => {
  it('registers five people with names that it confirms: four clicks for each, five for somebody new, and two taps on the phone', async () => {
    expect(await start()).toBe(2);
    for (const name of PEOPLE) {
      later();
      const clicks = countedClicks();
      const isNew = !IMPORTED.includes(name);
      await clicks.click(button(desk, /^Register somebody/));
      await find(name);
      await clicks.click(button(desk, isNew ? 'Somebody new' : new RegExp(`^${name}`)));
      if (isNew) {
        await desk.page.getByLabel('First and last name').fill(name);
        await clicks.click(button(desk, 'Continue'));
      }
      await clicks.click(button(desk, isNew ? 'I have seen a document' : 'They are on a list that I trust'));
      await heading(desk.page, 'Scan with your phone');
      const phone = await openPhone(service);
      phones.set(name, phone);
      expect(await takeCode(phone)).toBe(2);
      await heading(desk.page, `${name} is registered`);
      await clicks.click(button(desk, 'Done'));
      expect(clicks.count).toBe(isNew ? 5 : 4);
    }
    const { users } = (await service.call('GET', '/v1/users', { as: account.key })).body;
    expect(users).toHaveLength(PEOPLE.length);
    for (const { nameConfirmation } of users)
      expect(nameConfirmation).toMatchObject({ memberId: member.id, deviceId: desk.deviceId });
    await button(desk, 'End').click();
  });

  it('signs ten people in: one tap at the desk, and two on the phone', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      later();
      const name = PEOPLE[turn % PEOPLE.length] as string;
      const phone = phones.get(name) as PhoneWindow;
      await heading(desk.page, START);
      await button(desk, /^Sign in/).click();
      await heading(desk.page, 'Scan, then type your number');
      const { code, number } = await shownOn(desk.page);
      await phone.scanned(code);
      // Two digits approve.
      await typeNumber(phone.page, number);
      await heading(desk.page, `Welcome, ${name}`);
      await button(desk, /^Done/).click();
    }
  });

  it('locks a lost phone and registers the new one in seven clicks, says when it works, and the dashboard shows that it waits', async () => {
    later();
    await start();
    const clicks = countedClicks();
    await clicks.click(button(desk, /^A phone is lost/));
    await find('Ada Lovelace');
    await clicks.click(button(desk, /^Ada Lovelace/));
    await clicks.click(button(desk, 'Lock'));
    await clicks.click(button(desk, 'Yes, lock'));
    await clicks.click(button(desk, 'Register the new phone'));
    await clicks.click(button(desk, 'I know them'));
    await heading(desk.page, 'Scan with your phone');
    const phone = await openPhone(service);
    phones.set('the new phone', phone);
    expect(await takeCode(phone)).toBe(2);
    await heading(desk.page, 'Ada Lovelace’s new phone does not work yet');
    await desk.page.getByText(/^They can sign in from tomorrow /).waitFor();
    await clicks.click(button(desk, 'Done'));
    expect(clicks.count).toBe(7);
    await button(desk, 'End').click();
    await heading(desk.page, START);
    const { page } = dashboard;
    await page.reload();
    await page.getByRole('region', { name: 'New phones that wait' }).getByText('Ada Lovelace').waitFor();
    for (const window of [desk, dashboard, ...phones.values()]) expectClean(window);
  });
});
