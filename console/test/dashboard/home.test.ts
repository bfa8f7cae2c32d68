// @module-tag if-touched @pages console/src/dashboard/home/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { approvalKey, create } from '../../../server/test/support/approvals.js';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { openPairing, proveForPairing, submit } from '../../../server/test/support/pairing.js';
import { registerPerson } from '../../../server/test/support/phone.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { logIn, openDashboard, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const PAGE = '/live/home';
const DAY_MS = 86_400_000;

const verify = (account: Account, body: object) =>
  service.call('POST', '/v1/verifications', { as: account.key, body: { method: 'manual', ...body } });

describe('the home of a new account', () => {
  it('shows the first steps until the API or the pages have done them', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const steps = page.getByRole('list', { name: 'First steps' }).getByRole('listitem');
    const done = () => steps.filter({ hasText: ': done' }).locator('strong').allInnerTexts();
    /** Reloads the page and reads the completed steps. */
    const expectDone = async (...names: string[]) => {
      await page.reload();
      await steps.first().waitFor();
      expect(await done()).toEqual(names);
    };
    await expectDone();
    await page.getByText('Nothing needs you today.').waitFor();
    await page.getByText('All systems operational').waitFor();
    await page.getByText('Nothing yet').nth(2).waitFor();
    await expectAccessibleInEveryLook(page, 'home-new');
    await steps.getByRole('button', { name: 'Register a person' }).click();
    const form = page.getByRole('dialog', { name: 'Register a person' });
    await form.getByLabel('Full name').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    const { c } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    await expectDone('Register a first person', 'Send a request with an API key');
    await page.getByRole('link', { name: 'Try a sign-in' }).click();
    await page.getByRole('button', { name: 'Show a code' }).waitFor();
    const { id, nonce } = await openPairing(service, account.key);
    const use = { tenantId: account.tenantId, sessionId: id, nonce };
    const reply = await submit(service, account.key, id, await proveForPairing(c.identity, use));
    expect(reply.status).toBe(200);
    await page.goBack();
    await page.getByText('Your first sign-in worked').waitFor();
    await expectAccessibleInEveryLook(page, 'home-first');
    const client = await service.call('POST', '/api/console/oidc/clients?environment=live', {
      as: account.token,
      body: {
        name: 'Portal',
        type: 'web',
        redirectUris: ['https://app.example.com/callback'],
        tokenEndpointAuth: 'client_secret_basic',
        subjectType: 'public',
        claims: ['profile'],
      },
    });
    expect(client.status, client.text).toBe(201);
    await page.reload();
    await steps.filter({ hasText: 'Set up an application or a kiosk: done' }).waitFor();
    const webhook = await service.call('POST', '/v1/webhooks', {
      session: account.token,
      body: { url: 'https://hooks.example.com/', events: ['*'] },
    });
    expect(webhook.status, webhook.text).toBe(201);
    await page.reload();
    await page.getByText('Nothing needs you today.').waitFor();
    expect(await steps.count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it('hides the first steps of this account only, and remembers that', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const steps = page.getByRole('list', { name: 'First steps' });
    await page.getByRole('button', { name: 'Hide the first steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Nothing needs you today.').waitFor();
    expect(await steps.count()).toBe(0);
    await page.evaluate(`localStorage.setItem('first-steps-hidden', '${crypto.randomUUID()}')`);
    await page.reload();
    await steps.waitFor();
    await window.close();
  });

  it('is empty in the test environment, and shows what could not be loaded', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, '/test/home');
    const { page } = window;
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    expect(await page.getByRole('combobox', { name: 'Environment' }).inputValue()).toBe('test');
    await page.goBack();
    await page.getByRole('link', { name: 'Create a key' }).waitFor();
    await whileFailing(page, /\/(api\/(console\/overview|health)|v1\/activity)/, async (how) => {
      await page.getByRole('alert').nth(2).waitFor();
      await expectAccessibleInEveryLook(page, `home-${how}`);
    });
    await page.reload();
    await page.getByText('All systems operational').waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.reload();
    await page.getByText('Log in to open the page you requested.').waitFor();
    await logIn(page, account);
    await page.waitForURL('**/dashboard/test/home');
    expectClean(window, /status of (401|429|503)/);
    await window.close();
  });
});

