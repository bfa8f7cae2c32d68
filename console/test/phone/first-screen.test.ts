// @module-tag if-touched @pages console/src/phone/register/ console/src/phone/parts/company/ console/src/phone/install/: what a person sees before a registration asks anything
import { expect, it } from 'vitest';
import { expectClean } from '../support/browser.js';
import { account, checkLooks, press, service, startPhoneService, waitForIsolated } from './phone-desk.js';
import { openPhone } from './phone-window.js';

startPhoneService();

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

async function openFor(fullName: string) {
  const body = { profile: { fullName } };
  const reply = await service.call('POST', '/v1/registrations', { as: account.key, body });
  return reply.body as { session: { id: string }; pair: { deeplink: string } };
}
const sessionOf = async (id: string) =>
  (await service.call('GET', `/v1/registrations/${id}`, { as: account.key })).body.session;

it('names the company and the person before it asks anything, and the desk sees that a phone is there [phones/three-taps]', async () => {
  const phone = await openPhone(service);
  const { page } = phone;
  const { session, pair } = await openFor('Ada Lovelace');
  await phone.scanned(pair.deeplink);
  await waitForIsolated(page, 'Example AG');
  await waitForIsolated(page, 'Ada Lovelace');
  expect(await sessionOf(session.id)).toMatchObject({
    state: 'awaiting_device',
    phone_connected_at: expect.any(String),
  });
  expect(await page.getByText('On an iPhone').count()).toBe(0);
  await checkLooks(page, 'first-screen');
  await press(page, 'Cancel');
  expectClean(phone);
  await phone.close();
});

it('two phones see the same, and the second that goes on learns that the code is used [registrations/two-phones]', async () => {
  const [first, second] = [await openPhone(service), await openPhone(service)];
  const { pair } = await openFor('Grace Hopper');
  for (const { page, scanned } of [first, second]) {
    await scanned(pair.deeplink);
    await waitForIsolated(page, 'Grace Hopper');
  }
  await press(first.page, 'Continue');
  await first.page.getByRole('button', { name: 'Register', exact: true }).waitFor();
  await press(second.page, 'Continue');
  await second.page.getByRole('alert').waitFor();
  expectClean(first);
  expectClean(second, /status of 404/);
  await first.close();
  await second.close();
});

it('says on an iPhone that Safari and an app may keep separate data', async () => {
  const phone = await openPhone(service, { userAgent: IPHONE });
  const { page } = phone;
  await phone.scanned((await openFor('Ada Lovelace')).pair.deeplink);
  await page.getByText('On an iPhone, Safari and an app').waitFor();
  await checkLooks(page, 'first-screen-iphone');
  expectClean(phone);
  await phone.close();
});
