// @module-tag if-touched @pages console/src/dashboard/trust/ console/src/dashboard/nouns/chain/ sdk/src/resources/record-export.ts zk/src/records/: one page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import {
  type MadeRecords,
  makeRecords,
  rewriteVerification,
} from '../../../server/test/support/record-attacks.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/trust/check';

async function accountWithRecords(): Promise<MadeRecords> {
  return makeRecords(service, await service.signUp({ plan: 'enterprise' }));
}

const check = (page: Page, button = 'Check everything') =>
  page.locator('main').getByRole('button', { name: button }).click();

const part = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Parts of the check' }).getByRole('listitem').filter({ hasText: name });

const rows = (page: Page) => page.getByRole('table', { name: 'Records that differ' }).locator('tbody tr');

/** As a version did that knew no seals. */
const insertVerification = ({ tenantId }: Account, id: string) =>
  service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
    values (${tenantId}, 'live', ${id}, 'manual', 'pass', now(), now())`);

describe('the check of everything in the browser', () => {
  it('finds nothing wrong with an account that nobody has altered, for an auditor too', async () => {
    const { account } = await accountWithRecords();
    const window = await openAs(service, account, 'auditor', PAGE);
    const { page } = window;
    await page.getByRole('heading', { name: 'Check everything' }).waitFor();
    await expectAccessibleInEveryLook(page, 'check-before');
    await check(page);
    await page.getByText('Everything matches the audit log').waitFor();
    expect(await part(page, 'Devices').textContent()).toContain('1 matches');
    expect(await part(page, 'People').textContent()).toContain('2 match');
    expect(await part(page, 'Verifications').textContent()).toContain('2 match');
    expect(await part(page, 'Attendance').textContent()).toContain('1 matches');
    expect(await rows(page).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'check-holds');
    expectClean(window);
    await window.close();
  });

  it('names in a red row each record that somebody changed, removed, inserted or sealed again, and the entry that it differs from [console/check-everything]', async () => {
    const on = await accountWithRecords();
    const { account, failed, passed, user, checkIn, device } = on;
    const inserted = crypto.randomUUID();
    await service.db.query(sql`update verifications set result = 'pass', reason = null where id = ${failed}`);
    await service.db.query(sql`update tenant_users set full_name = 'Eve' where id = ${user}`);
    await service.db.query(sql`update devices set facts_salt = null where id = ${device}`);
    await service.db.query(sql`delete from attendance where id = ${checkIn}`);
    await insertVerification(account, inserted);
    await rewriteVerification(on, passed);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await check(page);
    await page.getByRole('alert').getByText('6 records differ from the audit log').waitFor();
    const found = await rows(page).allTextContents();
    const shown = (id: string) => found.find((text) => text.includes(id.slice(-8))) ?? '';
    expect(shown(failed)).toMatch(/^Verification .*record_changedEntry \d+/);
    expect(shown(user)).toMatch(/^Person .*record_changedEntry \d+/);
    expect(shown(device)).toMatch(/^Device .*salt_missingEntry \d+/);
    expect(shown(checkIn)).toMatch(/^Attendance .*record_missingEntry \d+/);
    expect(shown(inserted)).toMatch(/^Verification .*record_unknown$/);
    expect(shown(passed)).toMatch(/^Verification .*record_resealedEntry \d+/);
    expect(found).toHaveLength(6);
    await expectAccessibleInEveryLook(page, 'check-differs');

    const changed = rows(page).filter({ hasText: failed.slice(-8) });
    const [entry] = await service.db.query<{ seq: string }>(
      sql`select seq from audit_events where tenant_id = ${account.tenantId} and entity_id = ${failed}`,
    );
    const link = changed.getByRole('link', { name: `Entry ${entry?.seq}`, exact: true });
    expect(await link.getAttribute('href')).toBe(`/dashboard/live/trust/audit/${entry?.seq}`);
    await changed.getByRole('link').first().click();
    await page.waitForURL(`**/live/activity/verifications/${failed}`);
    expectClean(window);
    await window.close();
  });

  it('counts records from before there were seals as not covered', async () => {
    const { account } = await accountWithRecords();
    const id = '01890000-0000-7000-8000-000000000001';
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const actor = { type: 'system', id: null } as const;
    await service.app.deps.write({ scope, actor, action: 'verification.created' }, async (w) => {
      w.audit({ entityType: 'verification', entityId: id, metadata: { method: 'manual', result: 'pass' } });
    });
    await insertVerification(account, id);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await check(page);
    await page.getByText('1 record was last written before there were seals').waitFor();
    expect(await part(page, 'Verifications').textContent()).toContain('2 match · 1 not covered');
    expect(await rows(page).count()).toBe(0);
    await window.close();
  });

  it('accuses nobody after an export that was cut off, and checks again when asked', async () => {
    const on = await accountWithRecords();
    const { account, failed } = on;
    await service.db.query(sql`update verifications set result = 'pass' where id = ${failed}`);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    for (const path of ['verifications/export?format=jsonl&include=seal', 'audit/export']) {
      const { text } = await service.call('GET', `/v1/${path}`, { as: account.key });
      const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
      const pattern = `**/v1/${path.split('?')[0]}?*`;
      await page.route(pattern, (route) => route.fulfill({ body }));
      await check(page);
      await page.getByText('The check is incomplete.').waitFor();
      expect(await rows(page).count()).toBe(0);
      await expectAccessibleInEveryLook(page, 'check-incomplete');
      await page.unroute(pattern);
    }
    await check(page, 'Try again');
    await page.getByText('1 record differs from the audit log').waitFor();
    expectClean(window);
    await window.close();
  });

  it('compares nothing with a log that was altered', async () => {
    const { account, failed } = await accountWithRecords();
    await service.db.query(sql`update verifications set result = 'pass' where id = ${failed}`);
    await service.db.script('alter table audit_events disable trigger audit_events_immutable');
    await service.db.query(sql`update audit_events set entity_id = ${account.tenantId}
      where tenant_id = ${account.tenantId} and environment = 'live' and seq = 4`);
    await service.db.script('alter table audit_events enable trigger audit_events_immutable');
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await check(page);
    await page.getByRole('alert').getByText('The audit log is not intact (entry 4)').waitFor();
    await page.getByText('No record was compared').waitFor();
    expect(await rows(page).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'check-broken');
    await window.close();
  });

  it('can be stopped, and shows how far it has come', async () => {
    const { account } = await accountWithRecords();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/v1\/verifications\/export/, async (route) => {
      await isReleased;
      await route.abort();
    });
    await check(page);
    await page.getByRole('progressbar', { name: 'Records and entries read' }).waitFor();
    await page.getByText(/^3 of \d+ records and entries read$/).waitFor();
    expect(await part(page, 'People').textContent()).toContain('2 read');
    await expectAccessibleInEveryLook(page, 'check-running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The check was stopped.').waitFor();
    release();
    await window.close();
  });
});
