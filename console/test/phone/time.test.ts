// @module-tag if-touched @pages console/src/phone/time/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/phone.tsx console/src/phone/parts/ sdk/src/time/ zk/artifacts/ zk/kernel/ zk/src/time/ zk/src/records/ zk/src/field.ts zk/src/prover/: a person comes and goes in the browser, with real proofs
import { rmSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { codeAt, createSite, placeDesk, type Site } from '../../../server/test/support/punches.js';
import { setPolicy } from '../../../server/test/support/recoveries.js';
import { type OpenDesk, openedDesk } from '../../../server/test/support/staff.js';
import { memberWith } from '../../../server/test/support/time-scene.js';
import { localOf } from '../../src/ui/dates/local-time.js';
import { expectAccessible, expectClean, picture } from '../support/browser.js';
import { openDashboard } from '../support/signed-in.js';
import { type Approver, openApprover } from './approvals-desk.js';
import { account, checkLooks, press, service, startPhoneService, waitForHeading } from './phone-desk.js';
import { writeQrVideo } from './qr-video.js';

startPhoneService();

let desk: OpenDesk;
let site: Site;
beforeAll(async () => {
  await setPolicy(service, account, { attendance: { confirmed_only: false } });
  site = await createSite(service, account, { attendanceFrom: 'anywhere' });
  await newDesk();
});
async function newDesk() {
  desk = await openedDesk(service, account);
  await placeDesk(service, account, desk, site);
}

async function openWorker(): Promise<Approver> {
  const phone = await openApprover({ viewport: { width: 320, height: 720 } });
  const body = { siteId: site.id };
  await service.call('PATCH', `/v1/users/${phone.userId}`, { as: account.key, body });
  return phone;
}

/** Scans the code of the desk, and waits for what it offers. */
async function scan(phone: Approver): Promise<void> {
  await phone.scanned(await codeAt(service, desk));
  await waitForHeading(phone.page, 'Come or go?');
}
const rowsOf = async ({ userId }: Approver) =>
  (await service.call('GET', `/v1/attendance?userId=${userId}`, { as: account.key })).body.attendance;
async function openMonth({ page }: Approver): Promise<void> {
  await page.goto('about:blank');
  await page.goto('/phone/');
  await press(page, 'Phones and key');
  await page.getByRole('button', { name: /^My time/ }).click();
  await page.getByRole('heading', { name: 'Who looked at this month' }).waitFor();
}

it('comes and goes by the code of a desk, and shows the month', async () => {
  const phone = await openWorker();
  const { page } = phone;
  await scan(phone);
  await page.getByText('Lobby kiosk').waitFor();
  await page.getByRole('button', { name: 'Come', exact: true, disabled: false }).waitFor();
  await checkLooks(page, 'time-attend');
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  await page.getByText('keeps the receipt').waitFor();
  await checkLooks(page, 'time-came');
  service.clock.advance(60_000);
  await scan(phone);
  await press(page, 'Begin a break');
  await waitForHeading(page, 'Your break began');
  service.clock.advance(60_000);
  await scan(phone);
  await page.getByRole('button', { name: 'End the break' }).waitFor();
  await press(page, 'Go');
  await waitForHeading(page, 'You went');
  expect((await rowsOf(phone)).map(({ evidence }: { evidence: string }) => evidence)).toEqual([
    ...['proved', 'proved', 'proved'],
  ]);
  await press(page, 'Done');
  await page.getByRole('button', { name: /^My time, / }).click();
  await page.getByText('Worked', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Who looked at this month' }).waitFor();
  await checkLooks(page, 'time-month');
  expectClean(phone);
  await phone.close();
});

it('a lost answer is no second punch, also after the page was closed', async () => {
  const phone = await openWorker();
  const { page } = phone;
  await scan(phone);
  await page.route('**/v1/phone/attendance', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await press(page, 'Come');
  await page.getByText('The service did not respond').waitFor({ timeout: 30_000 });
  await page.unroute('**/v1/phone/attendance');
  expect(await rowsOf(phone)).toHaveLength(1);
  await scan(phone);
  await page.getByText('The answer to “Come”').waitFor();
  await checkLooks(page, 'time-lost');
  await press(page, 'Ask again');
  await waitForHeading(page, 'You came');
  expect(await rowsOf(phone)).toHaveLength(1);
  await phone.close();
});

it('shows no tick for an answer that does not prove what was recorded', async () => {
  const phone = await openWorker();
  const { page } = phone;
  await scan(phone);
  await page.route('**/v1/phone/attendance', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.receipt.salts.facts = '0'.repeat(32);
    await route.fulfill({ response, json: body });
  });
  await press(page, 'Come');
  await page.getByText('does not prove what was recorded').waitFor();
  expect(await page.getByRole('heading', { name: 'You came' }).count()).toBe(0);
  await checkLooks(page, 'time-no-receipt');
  await phone.close();
});

it('says of a row that the company made that it is wrong', async () => {
  const phone = await openWorker();
  const { page, userId } = phone;
  const body = { userId, type: 'check_in' };
  await service.call('POST', '/v1/attendance', { as: account.key, body });
  await openMonth(phone);
  await page.getByText('Your company', { exact: true }).waitFor();
  await checkLooks(page, 'time-others');
  await page.getByRole('button', { name: /wrong\?$/ }).click();
  await press(page, 'Say that it is wrong');
  await page.getByText('You said that this is wrong').waitFor();
  expect((await rowsOf(phone))[0].contestedAt).not.toBeNull();
  expectClean(phone);
  await phone.close();
});

it('takes back a punch within five minutes', async () => {
  const phone = await openWorker();
  const { page } = phone;
  await scan(phone);
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  await openMonth(phone);
  await press(page, 'Take back');
  await press(page, 'Take it back');
  await page.getByText('Replaced or taken back').waitFor();
  expect((await rowsOf(phone))[0].voidedBy).not.toBeNull();
  await scan(phone);
  await page.getByRole('button', { name: 'Come', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Begin a break' }).count()).toBe(0);
  expectClean(phone);
  await phone.close();
});

it('asks after a shift without an end when the person went, and proposes that', async () => {
  const phone = await openWorker();
  const { page } = phone;
  await scan(phone);
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  service.clock.advance(17 * 3_600_000);
  await newDesk();
  await scan(phone);
  await page.getByText('clock differs by').waitFor();
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  await press(page, 'Done');
  await waitForHeading(page, 'You did not go: when?');
  await checkLooks(page, 'time-forgotten');
  await press(page, 'Propose it');
  await page.getByText('Choose a time after you came').waitFor();
  const [, first] = await rowsOf(phone);
  const later = new Date(Date.parse(first.occurredAt) + 8 * 3_600_000);
  const local = await page.evaluate(
    `((date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16))(new Date(${later.getTime()}))`,
  );
  await page.getByLabel('I went at').fill(String(local));
  await press(page, 'Propose it');
  await waitForHeading(page, 'Proposed');
  const { body } = await service.call('GET', `/v1/attendance/corrections?userId=${phone.userId}`, {
    as: account.key,
  });
  expect(body.corrections).toMatchObject([{ state: 'proposed', cause: 'forgotten', proposedBy: 'person' }]);
  await phone.close();
});

it('proposes another time for a row, by the clock of the site, and what is missing', async () => {
  const phone = await openWorker();
  const { page, userId } = phone;
  await scan(phone);
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  service.clock.advance(6 * 60_000);
  await openMonth(phone);
  await page.getByRole('button', { name: /^Came, .*: propose a change$/ }).click();
  await waitForHeading(page, 'Propose a change');
  await checkLooks(page, 'time-propose');
  const [row] = await rowsOf(phone);
  const earlier = new Date(Date.parse(row.occurredAt) - 30 * 60_000);
  await page.getByLabel('When?').fill(localOf(service.clock.now() + 3_600_000, site.timeZone));
  await press(page, 'Propose it');
  await page.getByText('Choose a time before now').waitFor();
  await page.getByLabel('When?').fill(localOf(earlier.getTime(), site.timeZone));
  await page.getByLabel('Note for your company').fill('The queue was long.');
  await press(page, 'Propose it');
  await page.getByText('You proposed this').waitFor();
  service.clock.advance(1_000);
  await press(page, 'Something is missing');
  await waitForHeading(page, 'Something is missing');
  await page.getByLabel('When?').fill(localOf(service.clock.now() - 60_000, site.timeZone));
  await press(page, 'Propose it');
  await page.getByText('You proposed this').nth(1).waitFor();
  await checkLooks(page, 'time-proposed');
  const { body } = await service.call('GET', `/v1/attendance/corrections?userId=${userId}`, {
    as: account.key,
  });
  const wrongTime = { cause: 'wrong_time', note: 'The queue was long.' };
  const toMinute = (at: string) => `${at.slice(0, 16)}:00.000Z`;
  expect(body.corrections).toMatchObject([
    { cause: 'forgotten', changes: [{ old: null, new: { type: 'check_out' } }] },
    {
      ...wrongTime,
      changes: [{ old: { id: row.id }, new: { occurredAt: toMinute(earlier.toISOString()) } }],
    },
  ]);
  expectClean(phone);
  await phone.close();
});

it('sets the PIN for desks, and says when', async () => {
  const phone = await openWorker();
  const { page, userId } = phone;
  await service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body: { employeeCode: '1815' } });
  await openMonth(phone);
  await page.getByText('You have no PIN').waitFor();
  await press(page, 'Set a PIN');
  await waitForHeading(page, 'Set a PIN');
  const type = async (pin: string, again: string) => {
    await page.getByLabel('New PIN').fill(pin);
    await page.getByLabel('The same again').fill(again);
    await press(page, 'Set a PIN');
  };
  await type('123456', '123456');
  await page.getByText('no six digits in a row').waitFor();
  await type('482915', '482916');
  await page.getByText('The two are different').waitFor();
  await checkLooks(page, 'time-pin');
  await type('482915', '482915');
  await waitForHeading(page, 'The PIN is set');
  await press(page, 'Done');
  await page.getByText('You set the PIN on your phone').waitFor();
  await checkLooks(page, 'time-pin-set');
  const declared = await service.call('POST', '/v1/attendance/declared', {
    as: desk.session,
    body: { number: '1815', pin: '482915', type: 'check_in', reason: 'work' },
  });
  expect(declared.status).toBe(201);
  expectClean(phone);
  await phone.close();
});

it('shows which member of the team the person is, once they have read whose log-in it is', async () => {
  const phone = await openWorker();
  const { page } = phone;
  const hr = await memberWith(service, account, { hours: true });
  const { page: dashboard, close } = await openDashboard(
    service,
    { ...account, ...hr },
    '/settings/security',
  );
  await press(dashboard, 'Show it with your phone');
  const code = dashboard.getByRole('img', { name: 'QR code for your phone' });
  await code.waitFor();
  await expectAccessible(dashboard);
  await picture(dashboard, 'member-link');
  await page.goto('about:blank');
  await page.goto(String(await code.getAttribute('data-address')));
  await waitForHeading(page, 'Is this your log-in?');
  await page.getByText(hr.email).waitFor();
  await checkLooks(page, 'time-member');
  await press(page, 'Yes, it is mine');
  await waitForHeading(page, 'Confirmed');
  const { body } = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
  expect(body.audit[0]).toMatchObject({
    action: 'member.linked',
    entityId: hr.id,
    metadata: { userId: phone.userId },
  });
  expectClean(phone);
  await close();
  await phone.close();
});

it('comes by the code of a desk that its camera sees', { tags: ['ci'] }, async () => {
  const video = writeQrVideo(await codeAt(service, desk));
  const phone = await openApprover({
    switches: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  const { page, userId } = phone;
  await service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body: { siteId: site.id } });
  await page.goto('about:blank');
  await page.goto('/phone/');
  await press(page, 'Scan a code');
  await waitForHeading(page, 'Come or go?');
  await press(page, 'Come');
  await waitForHeading(page, 'You came');
  expect(await rowsOf(phone)).toMatchObject([{ type: 'check_in', mode: 'desk', evidence: 'proved' }]);
  await phone.close();
  rmSync(video);
});