describe('the figures of the home', () => {
  it('are those that the database counts: people, and verifications by day, hour and result [console/numbers-of-the-overview]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const { user } = (await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } }))
      .body;
    const at = (daysAgo: number) => new Date(service.clock.now() - daysAgo * DAY_MS).toISOString();
    for (const result of ['pass', 'pass', 'pass', 'fail', 'challenge'])
      await verify(account, { result, userId: user.id, occurredAt: at(0) });
    for (const result of ['pass', 'fail']) await verify(account, { result, occurredAt: at(6) });
    await verify(account, { result: 'fail', occurredAt: at(7) });
    const counted = async (condition: string) => {
      const text = `select count(*)::int as n from verifications where tenant_id = $1 and ${condition}`;
      const [row] = await service.db.query<{ n: number }>({ text, values: [account.tenantId] });
      return row?.n;
    };
    const today = `occurred_at >= '${new Date(service.clock.now()).toISOString().slice(0, 10)}'`;
    expect(await counted(today)).toBe(5);

    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const tile = async (name: string) => {
      const region = page.getByRole('region', { name, exact: true });
      await region.waitFor();
      return region.locator('p').allInnerTexts();
    };
    expect(await tile('Signed in today')).toEqual(['1', '5 verifications']);
    expect((await tile('Registered today'))[0]).toBe('0');
    expect((await tile('New people today'))[0]).toBe('1');
    expect(await tile('Success rate today')).toEqual(['75%', 'First day']);
    const cellsOf = async (name: string) => {
      const table = page.getByRole('table', { name });
      return (await table.getByRole('cell').allInnerTexts()).map(Number);
    };
    const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0);
    const days = await cellsOf('Verifications of the last 14 days (UTC)');
    expect(days.slice(-3)).toEqual([3, 1, 1]);
    expect(sum(days)).toBe(await counted('true'));
    const hours = await cellsOf('Verifications by hour, last 24 hours');
    expect(hours).toHaveLength(24 * 3);
    expect(hours.slice(-3)).toEqual([3, 1, 1]);
    expect(sum(hours)).toBe(5);
    await expectAccessibleInEveryLook(page, 'home-counts');
    await page.getByRole('link', { name: 'Show people' }).click();
    await page.waitForURL('**/live/people');
    expectClean(window);
    await window.close();
  });

  it('compare a day only with one that the account had, and count a new verification while they are open', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (const result of ['pass', 'fail']) await verify(account, { result });
    service.clock.advance(DAY_MS);
    const { email, password } = account;
    const login = await service.call('POST', '/api/console/login', { body: { email, password } });
    const window = await openDashboard(service, { ...account, token: login.body.token }, PAGE);
    const { page } = window;
    const tile = (name: string) => page.getByRole('region', { name });
    await page.clock.install();
    await page.reload();
    await tile('Signed in today').getByText('0 verifications').waitFor();
    await tile('Success rate today').getByText('None passed or failed').waitFor();
    await verify(account, { result: 'pass' });
    await page.clock.runFor(15_000);
    await tile('Signed in today').getByText('1 verification', { exact: true }).waitFor();
    await tile('Success rate today').getByText('50% the day before').waitFor();
    service.clock.advance(2 * DAY_MS);
    await page.reload();
    await logIn(page, account);
    await tile('Signed in today').getByText('0 verifications').waitFor();
    expect(await tile('Success rate today').getByText('the day before').count()).toBe(0);
    await window.close();
  });
});

describe('what needs attention', () => {
  it('leads from failed verifications to those of one reason in one click, which the list names', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let n = 0; n < 3; n++) await verify(account, { result: 'fail', reason: 'No badge' });
    await verify(account, { result: 'fail', reason: 'Wrong hand' });
    await verify(account, { result: 'pass' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('4 of 5 verifications failed').waitFor();
    const why = attention.getByRole('list', { name: 'Why they failed' });
    expect(await why.getByRole('listitem').allInnerTexts()).toEqual(['No badge 3', 'Wrong hand 1']);
    await page.getByRole('table', { name: 'Why verifications failed, last 7 days' }).waitFor();
    await expectAccessibleInEveryLook(page, 'home-failures');
    await why.getByRole('link', { name: 'No badge' }).click();
    await page.getByRole('button', { name: 'Remove the filter Failed because' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor();
    const rows = page.getByRole('table', { name: 'Verifications', exact: true }).locator('tbody tr:has(td)');
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    expectClean(window);
    await window.close();
  });

  it('names a quota that will be used up, and approvals that wait', async () => {
    // On the last day of a month, the quota may last.
    const monthIn = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString().slice(0, 7);
    if (monthIn(1) !== monthIn(0)) service.clock.advance(DAY_MS);
    const account = await service.signUp();
    const { userId } = await registerPerson(service, account.key, { externalId: 'ada' });
    const key = await approvalKey(service, account);
    const ask = async () => {
      expect((await create(service, key, [userId])).status).toBe(201);
    };
    await ask();
    await ask();
    await service.db.query(sql`insert into usage_months (tenant_id, month, used)
      values (${account.tenantId}, ${monthIn(0)}, 990) on conflict (tenant_id, month) do update set used = 990`);
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(/At this pace, used up on/).waitFor();
    await page
      .getByRole('region', { name: 'This month' })
      .getByText(/At this pace, used up on/)
      .waitFor();
    await attention.getByText('2 approvals wait').waitFor();
    await expectAccessibleInEveryLook(page, 'home-attention');
    await attention.getByRole('link', { name: 'Show the approvals' }).click();
    await page.waitForURL('**/live/activity/approvals?state=pending');
    expectClean(window);
    await window.close();
  });
});

it('lists an hour of its chart by the keyboard and by a click', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  await verify(account, { result: 'pass' });
  const window = await openDashboard(service, account, PAGE);
  const { page } = window;
  await page.getByRole('slider', { name: /^Verifications by hour/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/live\/activity\/verifications\?hour=/);
  await page.getByRole('button', { name: 'Remove the filter Hour' }).click();
  await page.waitForURL(/\/live\/activity\/verifications$/);
  await page.getByRole('slider', { name: /^Verifications by hour/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Verifications', exact: true }).waitFor();
  await expectAccessibleInEveryLook(page, 'verifications-picture');
  expectClean(window);
  await window.close();
});
