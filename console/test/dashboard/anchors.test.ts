// @module-tag if-touched @pages console/src/dashboard/trust/ console/src/dashboard/audit/ console/src/dashboard/nouns/words/ server/src/features/anchors/: one page of the dashboard in detail
import { readFile } from 'node:fs/promises';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../../../server/test/support/chain/chain.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, whileFailing } from '../support/signed-in.js';

let chain: TestChain;
let service: PagesService;
beforeAll(async () => {
  chain = await startChain();
  service = await pagesService({}, { chain: chain.client });
});
afterAll(async () => {
  await service.close();
  await chain.close();
});

const PAGE = '/live/trust/anchors';
const anchor = () => service.app.deps.anchoring?.run();

async function accountThatAnchors(): Promise<Account> {
  const account = await service.signUp({ plan: 'growth' });
  const body = { security_policy: { providers: { did: 'onchain', auditAnchor: 'onchain' } } };
  await service.call('PUT', '/api/console/security-policy', { as: account.token, body });
  return account;
}

async function register({ key: as }: Account, fullName: string): Promise<void> {
  const { did, commitment } = createIdentity();
  const { body } = await service.call('POST', '/v1/identity/register', { as, body: { did, commitment } });
  const named = await service.call('PATCH', `/v1/users/${body.userId}`, { as, body: { fullName } });
  expect(named.status, named.text).toBe(200);
}

describe('the anchors', () => {
  it('show what is on the blockchain, with a proof to keep, and what waits while it can’t be reached', async () => {
    const account = await accountThatAnchors();
    await register(account, 'Ada Lovelace');
    await anchor();
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    const row = (text: string) =>
      page.getByRole('table', { name: 'Anchors' }).getByRole('row').filter({ hasText: text });
    await row('Ada Lovelace')
      .getByText(/in block \d+/)
      .waitFor();
    await page.getByText('Each registration').waitFor();
    await expectAccessibleInEveryLook(page, 'anchors');

    const download = page.waitForEvent('download');
    await row('Ada Lovelace').getByRole('link', { name: 'Proof' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^anchor-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
      environment: 'live',
      anchor: { kind: 'identity', contract: chain.settings.contracts.anchorHub.toLowerCase() },
    });

    await page.getByLabel('Record').selectOption({ label: 'Audit log' });
    await row('Ada Lovelace').waitFor({ state: 'detached' });

    chain.fault = 'down';
    // Registered while the blockchain is down, and what the service has found out about it.
    await anchor();
    await register(account, 'Grace Hopper');
    await anchor();
    await page.goto(`/dashboard${PAGE}`);
    await row('Grace Hopper').getByText('Waiting').waitFor();
    await page.getByText('The service can’t reach the blockchain').waitFor();
    await expectAccessibleInEveryLook(page, 'anchors-waiting');
    chain.fault = 'none';
    await anchor();
    await page.reload();
    await row('Grace Hopper')
      .getByText(/in block/)
      .waitFor();
    expectClean(window);
    await window.close();
  });

  it('say that nothing is anchored yet, that the policy asks for nothing, and what failed', async () => {
    const account = await service.signUp({ plan: 'growth' });
    const window = await openDashboard(service, account, PAGE);
    const { page } = window;
    await page.getByRole('heading', { name: 'Nothing is anchored yet' }).waitFor();
    await page.getByText('Your policy anchors neither people nor the audit log').waitFor();
    await expectAccessibleInEveryLook(page, 'anchors-empty');
    await whileFailing(page, /\/v1\/anchors/, async (how) => {
      await page.getByRole('alert').first().waitFor();
      await expectAccessibleInEveryLook(page, `anchors-${how}`);
    });
    await page.goto('/dashboard/test/trust/anchors');
    await page.getByRole('link', { name: 'Show live anchors' }).click();
    await page.waitForURL(`**${PAGE}`);
    expectClean(window, /status of (503|429)/);
    await window.close();
  });

  it('are no page of a service without a blockchain', async () => {
    const without = await pagesService();
    try {
      const window = await openDashboard(without, await without.signUp(), PAGE);
      const { page } = window;
      await page.getByRole('heading', { name: 'This service has no blockchain' }).waitFor();
      const links = page.getByRole('navigation', { name: 'Dashboard' });
      await links.getByRole('link', { name: 'Receipts' }).waitFor();
      expect(await links.getByRole('link', { name: 'Anchors' }).count()).toBe(0);
      await expectAccessibleInEveryLook(page, 'anchors-none');
      expectClean(window);
      await window.close();
    } finally {
      await without.close();
    }
  });
});
