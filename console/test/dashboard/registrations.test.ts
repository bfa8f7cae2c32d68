// @module-tag if-touched @pages console/src/dashboard/registrations/: one page of the dashboard in detail
import { Svc } from '@svc/sdk';
import { createIdentity } from '@svc/sdk/prover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFingerprint } from '../../../server/test/support/ceremony.js';
import { sdkProver } from '../../../server/test/support/sdk.js';
import { expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { openPage } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, scanned } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const LIST = '/live/people/registrations';

describe('registering a person', () => {
  it('opens the form wherever its button stands, and on any page from the search', async () => {
    const window = await openDashboard(service, await service.signUp({ plan: 'enterprise' }), '/live/home');
    const { page } = window;
    const form = page.getByRole('dialog', { name: 'Register a person' });
    const expectForm = async () => {
      await form.getByLabel('E-mail').waitFor();
      await form.getByRole('button', { name: 'Cancel' }).click();
      await form.waitFor({ state: 'detached' });
    };
    for (const address of ['/live/home', '/live/people']) {
      await page.goto(`/dashboard${address}`);
      await page.locator('main').getByRole('button', { name: 'Register a person' }).first().click();
      await expectForm();
      expect(page.url()).toContain(address);
    }
    await page.goto('/dashboard/test/trust/audit');
    await openPage(page, 'API keys');
    await page.waitForURL('**/developers/keys');
    const search = async () => {
      await page.getByRole('button', { name: 'Find a person, device or page' }).click();
      // The code of the search may still be loading, and what is typed until then goes nowhere.
      await page
        .getByRole('combobox', { name: 'Find a person, device or page' })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.type('register');
      await page.getByRole('option', { name: 'Register a person' }).click();
    };
    await search();
    await expectForm();
    await search();
    await form.getByLabel('Full name').fill('Ada');
    await form.getByRole('button', { name: 'Start registration' }).click();
    await page.getByRole('img', { name: 'Code for the phone of Ada' }).waitFor();
    expect(page.url()).toContain('/test/people/registrations/');
    expect(await form.count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it('creates an identity from a form, and shows each step of the phone', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const window = await openDashboard(service, account, LIST);
    const { page, context } = window;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { name: 'No registrations yet' }).waitFor();
    await expectAccessibleInEveryLook(page, 'registrations-empty');
    await page.getByRole('button', { name: 'Register a person' }).first().click();
    await page.getByLabel('Full name').fill('<b>Ada</b> Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Phone').fill('+44 20 1815');
    await page.getByLabel('Employee code').fill('E-1');
    await page.getByLabel('External ID').fill('e-1815');
    expect(await page.getByLabel('Metadata').isVisible()).toBe(false);
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Metadata').fill('not JSON');
    await page.getByRole('button', { name: 'Start registration' }).click();
    await page.getByText('Enter a JSON object').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-new');
    await page.getByLabel('Metadata').fill('{"team": "Engine"}');
    await page.route('**/v1/registrations?*', async (route) => {
      if (route.request().method() === 'POST')
        expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      await route.continue();
    });
    // Repeated clicks start one registration.
    await page.getByRole('button', { name: 'Start registration' }).dblclick();

    await page.getByRole('heading', { name: '<b>Ada</b> Lovelace' }).waitFor();
    const state = page.getByRole('status').filter({ hasText: 'Registration' });
    await state.getByText('Waiting for the phone').waitFor();
    // The code survives the skip link and a reload.
    await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.reload();
    await page.getByRole('img', { name: 'Code for the phone of <b>Ada</b> Lovelace' }).waitFor();
    const list = await service.call('GET', '/v1/registrations', { as: account.key });
    expect(list.body.registrations).toHaveLength(1);
    await expectAccessibleInEveryLook(page, 'registration-open');

    const phone = new Svc({ baseUrl: service.origin });
    const identity = createIdentity();
    const prover = await sdkProver();
    const { tenant_user } = await phone.registrations.takePart(await scanned(page), {
      fingerprint: freshFingerprint(),
      identity,
      prove: async (challenge) => {
        await state.getByText('Waiting for the proof').waitFor();
        await picture(page, 'registration-proof');
        return prover.proveRegistration(identity, challenge);
      },
    });
    expect(tenant_user).toMatchObject({
      email: 'ada@example.com',
      phone: '+44 20 1815',
      employeeCode: 'E-1',
      externalId: 'e-1815',
      metadata: { team: 'Engine' },
    });
    await state.getByText('Completed').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: 'can now sign in with this phone' })
      .locator('bdi')
      .waitFor();
    await page.getByRole('link', { name: '<b>Ada</b> Lovelace' }).first().waitFor();
    // Its end is shown, and all of it can be copied.
    await page.getByText(`…${identity.did.slice(-8)}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy the DID' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(identity.did);
    expect(await page.getByRole('button', { name: 'Abandon' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'registration-completed');
    expectClean(window);
    await window.close();
  });
});
