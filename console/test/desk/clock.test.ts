// @module-tag if-touched @pages console/src/desk/ console/test/desk/ server/src/features/punches/: the clock on the desk page
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../../../server/test/support/members.js';
import type { Person } from '../../../server/test/support/phone.js';
import {
  createSite,
  provePunch,
  readContext,
  type Site,
  send,
} from '../../../server/test/support/punches.js';
import { employ } from '../../../server/test/support/time-scene.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import {
  account,
  type DeskWindow,
  heading,
  openDesk,
  press,
  START,
  service,
  startDeskService,
} from './setting.js';

startDeskService();

const CLOCK = 'Scan to clock in or out';
/** A code is the newest for so long. */
const SLOT_MS = 15_000;

let desk: DeskWindow;
let site: Site;
let ada: Person;
beforeAll(async () => {
  site = await createSite(service, account, { timeZone: 'Asia/Tokyo' });
  desk = await openDesk();
  await placeAt(desk.deviceId);
  ada = await employ(service, { account, site });
});
afterAll(() => desk.close());

async function placeAt(deviceId: string): Promise<void> {
  const body = { locationId: site.id };
  const reply = await service.call('PATCH', `/v1/devices/${deviceId}`, { as: account.key, body });
  expect(reply.status, reply.text).toBe(200);
}

const codeOn = async ({ page }: Pick<DeskWindow, 'page'>): Promise<string> =>
  (await page.locator('[data-qr-payload]').getAttribute('data-qr-payload')) ?? '';

/** The service's clock stands still, so that the code moves only when a test says so. */
const nextSlot = () => service.clock.advance(SLOT_MS - (service.clock.now() % SLOT_MS));

/** The person's phone scans a code and sends its punch. */
async function punch(code: string, act: { readonly type?: 'check_out'; readonly reason?: 'break' } = {}) {
  const { body } = await readContext(service, { code });
  const reply = await send(service, await provePunch(ada, body.context, act));
  expect(reply.status, reply.text).toBe(201);
  return reply.body.attendance;
}

const inTokyo = (at: string) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' }).format(new Date(at));

describe('the clock of a desk [time/codes]', () => {
  it('says what each phone did that scanned its code, by the time of the site, and names nobody', async () => {
    const { page } = desk;
    nextSlot();
    await press(page, /^Clock in or out/);
    await heading(page, CLOCK);
    await page.getByText('Lobby kiosk').waitFor();
    const first = await codeOn(desk);
    await expectAccessibleInEveryLook(page, 'desk-clock');
    const { occurredAt } = await punch(first);
    await page.getByText(`Came ${inTokyo(occurredAt)}`).waitFor();
    nextSlot();
    await punch(await codeOn(desk), { type: 'check_out', reason: 'break' });
    await page.getByText(/^Break \d\d:\d\d$/).waitFor();
    await expectAccessibleInEveryLook(page, 'desk-clock-confirmed');
    // The punch has woken the stream, which then sends the code of the new time.
    await expect.poll(() => codeOn(desk)).not.toBe(first);
    expect(await page.locator('main').textContent()).not.toContain('Ada');
    await page.getByText(/^Break \d\d:\d\d$/).waitFor({ state: 'detached' });
  });

  it('shows no code without a network, says so, and shows the newest when the network is back', async () => {
    const { page, context } = desk;
    nextSlot();
    await press(page, 'Back');
    await press(page, /^Clock in or out/);
    const before = await codeOn(desk);
    await context.setOffline(true);
    await page.getByText('The code comes back by itself.').waitFor();
    expect(await page.locator('[data-qr-payload]').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'desk-clock-lost');
    nextSlot();
    await context.setOffline(false);
    await expect.poll(() => codeOn(desk)).toMatch(/^svc:/);
    expect(await codeOn(desk)).not.toBe(before);
    await punch(await codeOn(desk));
    await page.getByText(/^Came \d\d:\d\d$/).waitFor();
    expectClean(desk, /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
  });

  it('takes an old code away by itself when no new one comes', async () => {
    const { page, close } = await openDesk({}, Date.now());
    nextSlot();
    await press(page, /^Clock in or out/);
    await page.locator('[data-qr-payload]').waitFor();
    // Nothing reaches the desk any more, and the browser does not know it.
    await page.route('**/v1/**', (route) => route.abort());
    await page.clock.fastForward(SLOT_MS + 4_000);
    await page.locator('[data-qr-payload]').waitFor({ state: 'detached' });
    await close();
  });

  it('is all that a screen shows once a member has said so, also after a reload, until they say otherwise', async () => {
    const { page, close } = await openDesk();
    const member = await addMember(service, account, 'reception');
    const start = async () => {
      await press(page, 'Menu of the desk');
      await page.getByLabel('E-mail').fill(member.email);
      await page.getByLabel('Password').fill(member.password);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await heading(page, 'What do you want to do?');
    };
    nextSlot();
    await start();
    await press(page, /^Show only the clock/);
    await press(page, 'End');
    await heading(page, CLOCK);
    await page.reload();
    await heading(page, CLOCK);
    await page.locator('[data-qr-payload]').waitFor();
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await start();
    await press(page, /^Show the start again/);
    await press(page, 'End');
    await heading(page, START);
    await close();
  });
});
