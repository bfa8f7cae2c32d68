// @module-tag if-touched @pages console/src/dashboard/records/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { openPairing } from '../../../server/test/support/pairing.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
let userId: string;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
  await completeCeremony(service, account, { profile: { fullName: 'Ada Lovelace', externalId: 'e-1' } });
  const { body } = await service.call('GET', '/v1/users', { as: account.key });
  userId = body.users[0].id;
  const email = { email: 'ada@example.com' };
  await service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body: email });
  const event = { userId, method: 'manual', result: 'pass', referenceId: 'shift-1' };
  await service.call('POST', '/v1/verifications', { as: account.key, body: event });
});
afterAll(() => service.close());

describe('a person', () => {
  it('is shown with phones, verifications, sessions and audit entries, each with its own address', async () => {
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const record = page.locator('#record');
    await record.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await record.getByRole('list', { name: 'Phones' }).waitFor();
    await expectAccessibleInEveryLook(page, 'person');
    await record.getByRole('button', { name: 'Sessions' }).click();
    await record.getByText('Not signed in anywhere.').waitFor();
    await record.getByRole('button', { name: 'Audit log' }).click();
    await record.getByRole('list', { name: 'Audit entries' }).waitFor();
    await record.getByRole('button', { name: 'Verifications' }).click();
    await record.getByRole('link', { name: 'Passed' }).click();
    await page.waitForURL('**/live/activity/verifications/*');
    await record.getByText('shift-1').waitFor();
    await record.getByRole('link', { name: 'Ada Lovelace' }).first().click();
    await page.waitForURL(`**/live/people/${userId}`);
    await record.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('has a timeline of phones, verifications, attendance and changes, newest first, day by day', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    const post = async (path: string, body: object) =>
      (await service.call('POST', path, { as: other.key, body })).body;
    const { user } = await post('/v1/users', { fullName: 'Grace Hopper' });
    const { device } = await post('/v1/devices', { name: 'مدخل', deviceType: 'kiosk' });
    const event = { userId: user.id, deviceId: device.id };
    const occurredAt = new Date(service.clock.now() - 2 * 24 * 60 * 60_000).toISOString();
    await post('/v1/verifications', { ...event, method: 'face', result: 'pass', occurredAt });
    service.clock.advance(1_000);
    await post('/v1/verifications', { ...event, method: 'manual', result: 'fail', reason: 'x'.repeat(200) });
    service.clock.advance(1_000);
    await post('/v1/attendance', { ...event, type: 'check_in' });
    service.clock.advance(1_000);
    await service.call('PATCH', `/v1/users/${user.id}`, { as: other.key, body: { email: 'g@example.com' } });
    service.clock.advance(1_000);
    await post('/v1/attendance', { ...event, type: 'check_out' });
    const window = await openDashboard(service, other, `/live/people/${user.id}`);
    const { page } = window;
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Added to the people').waitFor();
    const rows = timeline.getByRole('listitem');
    const texts = (await rows.allTextContents()).map((text) => text.replace(/\d.*$/, ''));
    expect(texts).toEqual([
      expect.stringContaining('Checked out at مدخل'),
      expect.stringContaining('First live key changed Grace Hopper'),
      expect.stringContaining('Checked in at مدخل'),
      expect.stringMatching(/A verification on مدخل failedx+/),
      expect.stringContaining('Added to the people'),
      expect.stringContaining('Verified by face'),
    ]);
    expect(await timeline.getByRole('heading', { level: 3 }).count()).toBe(2);
    await expectAccessibleInEveryLook(page, 'person-timeline');
    await timeline.getByRole('link', { name: /^A verification .*failed/ }).click();
    await page.waitForURL('**/activity/verifications/*');
    expectClean(window);
    await window.close();
  });

  it('is edited and deactivated, and their phone revoked', async () => {
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const record = page.locator('#record');
    const dialog = page.getByRole('dialog');
    await record.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Ada King');
    await dialog.getByLabel('External ID').fill('x'.repeat(200));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Person saved').first().waitFor();
    await record.getByRole('heading', { name: 'Ada King' }).waitFor();
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Ada King' }).waitFor();
    await record.getByRole('button', { name: 'This phone is lost' }).click();
    await dialog.getByRole('button', { name: 'Only revoke' }).click();
    await record.getByText('Revoked', { exact: true }).waitFor();
    await record.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await record.getByText('Inactive').waitFor();
    const { body } = await service.call('GET', `/v1/users/${userId}`, { as: account.key });
    expect(body.user).toMatchObject({ fullName: 'Ada King', status: 'inactive' });
    expectClean(window);
    await window.close();
  });
});

describe('a record', () => {
  it('says that it does not exist, for an unknown ID, another environment and a mistyped address', async () => {
    const window = await openDashboard(service, account, '/live/people/nobody');
    const { page } = window;
    const missing = page.locator('#record').getByRole('heading', { name: 'Not found' });
    await missing.waitFor();
    await page.goto(`/dashboard/test/people/${userId}`);
    await missing.waitFor();
    await page.goto('/dashboard/live/trust/audit/0');
    await missing.waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('has its names when it is opened from another record that referred to it without them', async () => {
    const { id: pairingSessionId } = await openPairing(service, account.key);
    await service.db.query(
      sql`update proof_pairing_sessions set state = 'bound', bound_at = created_at, did = 'did:example:1', user_id = ${userId} where id = ${pairingSessionId}`,
    );
    const event = { userId, method: 'zkp', result: 'pass', metadata: { pairingSessionId } };
    const made = await service.call('POST', '/v1/verifications', { as: account.key, body: event });
    const path = `/live/activity/verifications/${made.body.verification.id}`;
    const window = await openDashboard(service, account, path);
    const record = window.page.locator('#record');
    await record.getByRole('link', { name: 'Signed in' }).click();
    await window.page.waitForURL(`**/activity/pairings/${pairingSessionId}`);
    await record.getByRole('link', { name: 'Ada' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('keeps what was typed when the session ends, and saves it after logging in again', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    const made = await service.call('POST', '/v1/users', { as: other.key, body: { fullName: 'Bo' } });
    const window = await openDashboard(service, other, `/live/people/${made.body.user.id}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Bo Diddley');
    await service.call('POST', '/api/console/logout', { as: other.token });
    await page.getByRole('button', { name: 'Save' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill('wrong');
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.getByRole('alert').waitFor();
    await expectAccessibleInEveryLook(page, 'log-in-again');
    await again.getByLabel('Password').fill(other.password);
    await again.getByRole('button', { name: 'Log in' }).click();
    await page.locator('#record').getByRole('heading', { name: 'Bo Diddley' }).waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });
});
