// @module-tag if-touched console/ sdk/src/ contract/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { openPairing, proveForPairing, submit } from '../../../server/test/support/pairing.js';
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

describe('the overview', () => {
  it('guides a new account through the first steps, detects each completed step, and then disappears', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const steps = page.getByRole('list', { name: 'First steps' }).getByRole('listitem');
    const done = () => steps.filter({ hasText: ': done' });
    /** Reloads the page and counts the completed steps. */
    const expectDone = async (count: number) => {
      await page.reload();
      await steps.first().waitFor();
      expect(await done().count()).toBe(count);
    };
    await expectDone(1);
    await expectAccessibleInEveryLook(page, 'overview-new');
    await steps.getByRole('button', { name: 'Register a person' }).click();
    const form = page.getByRole('dialog', { name: 'Register a person' });
    await form.getByLabel('Full name').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    const { c } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    await expectDone(2);
    await page.getByRole('link', { name: 'Try a sign-in' }).click();
    await page.getByRole('button', { name: 'Show a code' }).waitFor();
    const signIn = async () => {
      const { id, nonce } = await openPairing(service, account.key);
      const use = { tenantId: account.tenantId, sessionId: id, nonce };
      const reply = await submit(service, account.key, id, await proveForPairing(c.identity, use));
      expect(reply.status).toBe(200);
    };
    await signIn();
    await page.goBack();
    await page.getByText('Your first sign-in worked').waitFor();
    await expectAccessibleInEveryLook(page, 'overview-first');
    await signIn();
    await page.reload();
    await page.getByRole('heading', { name: 'Newest audit entries' }).waitFor();
    await page.getByText('A proof was checked for a pairing session').first().waitFor();
    expect(await page.getByText('Your first sign-in worked').count()).toBe(0);
    expect(await steps.count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it('shows the numbers that the database counts: records, and verifications by day and result [D12.88]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 12; at++)
      await service.call('POST', '/v1/devices', {
        as: account.key,
        body: { name: `Door ${at}`, deviceType: 'kiosk' },
      });
    const verify = (result: string, daysAgo: number) => {
      const occurredAt = new Date(service.clock.now() - daysAgo * DAY_MS).toISOString();
      const body = { method: 'manual', result, occurredAt };
      return service.call('POST', '/v1/verifications', { as: account.key, body });
    };
    for (const result of ['pass', 'pass', 'pass', 'fail', 'challenge']) await verify(result, 0);
    for (const result of ['pass', 'fail']) await verify(result, 6);
    await verify('fail', 7);
    const counted = async (condition: string) => {
      const text = `select count(*)::int as n from verifications where tenant_id = $1 and ${condition}`;
      const [row] = await service.db.query<{ n: number }>({ text, values: [account.tenantId] });
      return row?.n;
    };
    const today = `occurred_at >= '${new Date(service.clock.now()).toISOString().slice(0, 10)}'`;
    expect(await counted(today)).toBe(5);

    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('link', { name: '12 Devices' }).waitFor();
    await page.getByRole('link', { name: `${await counted('true')} Verifications` }).waitFor();
    const tile = (name: string) => page.getByRole('region', { name }).locator('p').allInnerTexts();
    expect(await tile('Verifications today')).toEqual([String(await counted(today)), 'First day']);
    expect(await tile('Success rate today')).toEqual(['75%', 'First day']);
    expect((await tile('Failed today'))[0]).toBe(String(await counted(`${today} and result = 'fail'`)));
    expect(await tile('Last 7 days')).toEqual(['7', '66.6% passed']);
    const figures = page.getByRole('table', { name: 'Verifications of the last 14 days (UTC)' });
    const cells = (await figures.getByRole('cell').allInnerTexts()).map(Number);
    expect(cells.slice(-3)).toEqual([3, 1, 1]);
    expect(cells.reduce((sum, figure) => sum + figure, 0)).toBe(await counted('true'));
    await page.getByText('All systems operational').waitFor();
    await expectAccessibleInEveryLook(page, 'overview-counts');
    await page.getByRole('link', { name: '12 Devices' }).click();
    await page.waitForURL('**/live/sign-in/devices');
    expectClean(window);
    await window.close();
  });

  it('compares a day only with one that the account had, and counts a new verification while it is open', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const verify = (result: string) =>
      service.call('POST', '/v1/verifications', { as: account.key, body: { method: 'manual', result } });
    for (const result of ['pass', 'fail']) await verify(result);
    service.clock.advance(DAY_MS);
    const { email, password } = account;
    const login = await service.call('POST', '/api/console/login', { body: { email, password } });
    const window = await openDashboard(service, { ...account, token: login.body.token }, PAGE);
    const { page } = window;
    const tile = (name: string) => page.getByRole('region', { name });
    await page.clock.install();
    await page.reload();
    await tile('Verifications today').getByText('2 the day before').waitFor();
    await tile('Success rate today').getByText('None passed or failed').waitFor();
    await verify('pass');
    await page.clock.runFor(15_000);
    await tile('Verifications today').getByText('1', { exact: true }).waitFor();
    await tile('Success rate today').getByText('50% the day before').waitFor();
    service.clock.advance(2 * DAY_MS);
    await page.reload();
    await logIn(page, account);
    await tile('Verifications today').getByText('0', { exact: true }).waitFor();
    expect(await tile('Verifications today').getByText('the day before').count()).toBe(0);
    await window.close();
  });

  it('is empty in the test environment, and shows each failed part', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, '/test/home');
    const { page } = window;
    await page.getByText('No entries yet.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    expect(await page.getByRole('combobox', { name: 'Environment' }).inputValue()).toBe('test');
    await page.goBack();
    await page.getByRole('link', { name: 'Create a key' }).waitFor();
    await expectAccessibleInEveryLook(page, 'overview-empty');
    await whileFailing(
      page,
      /\/(api\/(console\/(overview|audit|keys)|health)|v1\/verifications)/,
      async (how) => {
        await page.getByRole('alert').nth(3).waitFor();
        await expectAccessibleInEveryLook(page, `overview-${how}`);
      },
    );
    await page.reload();
    await page.getByText('All systems operational').waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, account);
    await page.waitForURL('**/dashboard/test/home');
    expectClean(window, /status of (401|429|503)/);
    await window.close();
  });
});
