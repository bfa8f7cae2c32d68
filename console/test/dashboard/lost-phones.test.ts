// @module-tag if-touched @pages console/src/dashboard/recoveries/ console/src/dashboard/phones/ console/src/dashboard/users/: one page of the dashboard in detail
import { Svc } from '@svc/sdk';
import { createIdentity, type PhoneIdentity } from '@svc/sdk/prover';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeCeremony, freshFingerprint } from '../../../server/test/support/ceremony.js';
import { proveFor } from '../../../server/test/support/phone.js';
import {
  type Desk,
  HOUR_MS,
  openDesk,
  openRecovery,
  runJob,
  setPolicy,
} from '../../../server/test/support/recoveries.js';
import { sdkProver } from '../../../server/test/support/sdk.js';
import { addPhone, proveContest } from '../../../server/test/support/several-phones.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { countedClicks } from '../support/clicks.js';
import { openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, scanned } from '../support/signed-in.js';

/** Within the first minute of a wait, the pages show one minute less. */
const SOON_MS = 2_000;

let service: PagesService;
/** Each test's own, because the waits outlast the sessions of the others. */
let desk: Desk;
beforeAll(async () => {
  service = await pagesService();
});
beforeEach(async () => {
  desk = await openDesk(service);
});
afterAll(() => service.close());

/** A person with a phone, which is one of the account's devices. */
async function register(fullName: string) {
  const { c, reply } = await completeCeremony(service, desk, { profile: { fullName } });
  return { phone: c.identity, userId: reply.body.tenant_user.id as string };
}

const revoke = async ({ did }: PhoneIdentity) =>
  service.call('POST', '/v1/identity/revoke', { as: desk.clerk, body: { did } });

const signIn = async (phone: PhoneIdentity) =>
  (
    await service.call('POST', '/v1/identity/verify', {
      as: desk.clerk,
      body: await proveFor(service, phone, { tenantId: desk.tenantId }),
    })
  ).status;

/** What a phone does that scans the code of the page. */
async function takePart(page: Page): Promise<PhoneIdentity> {
  const identity = createIdentity();
  const prover = await sdkProver();
  await new Svc({ baseUrl: service.origin }).registrations.takePart(await scanned(page), {
    fingerprint: freshFingerprint(),
    identity,
    prove: (challenge) => prover.proveRegistration(identity, challenge),
  });
  return identity;
}

const recordOf = (page: Page) => page.locator('#record');
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });
const TAKES_OVER = /A new phone takes over in 23 h 59 min/;

