// @module-tag if-touched @pages console/src/dashboard/devices/: one page of the dashboard in detail
import encodeQR from 'qr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKeyPair,
  enrolBody,
  enrolWithKey,
  openSession,
  revokeDevice,
  signedBody,
} from '../../../server/test/support/device-keys.js';
import { openPairing } from '../../../server/test/support/pairing.js';
import type { Account } from '../../../server/test/support/service.js';
import {
  expectAccessible,
  expectAccessibleInEveryLook,
  expectClean,
  picture,
  type Window,
} from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

const CODE = /^SV-[2-9AC-HJKMNPQRTV-Y]{4}-[2-9AC-HJKMNPQRTV-Y]{4}$/;

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp();
});
afterAll(() => service.close());

const enroll = async (code: string, fingerprint: string) => {
  const body = { enrollment_code: code, fingerprint };
  return service.call('POST', '/v1/devices/enroll', { body });
};

async function addDevice({ page }: Window, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Add a device' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Location').fill('Ground floor');
  await page.getByRole('button', { name: 'Add and show code' }).dblclick();
  return shownCode({ page });
}

const shownCode = async ({ page }: Pick<Window, 'page'>): Promise<string> =>
  (await page.getByRole('dialog').getByText(CODE).textContent()) ?? '';

const choose = async ({ page }: Window, device: string, task: string) => {
  await page.getByRole('button', { name: `Actions for ${device}` }).click();
  await page.getByRole('menuitem', { name: task }).click();
};

const rowOf = ({ page }: Window, device: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: device, exact: true }) });

describe('a device with a key of its own [devices/device-with-a-key]', () => {
  it('is set up with the command beside its code, and then says what it may do alone [devices/what-a-device-can-do]', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices');
    const { page } = window;
    const code = await addDevice(window, 'Shop floor kiosk');
    const dialog = page.getByRole('dialog');
    const command = dialog.getByLabel('Command that enrolls the device');
    expect(await command.textContent()).toBe(
      `SVC_URL=${service.origin} SVC_ENROLLMENT_CODE=${code} node kiosk-with-key.mjs`,
    );
    await expectAccessibleInEveryLook(page, 'device-kiosk-setup');
    const pair = createKeyPair();
    const enrolled = await service.call('POST', '/v1/devices/enroll', { body: enrolBody(code, pair) });
    expect(enrolled.status, enrolled.text).toBe(201);
    const { id } = enrolled.body.device;
    const device = { ...pair, id, tenantId: account.tenantId, environment: 'live' as const };
    await page.getByText('The device is enrolled and active.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await rowOf(window, 'Shop floor kiosk').getByText('Enrolled with a key').waitFor();
    await page.goto(`/dashboard/live/sign-in/devices/${id}`);
    const record = page.locator('#record');
    await record.getByText('Not open').waitFor();
    await openSession(service, device);
    await page.reload();
    await record.getByText('Open until').waitFor();
    await record.getByText('Without an API key it may open, watch and cancel its own sign-ins').waitFor();
    await record.getByRole('button', { name: 'Copy the key’s thumbprint' }).waitFor();
    await expectAccessibleInEveryLook(page, 'device-with-key');
    await revokeDevice(service, account, device);
    await page.reload();
    await record.getByText('may do nothing with it now').waitFor();
    await record.getByText('Not open').waitFor();
    expectClean(window);
    await window.close();
  });

  it('is named where it opened a sign-in [devices/signed-pairing-sessions]', async () => {
    const own = await service.signUp();
    const device = await enrolWithKey(service, own);
    const session = await openPairing(service, own.key, undefined, signedBody(device, service));
    const window = await openDashboard(service, own, '/live/activity/pairings');
    const { page } = window;
    await page.getByRole('table').getByText('Lobby kiosk').waitFor();
    await expectAccessibleInEveryLook(page, 'pairing-of-device');
    await page.goto(`/dashboard/live/activity/pairings/${session.id}`);
    await page.locator('#record').getByRole('link', { name: 'Lobby kiosk' }).click();
    await page.waitForURL(`**/live/sign-in/devices/${device.id}`);
    expectClean(window);
    await window.close();
  });
});

/** Confirms the log-in of the window, which is more than five minutes old. */
const confirmIn = ({ page }: Window) =>
  page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    await fetch('/api/console/step-up', { method: 'POST', headers, body: JSON.stringify({ password }) });
  }, account.password);

