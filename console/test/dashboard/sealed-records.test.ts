// @module-tag if-touched @pages console/src/dashboard/nouns/seal/ console/src/dashboard/nouns/receipt/ sdk/src/receipts/: one record of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const post = async (path: string, body: object) =>
  (await service.call('POST', path, { as: account.key, body })).body;

describe('a record that is checked in the browser', () => {
  it('is as it was sealed, until somebody alters it in the database', async () => {
    const event = { method: 'manual', result: 'fail', referenceId: 'shift-1' };
    const { verification } = await post('/v1/verifications', event);
    const window = await openDashboard(service, account, `/live/activity/verifications/${verification.id}`);
    const { page } = window;
    const record = page.locator('#record');
    await record.getByRole('button', { name: 'Check this record' }).click();
    await record.getByText('This record is as it was sealed').waitFor();
    await record.getByText('It rests on the signature of the service').waitFor();
    await expectAccessibleInEveryLook(page, 'checked record');

    await service.db.query(sql`update verifications set result = 'pass' where id = ${verification.id}`);
    await record.getByRole('button', { name: 'Check this record' }).click();
    await record.getByText('This record is not as it was sealed').waitFor();
    await record.getByRole('link', { name: 'record_changed' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it.each([
    ['device', 'devices'],
    ['user', 'people'],
    ['attendance', 'activity/attendance'],
  ])('can be a %s', async (kind, path) => {
    const made = {
      device: async () => (await post('/v1/devices', { name: 'Main gate' })).device.id,
      user: async () => (await post('/v1/users', { fullName: 'Ada Lovelace' })).user.id,
      attendance: async () => {
        const { user } = await post('/v1/users', { fullName: 'Grace Hopper' });
        return (await post('/v1/attendance', { userId: user.id, type: 'check_in' })).attendance.id;
      },
    };
    const id = await made[kind as keyof typeof made]();
    const window = await openDashboard(service, account, `/live/${path}/${id}`);
    const record = window.page.locator('#record');
    if (kind === 'device') await record.getByRole('tab', { name: 'Audit' }).click();
    if (kind === 'user') await record.getByRole('button', { name: 'Audit log' }).click();
    await record.getByRole('button', { name: 'Check this record' }).click();
    await record.getByText('This record is as it was sealed').waitFor();
    expectClean(window);
    await window.close();
  });

  it('of a version without seals is said to have none', async () => {
    const id = crypto.randomUUID();
    await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
      values (${account.tenantId}, 'live', ${id}, 'manual', 'pass', now(), now())`);
    const window = await openDashboard(service, account, `/live/activity/verifications/${id}`);
    const record = window.page.locator('#record');
    await record.getByRole('button', { name: 'Check this record' }).click();
    await record.getByText('This record cannot be checked.').waitFor();
    expect(await record.getByText('This record is as it was sealed').count()).toBe(0);
    await window.close();
  });
});
