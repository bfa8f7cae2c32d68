// @module-tag if-touched @pages console/src/dashboard/security/ console/src/dashboard/nouns/policy/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrolPasskey } from '../../../server/test/support/attestation.js';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { createClient } from '../../../server/test/support/oidc/oidc.js';
import { bindPairing } from '../../../server/test/support/pairing.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const policyOf = async ({ token }: Account) =>
  (await service.call('GET', '/api/console/security-policy', { as: token })).body.security_policy;

describe('the security policy', () => {
  it('is saved after the changes were confirmed, and unchanged after a cancel', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const save = page.getByRole('button', { name: 'Save the policy' });
    await save.waitFor();
    await expect(save.isDisabled()).resolves.toBe(true);
    await page.getByLabel('Integrity that a phone must report').selectOption('device');
    await page.getByLabel('Also accept phones that report nothing').check();
    await page.getByText('We recommend that you disable it').waitFor();
    await page.getByLabel('Deprecated verification endpoint').selectOption('off');
    await page.getByLabel('Allow checkpoints of the audit log').check();
    await expectAccessibleInEveryLook(page, 'security');
    await save.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem').allTextContents()).resolves.toEqual([
      'Integrity that a phone must report: Nothing Device',
      'Phones that report nothing: Not allowed Allowed',
      'Deprecated verification endpoint: Enabled Disabled (recommended)',
      'Checkpoints of the audit log: Not allowed Allowed',
    ]);
    await expectAccessibleInEveryLook(page, 'security-changes');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(policyOf(account)).resolves.toEqual({ protect_identities: true });
    await save.click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    // What was not changed is not set.
    await expect(policyOf(account)).resolves.toEqual({
      protect_identities: true,
      require_device_integrity: true,
      allow_device_attestation_absent: true,
      deprecated_verify: 'off',
      audit_checkpoint: true,
    });
    await page.reload();
    await page.getByLabel('Integrity that a phone must report').waitFor();
    await expect(page.getByLabel('Integrity that a phone must report').inputValue()).resolves.toBe('device');
    expectClean(window);
    await window.close();
  });

  it('is set by a preset, with what a sign-in then looks like and which attacks it stops', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const attacks = page.getByRole('list', { name: 'What an attacker can do' }).getByRole('listitem');
    const outcomes = async () =>
      (await attacks.allTextContents()).map((text) => /: (stopped|gets in)/.exec(text)?.[1]);
    await page.getByRole('radio', { name: 'Custom' }).and(page.locator(':checked')).waitFor();
    expect(await page.getByText('On-chain').count()).toBe(0);
    await page.getByRole('radio', { name: 'Strict' }).check();
    expect(await outcomes()).toEqual(['stopped', 'stopped', 'stopped']);
    await page.getByText('the computer then asks for the phone beside it').waitFor();
    await expectAccessibleInEveryLook(page, 'security-strict');
    await page.getByRole('radio', { name: 'Recommended' }).check();
    expect(await outcomes()).toEqual(['stopped', 'gets in', 'gets in']);
    await page.getByLabel('Allow signing in only on the phone itself').check();
    await page.getByRole('radio', { name: 'Custom' }).and(page.locator(':checked')).waitFor();
    await page.getByLabel('Allow signing in only on the phone itself').uncheck();
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    await expect(policyOf(account)).resolves.toMatchObject({
      pairing_match: 'type',
      desktop_tokens_only: true,
      new_browser: 'number',
      deprecated_verify: 'off',
    });
    expectClean(window);
    await window.close();
  });

  it('is not saved over a change that somebody else made before, and then shows that change [policy_changed] [console/changing-the-policy]', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const limit = page.getByLabel('Phones a person can have');
    await limit.selectOption('2');
    const body = {
      security_policy: { protect_identities: true, max_identities: 3, console_step_up: 'always' },
    };
    await service.call('PUT', '/api/console/security-policy', { as: account.token, body });
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'The policy has changed' });
    await expectAccessibleInEveryLook(page, 'security-changed');
    await dialog.getByRole('button', { name: 'Show the new policy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => limit.inputValue()).toBe('3');
    await limit.selectOption('2');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    // A field that the form does not show stays.
    await expect(policyOf(account)).resolves.toEqual({ ...body.security_policy, max_identities: 2 });
    expectClean(window, /status of 412/);
    await window.close();
  });

  it('counts who a stricter rule for new browsers keeps out, before it is saved [GET /api/console/security-policy/reach] [new_browser] [require_verified_attestation]', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const identities = [];
    for (let at = 0; at < 3; at += 1) identities.push((await completeCeremony(service, account)).c.identity);
    const [first] = identities as [(typeof identities)[number]];
    await enrolPasskey(service, account, first, { origin: service.origin });
    await bindPairing(service, account);
    const client = { name: 'Display', type: 'device', redirectUris: [], tokenEndpointAuth: 'none' };
    await createClient({ service, account }, client);
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const costs = page.getByRole('list', { name: 'In live, today' }).getByRole('listitem');
    await page.getByRole('radio', { name: 'A number' }).check();
    await page.getByText('1 of 1 sign-in in the last 30 days had no number').waitFor();
    await page.getByText('This turns the device flow off.').waitFor();
    await page.getByRole('radio', { name: 'The phone beside it' }).check();
    await page.getByText('1 of 4 people have a phone that can show').waitFor();
    await page.getByText('3 people must sign in on the phone itself').waitFor();
    await page.getByText('came from an API key, on a page of your own').waitFor();
    expect(await costs.count()).toBe(4);
    await expectAccessibleInEveryLook(page, 'security-new-browser');
    await page.getByLabel('Require a passkey that signs each proof').check();
    await page.getByText('3 people can’t sign in until').waitFor();
    await page.getByLabel('Integrity that a phone must report').selectOption('strong');
    await page.getByRole('alert').getByText('Nobody can sign in with this.').waitFor();
    await expectAccessibleInEveryLook(page, 'security-passkeys');
    await page.getByLabel('Integrity that a phone must report').selectOption('none');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem').allTextContents()).resolves.toEqual([
      'A passkey that signs each proof: Not required Required',
      'In a browser that is new to the person: Nothing more The phone beside it',
    ]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    await expect(policyOf(account)).resolves.toMatchObject({
      new_browser: 'nearby_or_same_device',
      require_verified_attestation: true,
    });
    expectClean(window);
    await window.close();
  });

  it('protects sign-ins with a phone: a number, tokens for one side, one device, and a list of origins', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const origin = page.getByLabel('New origin');
    const add = page.getByRole('button', { name: 'Add' });
    await page.getByLabel('Ask for a number at every sign-in').check();
    await page.getByLabel('Give tokens only to the computer').check();
    await origin.fill('two words');
    await add.click();
    await page.getByRole('alert').getByText('Type an address such as https://app.example.com.').waitFor();
    // An address is reduced to its origin. Enter adds it and does not save the policy.
    await origin.fill('https://App.example.com/login');
    await origin.press('Enter');
    await page.getByText('https://app.example.com', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await origin.fill('http://portal.example.com');
    await add.click();
    await page.getByRole('button', { name: 'Save the policy' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem').allTextContents()).resolves.toEqual([
      'A number for each sign-in: Not required Required',
      'Tokens for the phone: Yes No',
      'Origins of sign-in pages: None https://app.example.com, http://portal.example.com',
    ]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    // The service's message stands at the origin that it did not accept.
    await page
      .getByRole('listitem')
      .filter({ hasText: 'http://portal.example.com' })
      .getByRole('alert')
      .getByText('must be an origin such as https://app.example.com')
      .waitFor();
    expect(await dialog.count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'security-origins');
    await page.getByRole('button', { name: 'Remove http://portal.example.com' }).click();
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    await expect(policyOf(account)).resolves.toMatchObject({
      origins: ['https://app.example.com'],
      pairing_match: 'type',
      desktop_tokens_only: true,
    });
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('protects people who lose phones: who can replace one, and how long that takes', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const protect = page.getByLabel('Protect people who have an identity');
    await expect(protect.isChecked()).resolves.toBe(true);
    await page.getByLabel('Wait before a recovery is completed').selectOption('3 days');
    await page.getByLabel('A second owner confirms each recovery').check();
    await page.getByLabel('Phones a person can have').selectOption('2');
    await page.getByLabel('Wait before an added phone can be used').selectOption('4 hours');
    await protect.uncheck();
    await page.getByRole('button', { name: 'Save the policy' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem').allTextContents()).resolves.toEqual([
      'Protection of people who have an identity: On Off (anyone with a key can register them again)',
      'Wait before a recovery is completed: 24 hours 3 days',
      'A second owner for each recovery: Not required Required',
      'Phones a person can have: 5 2',
      'Wait before an added phone can be used: None 4 hours',
    ]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Policy saved.').first().waitFor();
    await expect(policyOf(account)).resolves.toMatchObject({
      protect_identities: false,
      recovery_cooldown_hours: 72,
      max_identities: 2,
      addition_cooldown_hours: 4,
    });
    await page.getByRole('link', { name: 'What each setting costs and prevents' }).click();
    await page.waitForURL('**/docs/lost-phones');
    expectClean(window);
    await window.close();
  });

  it('offers on-chain verification only in plans that include it, and names them otherwise', async () => {
    const account = await service.signUp();
    // This service has no blockchain, so the settings are shown only because one of them is on.
    const before = { protect_identities: true, providers: { auditAnchor: 'onchain' } };
    const body = { security_policy: before };
    await service.call('PUT', '/api/console/security-policy', { as: account.token, body });
    const window = await openDashboard(service, account, '/sign-in/policy');
    const { page } = window;
    const verification = page.getByLabel('Verification', { exact: true });
    const onChain = verification.locator('option[value=onchain]');
    await page.getByText('needs the growth or enterprise plan. Your plan is free.').waitFor();
    await expect(onChain.isDisabled()).resolves.toBe(true);
    await service.setPlan(account, 'growth');
    await page.reload();
    await page.getByText('Where proofs are verified.').waitFor();
    await expect(onChain.isDisabled()).resolves.toBe(false);
    await verification.selectOption('onchain');
    // The plan is downgraded between choosing and saving.
    await service.setPlan(account, 'free');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByText('needs the growth or enterprise plan').waitFor();
    await expect(policyOf(account)).resolves.toMatchObject(before);
    expectClean(window, /status of 403/);
    await window.close();
  });

  it('shows an error when it could not be loaded, and loads on retry', async () => {
    const window = await openDashboard(service, await service.signUp(), '/developers/keys');
    const { page } = window;
    const failure = { error: 'internal_error', message: 'Something went wrong on our side.' };
    await page.route(
      '**/api/console/security-policy',
      (route) => route.fulfill({ status: 500, json: failure }),
      { times: 1 },
    );
    await page.goto('/dashboard/sign-in/policy');
    await page.getByRole('alert').getByText(failure.message).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Save the policy' }).waitFor();
    expectClean(window, /status of 500/);
    await window.close();
  });
});
