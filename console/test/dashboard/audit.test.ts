// @module-tag if-touched @pages console/src/dashboard/audit/ console/src/dashboard/nouns/words/ console/src/dashboard/trust/ console/src/dashboard/nouns/chain/ sdk/src/codecs/audit-chain.ts: one page of the dashboard in detail
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, showAll, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/trust/audit';

async function accountWithDevices(count: number): Promise<Account> {
  const account = await service.signUp({ plan: 'enterprise' });
  for (let at = 0; at < count; at++) {
    const body = { name: `Door ${at}`, deviceType: 'kiosk' };
    const reply = await service.call('POST', '/v1/devices', { as: account.key, body });
    if (reply.status !== 201) throw new Error(`creating a device returned ${reply.status} ${reply.text}`);
  }
  return account;
}

/** Entries that come after those that the account has. */
async function addEntries({ tenantId }: Account, count: number): Promise<void> {
  await service.db.query(sql`insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type,
      entity_id, status, summary, created_at, metadata, canonical, prev_hash, hash)
    select h.tenant_id, h.environment, h.seq + n, gen_random_uuid(), 'api_key', null, 'user.updated', 'user', null, 'success',
      'A user was changed', h.last_at, '{}', '{}', encode(sha256(n::text::bytea), 'hex'), encode(sha256((n + 1)::text::bytea), 'hex')
    from audit_heads h, generate_series(1, ${count}) as n where h.tenant_id = ${tenantId} and h.environment = 'live'`);
  await service.db.query(
    sql`update audit_heads set seq = seq + ${count} where tenant_id = ${tenantId} and environment = 'live'`,
  );
}

const exported = async (account: Account) =>
  (await service.call('GET', '/v1/audit/export', { as: account.key })).text;