describe('a device', () => {
  it('is added, enrolls with the code on the screen, and is shown as enrolled', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices');
    const { page } = window;
    const code = await addDevice(window, 'Lobby kiosk');
    await expectAccessibleInEveryLook(page, 'device-code');
    expect(await page.getByRole('link', { name: 'Open in this browser' }).count()).toBe(0);
    const { devices } = (await service.call('GET', '/api/console/devices?limit=1', { as: account.token }))
      .body as { devices: { id: string }[] };
    const address = `${service.origin}/desk#code=${code}&device=${devices[0]?.id}`;
    const open = page.getByRole('link', { name: 'Open the desk on this screen' });
    expect(await open.getAttribute('href')).toBe(address);
    const scanned = encodeQR(address, 'raw', {
      ecc: 'low',
      border: 2,
    });
    const drawn = page.getByRole('img', { name: `QR code for ${code}` }).locator('path');
    expect((await drawn.getAttribute('d'))?.match(/M\d+ \d+/g)).toEqual(
      scanned.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}`] : []))),
    );
    expect((await enroll(code, 'kiosk:0f3a91c2d45e6b78')).status).toBe(201);
    await page.getByText('The device is enrolled and active.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = rowOf(window, 'Lobby kiosk');
    await row.getByText('Enrolled').waitFor();
    await row.getByText('Active', { exact: true }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('gets a new code after the first expired, and the first stops working', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices', {
      before: (page) => page.clock.install(),
    });
    const { page } = window;
    const first = await addDevice(window, 'Side door');
    // A minute more, because the page knows the service's time in whole seconds.
    service.clock.advance(16 * 60_000);
    await page.clock.fastForward(16 * 60_000);
    await page.getByText('The code has expired.').waitFor();
    await expectAccessibleInEveryLook(page, 'device-code-expired');
    await confirmIn(window);
    await page.getByRole('button', { name: 'Create a new code' }).click();
    await page.getByText('Expires in').waitFor();
    const second = await shownCode(window);
    expect(second).not.toBe(first);
    expect((await enroll(first, 'kiosk:1f3a91c2d45e6b78')).status).toBe(404);
    expect((await enroll(second, 'kiosk:1f3a91c2d45e6b78')).status).toBe(201);
    expectClean(window);
    await window.close();
  });

  it('gets no new code if it has enrolled in the meantime, and the page explains why', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices');
    const { page } = window;
    await confirmIn(window);
    const code = await addDevice(window, 'Back door');
    await page.getByRole('button', { name: 'Close' }).first().click();
    await choose(window, 'Back door', 'New code');
    expect((await enroll(code, 'kiosk:2f3a91c2d45e6b78')).status).toBe(201);
    await page.getByRole('button', { name: 'Create a new code' }).click();
    await page.getByText('This device no longer needs a code').waitFor();
    await expectAccessible(page);
    await picture(page, 'device-not-pending');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await rowOf(window, 'Back door').getByText('Enrolled').waitFor();
    expectClean(window, /status of 409/);
    await window.close();
  });

  it('is edited, deactivated, activated, retired and revoked, each with an explanation', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices');
    const { page } = window;
    await confirmIn(window);
    const code = await addDevice(window, 'Gate');
    expect((await enroll(code, 'kiosk:3f3a91c2d45e6b78')).status).toBe(201);
    await page.getByRole('button', { name: 'Done' }).click();
    await choose(window, 'Gate', 'Edit');
    await page.getByLabel('Name').fill('North gate');
    await page.getByLabel('Location').fill('');
    await expectAccessible(page);
    await picture(page, 'device-edit');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = rowOf(window, 'North gate');
    await row.getByText('not given').waitFor();
    const change = async (task: string, status: string) => {
      await choose(window, 'North gate', task);
      await picture(page, `device-${task}`);
      await page.getByRole('button', { name: `${task} the device` }).click();
      await row.getByText(status, { exact: true }).waitFor();
    };
    await change('Deactivate', 'Inactive');
    await change('Activate', 'Active');
    await change('Retire', 'Retired');
    await change('Revoke', 'Revoked');
    await page.getByRole('button', { name: 'Actions for North gate' }).click();
    await expect(page.getByRole('menuitem').allTextContents()).resolves.toEqual(['Edit']);
    expectClean(window);
    await window.close();
  });

  it('cannot be deactivated if it was retired in the meantime, and the page explains why', async () => {
    const window = await openDashboard(service, account, '/live/sign-in/devices');
    const { page } = window;
    const { body } = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Lift' } });
    await page.reload();
    await choose(window, 'Lift', 'Deactivate');
    const path = `/api/console/devices/${body.device.id}`;
    await service.call('PATCH', path, { as: account.token, body: { status: 'retired' } });
    await page.getByRole('button', { name: 'Deactivate the device' }).click();
    await page.getByText('The device is retired or was never enrolled.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await rowOf(window, 'Lift').getByText('Retired').waitFor();
    expectClean(window, /status of 409/);
    await window.close();
  });
});
