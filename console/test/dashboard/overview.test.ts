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

const PAGE = '/live/overview';

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
    await steps.getByRole('link', { name: 'Register a person' }).click();
    await page.waitForURL('**/live/registrations');
    const { c } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    await page.goBack();
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

  it('counts records, draws the calls by hour, and shows the same figures in a table', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    for (let at = 0; at < 12; at++) {
      service.clock.advance(60_000);
      const body = { name: `Door ${at}`, deviceType: 'kiosk' };
      await service.call('POST', '/v1/devices', { as: account.key, body });
    }
    const verification = { method: 'manual', result: 'pass' };
    await service.call('POST', '/v1/verifications', { as: account.key, body: verification });
    await service.call('GET', `/v1/devices/${crypto.randomUUID()}`, { as: account.key });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('link', { name: '12 Devices' }).waitFor();
    const figures = page.getByRole('table', { name: 'API calls of the last 48 hours' });
    await figures.waitFor();
    const cells = await figures.getByRole('cell').allInnerTexts();
    expect(cells.map(Number).reduce((sum, figure) => sum + figure, 0)).toBe(14);
    expect(cells.map(Number)).toContain(1);
    const tile = (name: string) => page.getByRole('region', { name });
    await tile('Verifications today').getByText('1 in the last 7 days').waitFor();
    await tile('Success rate').getByText('92.9%').waitFor();
    await tile('Median time to verify').getByText('No proofs in the last 7 days').waitFor();
    await page.getByText('All systems operational').waitFor();
    await expectAccessibleInEveryLook(page, 'overview-counts');
    await page.getByRole('link', { name: '12 Devices' }).click();
    await page.waitForURL('**/live/devices');
    expectClean(window);
    await window.close();
  });

  it('is empty in the test environment, and shows each failed part', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, '/test/overview');
    const { page } = window;
    await page.getByText('No entries yet.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    expect(await page.getByRole('combobox', { name: 'Environment' }).inputValue()).toBe('test');
    await page.goBack();
    await page.getByRole('link', { name: 'Create a key' }).waitFor();
    await expectAccessibleInEveryLook(page, 'overview-empty');
    await whileFailing(page, /\/api\/(console\/(overview|audit|keys|usage\/series)|health)/, async (how) => {
      await page.getByRole('alert').nth(3).waitFor();
      await expectAccessibleInEveryLook(page, `overview-${how}`);
    });
    await page.reload();
    await page.getByText('All systems operational').waitFor();
    await service.call('POST', '/api/console/logout', { as: account.token });
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, account);
    await page.waitForURL('**/dashboard/test/overview');
    expectClean(window, /status of (401|429|503)/);
    await window.close();
  });
});