describe('the audit log', () => {
  it('pages through 200 entries, filters them, and shows all fields of one', async () => {
    const account = await accountWithDevices(200);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Audit entries' }).locator('tbody tr:has(td)');
    await rows.first().waitFor();
    await expectAccessibleInEveryLook(page, 'audit-many');
    await showAll(page);
    // Besides the 200 devices, the log has entries for the account, its key and its login.
    const [, shown] = /^Showing (\d+)/.exec((await page.getByText(/^Showing /).textContent()) ?? '') ?? [];
    expect(Number(shown)).toBeGreaterThan(200);
    // Rows far from the window are not in the document.
    expect(await rows.count()).toBeLessThan(200);
    await expectAccessible(page);
    await page.getByLabel('Action').selectOption({ label: 'The account was created' });
    await page.getByText('Showing 1 of 1').waitFor();
    await rows.getByRole('link').first().click();
    const { body } = await service.call('GET', '/api/console/audit?action=tenant.created', {
      as: account.token,
    });
    const record = page.locator('#record');
    await record.getByRole('heading', { name: `${account.email} created the account` }).waitFor();
    await record.getByText('Show raw').click();
    await record.getByText(body.audit[0].hash).waitFor();
    await expectAccessibleInEveryLook(page, 'audit-event');
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByLabel('Outcome').selectOption('failure');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await rows.nth(1).waitFor();
    expectClean(window);
    await window.close();
  });

  it('says who did what to what in words, with links to the records, whatever their names are', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const { key: as } = account;
    const name = 'مدخل المبنى الرئيسي';
    await service.call('POST', '/v1/devices', { as, body: { name, deviceType: 'kiosk' } });
    const fullName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(5);
    const { body } = await service.call('POST', '/v1/users', { as, body: { fullName } });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const table = page.getByRole('table', { name: 'Audit entries' });
    const added = table.getByRole('row').filter({ hasText: `First live key added ${fullName}` });
    await added.waitFor();
    await table.getByRole('row').filter({ hasText: 'First live key registered' }).getByText(name).waitFor();
    await expectAccessibleInEveryLook(page, 'audit-words');
    await added.getByRole('cell').last().click();
    const record = page.locator('#record');
    await record.getByRole('heading').getByRole('link', { name: fullName }).waitFor();
    expect(await record.getByRole('link', { name: 'First live key' }).first().getAttribute('href')).toBe(
      '/dashboard/developers/keys',
    );
    await expectAccessibleInEveryLook(page, 'audit-entry-words');
    await record.getByRole('heading').getByRole('link', { name: fullName }).click();
    await page.waitForURL(`**/live/people/${body.user.id}`);
    expectClean(window);
    await window.close();
  });

  it('shows equal neighbours as one row, and each of them when asked [console/equal-rows]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 6; at++)
      await service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body: {} });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const table = page.getByRole('table', { name: 'Audit entries' });
    const pairings = table.getByRole('row').filter({ hasText: 'opened a pairing' });
    await table.getByText('6 × First live key opened a pairing').waitFor();
    expect(await pairings.count()).toBe(1);
    // The list still says how many entries there are.
    const [, shown] = /^Showing (\d+)/.exec((await page.getByText(/^Showing /).textContent()) ?? '') ?? [];
    expect(Number(shown)).toBeGreaterThan((await table.getByRole('row').count()) - 2);
    await expectAccessibleInEveryLook(page, 'audit-groups');
    await pairings.getByRole('button', { name: 'Show all 6' }).click();
    expect(await pairings.count()).toBe(6);
    await pairings.nth(3).getByRole('link').click();
    await page.locator('#record').getByRole('heading', { name: 'First live key opened a pairing' }).waitFor();
    await pairings.getByRole('button', { name: 'Show one' }).click();
    // The entry that is open stays in the list.
    expect(await pairings.count()).toBe(6);
    await page.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => pairings.count()).toBe(1);
    expectClean(window);
    await window.close();
  });

  it('searches the newest 50,000 entries for what is filtered, and further when asked [audit/filtered-pages]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    await addEntries(account, 55_000);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByLabel('Action').selectOption({ label: 'The account was created' });
    await page.getByText('Nothing found so far. Not everything has been searched yet.').waitFor();
    await expectAccessibleInEveryLook(page, 'audit-further');
    await page.getByRole('button', { name: 'Search further' }).click();
    await page.getByText('Showing 1 of 1').waitFor();
    expectClean(window);
    await window.close();
  });

  it('is downloaded byte for byte as exported, and redirects to the login after the session has ended', async () => {
    const account = await accountWithDevices(3);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the audit log' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-live-\d+\.jsonl$/);
    const text = await readFile(await download.path(), 'utf8');
    const entries = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    expect(entries).toContain('"device.created"');
    // A later export also has the entry of this one, and another head.
    expect((await exported(account)).slice(0, entries.length)).toBe(entries);
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.getByRole('link', { name: 'Download the audit log' }).click();
    await page.getByText('Your session has ended').waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('is verified in the browser, which identifies an entry that was changed in the database', async () => {
    const account = await accountWithDevices(30);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('button', { name: 'Verify the audit log' }).click();
    await page.getByText('The audit log is intact').waitFor();
    await page.getByText('The signature of its head is valid').waitFor();
    await expectAccessibleInEveryLook(page, 'audit-holds');
    // A complete export with a valid signature, but of another account and with an unknown key.
    const body = await readFile(new URL('../../../docs/vectors/audit-export.jsonl', import.meta.url));
    await page.route(/\/audit\/export/, (route) => route.fulfill({ body }), { times: 1 });
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByRole('alert').getByText('It belongs to another account or environment').waitFor();
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText('The audit log is intact').waitFor();
    const { tenantId } = account;
    await service.db.script('alter table audit_events disable trigger audit_events_immutable');
    const [row] = await service.db.query<{ id: string }>(sql`update audit_events set entity_id = ${tenantId}
      where tenant_id = ${tenantId} and environment = 'live' and seq = 17 returning id`);
    await service.db.script('alter table audit_events enable trigger audit_events_immutable');
    await page.getByRole('button', { name: 'Verify again' }).click();
    const fault = page.getByRole('alert');
    await fault.getByText('entry 17').waitFor();
    await fault.getByText('This entry was changed after it was written').waitFor();
    await fault.getByText(String(row?.id)).waitFor();
    await expectAccessibleInEveryLook(page, 'audit-broken');
    expectClean(window);
    await window.close();
  });

  it('reports a truncated export, and shows when it is empty, failing or rate-limited', async () => {
    const account = await accountWithDevices(1);
    const window = await openDashboard(service, account, '/test/trust/audit');
    const { page } = window;
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
    await page.getByRole('button', { name: 'Verify the audit log' }).click();
    await page.getByText('The audit log is intact: 0 entries').waitFor();
    await expectAccessibleInEveryLook(page, 'audit-empty');
    await page.route(/\/audit\/export/, (route) => route.fulfill({ body: '{"seq":1}\n' }));
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText('The audit export ended before its head').waitFor();
    await page.unroute(/\/audit\/export/);
    await whileFailing(page, /\/api\/console\/audit/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `audit-${how}`);
    });
    expectClean(window, /status of (503|429)/);
    await window.close();
  });

  it('gives an auditor the log, a checkpoint where the policy allows it, and the lists', async () => {
    const account = await accountWithDevices(1);
    const window = await openDashboard(service, account, '/live/trust/exports');
    const { page } = window;
    await page.getByText('For witnesses, allow checkpoints').waitFor();
    await expectAccessibleInEveryLook(page, 'exports');
    const started = page.waitForEvent('download');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Devices' })
      .getByRole('link', { name: 'Export' })
      .click();
    expect((await started).suggestedFilename()).toMatch(/^devices.*\.csv$/);
    const body = { security_policy: { audit_checkpoint: true } };
    await service.call('PUT', '/api/console/security-policy', { as: account.token, body });
    await page.reload();
    const checkpoint = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the checkpoint' }).click();
    expect((await checkpoint).suggestedFilename()).toBe('checkpoint.txt');
    expectClean(window);
    await window.close();
  });
});