describe('a lost phone', () => {
  it('is replaced in four clicks from the home, and the page says when the new phone takes over', async () => {
    const { phone, userId } = await register('Grace Hopper');
    const window = await openDashboard(service, desk, '/live/home');
    const { page } = window;
    const clicks = countedClicks();
    await clicks.click(page.getByRole('navigation').getByRole('link', { name: 'People', exact: true }));
    await clicks.click(
      page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Grace Hopper' }),
    );
    await clicks.click(recordOf(page).getByRole('button', { name: 'This phone is lost' }));
    await page.getByText('takes over after 24 hours').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-lost');
    await clicks.click(inDialog(page, 'Revoke and register another'));
    await page.getByRole('img', { name: 'Code for the phone of Grace Hopper' }).waitFor();
    expect(clicks.count).toBeLessThanOrEqual(4);
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    expect(await signIn(phone)).toBe(401);

    const replacement = await takePart(page);
    service.clock.advance(SOON_MS);
    await page.getByText(TAKES_OVER).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'The phone takes over' }).first().waitFor();
    await expectAccessibleInEveryLook(page, 'recovery-registration');
    expect(await signIn(replacement)).toBe(401);
    await page.goto('/dashboard/live/people/registrations');
    await page.getByRole('link', { name: 'Grace Hopper' }).first().waitFor();
    await page.getByRole('table').getByText('Waiting to take over').waitFor();
    await page.goto(`/dashboard/live/people/${userId}`);
    await recordOf(page).getByText(TAKES_OVER).waitFor();
    await recordOf(page).getByText('Revoked', { exact: true }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('is only revoked if nobody needs another one, and other phones of the person stay', async () => {
    const { phone, userId } = await register('Hedy Lamarr');
    await addPhone(service, desk, phone);
    const window = await openDashboard(service, desk, `/live/people/${userId}`);
    const { page } = window;
    const phones = recordOf(page).getByRole('list', { name: 'Phones' }).getByRole('listitem');
    await phones.nth(1).getByRole('button', { name: 'This phone is lost' }).click();
    await inDialog(page, 'Only revoke').click();
    await phones.nth(1).getByText('Revoked', { exact: true }).waitFor();
    expect(await phones.nth(0).getByRole('button', { name: 'This phone is lost' }).count()).toBe(1);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectAccessibleInEveryLook(page, 'person-phones');
    expect(await signIn(phone)).toBe(401);
    expectClean(window);
    await window.close();
  });

  it('is replaced immediately if the account does not protect people', async () => {
    await setPolicy(service, desk, { protect_identities: false });
    const { phone, userId } = await register('Ida Rhodes');
    const window = await openDashboard(service, desk, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByRole('button', { name: 'Register another phone' }).click();
    await page.getByText('After a minute, they can sign in with it.').waitFor();
    await inDialog(page, 'Start registration').click();
    await page.getByRole('img', { name: 'Code for the phone of Ida Rhodes' }).waitFor();
    await takePart(page);
    await page.getByText('Ida Rhodes can now sign in with this phone.').waitFor();
    expect(await signIn(phone)).toBe(200);
    expectClean(window);
    await window.close();
  });
});

describe('a phone that is not active yet', () => {
  it('shows when it can be used, and is active from then on', async () => {
    await setPolicy(service, desk, { protect_identities: true, addition_cooldown_hours: 4 });
    const { phone, userId } = await register('Joan Clarke');
    await addPhone(service, desk, phone);
    const window = await openDashboard(service, desk, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByText('Not active yet').waitFor();
    await recordOf(page).getByText('Can be used from').waitFor();
    service.clock.advance(4 * HOUR_MS + SOON_MS);
    await page.reload();
    await recordOf(page).getByText('Never signed in').first().waitFor();
    expect(await recordOf(page).getByText('Not active yet').count()).toBe(0);
    expectClean(window);
    await window.close();
  });
});

describe('a recovery', () => {
  it('is shown on the home and can be stopped there', async () => {
    const { phone, userId } = await register('Mary Jackson');
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    service.clock.advance(SOON_MS);
    const window = await openDashboard(service, desk, '/live/home');
    const { page } = window;
    await page.getByText(TAKES_OVER).waitFor();
    await page.getByRole('status').getByRole('link', { name: 'Mary Jackson' }).waitFor();
    await page.getByRole('button', { name: 'Stop the recovery' }).click();
    await expectAccessibleInEveryLook(page, 'recovery-stop');
    await inDialog(page, 'Stop the recovery').click();
    await page.getByText('Recovery stopped').first().waitFor();
    await page.getByText(TAKES_OVER).waitFor({ state: 'detached' });
    await page.goto(`/dashboard/live/people/registrations/${c.id}`);
    await page.getByText('Abandoned', { exact: true }).first().waitFor();
    await page.getByText('No phone took over, and phones that work keep working.').waitFor();
    expect(await signIn(phone)).toBe(200);
    expectClean(window);
    await window.close();
  });

  it('that is on hold comes before those that only wait, on the home', async () => {
    const { phone, userId } = await register('Katherine Johnson');
    await revoke(phone);
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    const body = await proveContest(service, phone, c.id, { tenantId: desk.tenantId });
    await service.call('POST', `/v1/phone/recoveries/${c.id}/contest`, { body });
    const newer = await register('Mary Jackson');
    await openRecovery(service, desk, newer.userId, desk.byRecoverer);
    const window = await openDashboard(service, desk, '/live/home');
    const rows = window.page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await rows.nth(1).getByText('Mary Jackson').waitFor();
    await rows.nth(0).getByText('Katherine Johnson').waitFor();
    expectClean(window);
    await window.close();
  });

  it('that a revoked phone contests is confirmed by two owners, and by one who did not start it if the policy asks for that [recoveries/two-people-decide]', async () => {
    const { phone, userId } = await register('Grace Hopper');
    const other = await openAs(service, desk, 'owner', `/live/people/${userId}`);
    const path = `/live/people/${userId}`;
    const confirm = (page: Page) => recordOf(page).getByRole('button', { name: 'Confirm the recovery' });
    await revoke(phone);
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    const body = await proveContest(service, phone, c.id, { tenantId: desk.tenantId });
    await service.call('POST', `/v1/phone/recoveries/${c.id}/contest`, { body });
    const first = await openDashboard(service, desk, path);
    await recordOf(first.page).getByText('Two owners have to confirm it.').waitFor();
    await confirm(first.page).click();
    await inDialog(first.page, 'Confirm the recovery').click();
    await recordOf(first.page).getByText('confirmed it. Another owner has to confirm it too.').waitFor();
    expect(await confirm(first.page).count()).toBe(0);
    await expectAccessibleInEveryLook(first.page, 'recovery-confirmed-once');
    await other.page.reload();
    await confirm(other.page).click();
    await inDialog(other.page, 'Confirm the recovery').click();
    await recordOf(other.page)
      .getByText(/A new phone takes over/)
      .waitFor();
    await service.call('POST', `/v1/recoveries/${c.id}/cancel`, { as: desk.recoverer });

    await setPolicy(service, desk, { protect_identities: true, recovery_two_person: true });
    await openRecovery(service, desk, userId, { session: desk.token });
    await first.page.reload();
    await recordOf(first.page).getByText('waits for an owner who did not start it').waitFor();
    expect(await confirm(first.page).count()).toBe(0);
    await other.page.reload();
    await confirm(other.page).waitFor();
    expectClean(first);
    expectClean(other);
    await first.close();
    await other.close();
  });

  it('that a revoked phone contests is on hold until somebody confirms it, and then completed', async () => {
    const { phone, userId } = await register('Katherine Johnson');
    await revoke(phone);
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    const body = await proveContest(service, phone, c.id, { tenantId: desk.tenantId });
    await service.call('POST', `/v1/phone/recoveries/${c.id}/contest`, { body });
    service.clock.advance(SOON_MS);
    const window = await openDashboard(service, desk, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByRole('alert').getByText('The recovery is on hold').waitFor();
    await expectAccessible(page);
    await recordOf(page).getByRole('button', { name: 'Confirm the recovery' }).click();
    await inDialog(page, 'Confirm the recovery').click();
    await page.getByText('Recovery confirmed').first().waitFor();
    await recordOf(page).getByText(TAKES_OVER).waitFor();
    service.clock.advance(24 * HOUR_MS);
    await runJob(service);
    // The dashboard's session is over by now.
    await page.goto(`/dashboard/live/people/registrations/${c.id}`);
    await page.getByLabel('E-mail').fill(desk.email);
    await page.getByLabel('Password').fill(desk.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Katherine Johnson can now sign in with this phone.').waitFor();
    await page.getByText('All earlier phones are revoked.').waitFor();
    await page.goto(`/dashboard/live/people/${userId}`);
    const phones = recordOf(page).getByRole('list', { name: 'Phones' }).getByRole('listitem');
    await phones.nth(1).getByText('Revoked', { exact: true }).waitFor();
    expect(await phones.nth(0).getByText('Revoked', { exact: true }).count()).toBe(0);
    expect(await signIn(c.identity)).toBe(200);
    expectClean(window, /status of 401/);
    await window.close();
  });
});

describe('a person without a phone', () => {
  it('gets the first one without a wait, from the keyboard', async () => {
    const { body } = await service.call('POST', '/v1/users', {
      as: desk.clerk,
      body: { fullName: 'Dorothy Vaughan' },
    });
    const window = await openDashboard(service, desk, `/live/people/${body.user.id}`);
    const { page } = window;
    await recordOf(page).getByText('No phone yet.').waitFor();
    await recordOf(page).getByRole('button', { name: 'Register a phone' }).press('Enter');
    await page.getByText('After a minute, they can sign in with it.').waitFor();
    await expectAccessibleInEveryLook(page, 'phone-first');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await recordOf(page).getByRole('button', { name: 'Register a phone' }).press('Enter');
    await inDialog(page, 'Start registration').press('Enter');
    await page.getByRole('img', { name: 'Code for the phone of Dorothy Vaughan' }).waitFor();
    await takePart(page);
    await page.getByText('Dorothy Vaughan can now sign in with this phone.').waitFor();
    expectClean(window);
    await window.close();
  });

  it('is on the home if an API key revoked the last one, beside the recoveries that wait', async () => {
    const { phone, userId } = await register('Annie Easley');
    for (const name of ['Evelyn Boyd', 'Gladys West'])
      await openRecovery(service, desk, (await register(name)).userId, desk.byRecoverer);
    await revoke(phone);
    service.clock.advance(SOON_MS);
    const window = await openDashboard(service, desk, '/live/home');
    const { page } = window;
    const lockedOut = page.getByRole('status').filter({ hasText: 'Annie Easley can’t sign in.' });
    await lockedOut.getByText('The API key “First live key” revoked their last phone').waitFor();
    expect(await page.getByText(TAKES_OVER).count()).toBe(2);
    await expectAccessibleInEveryLook(page, 'overview-recoveries');
    await page.getByRole('link', { name: 'Show the person' }).click();
    await page.waitForURL(`**/live/people/${userId}`);
    expectClean(window);
    await window.close();
  });
});

describe('a session', () => {
  it('is ended from the person’s page', async () => {
    const { phone, userId } = await register('Radia Perlman');
    expect(await signIn(phone)).toBe(200);
    const window = await openDashboard(service, desk, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByRole('button', { name: 'Sessions' }).click();
    await recordOf(page).getByRole('button', { name: 'End', exact: true }).click();
    await inDialog(page, 'End the session').click();
    await page.getByText('Session ended').first().waitFor();
    await recordOf(page).getByText('Not signed in anywhere.').waitFor();
    expectClean(window);
    await window.close();
  });
});
