// @module-tag if-touched @pages console/src/dashboard/clients/: rare cases of what the quick suite does once
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS, createClient } from '../../../server/test/support/oidc-clients.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { HOSTILE_NAMES } from '../support/records.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, whileFailing } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const clientsOf = async (account: Account, query = '') =>
  (await service.call('GET', `${CLIENTS}${query}`, { as: account.token })).body.clients;

const startAdding = async (page: Page, name: string, type: string) => {
  await page.getByRole('button', { name: 'Add an application' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: type }).check();
};

const more = async (page: Page, action: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

describe('the list of applications', () => {
  it('shows type and redirect host of those of its environment, with hostile names as text', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const { client } = await createClient(service, account, {
      name: HOSTILE_NAMES[0],
      redirectUris: ['https://a.example/', 'https://b.example/'],
      subjectType: 'public',
    });
    await createClient(service, account, {
      name: HOSTILE_NAMES[1],
      type: 'device',
      redirectUris: [],
      tokenEndpointAuth: 'none',
    });
    await createClient(service, account, { name: 'Only for tests' }, '?environment=test');
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Applications' }).locator('tbody tr:has(td)');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.nth(0).textContent()).toContain(`${HOSTILE_NAMES[1]}Device or command line`);
    expect(await rows.nth(1).textContent()).toContain(
      `${HOSTILE_NAMES[0]}Web applicationa.example and 1 more`,
    );
    await expectAccessibleInEveryLook(page, 'clients');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a person, device or page').fill('appl');
    await page.getByRole('option', { name: 'Applications' }).click();
    await rows.nth(1).getByRole('link').click();
    await page.waitForURL(`**/live/sign-in/applications/${client.clientId}`);
    await page.goto(`/dashboard/test/sign-in/applications/${client.clientId}`);
    await page.getByText('This test application does not exist.').waitFor();
    await page.getByRole('link', { name: 'All applications' }).click();
    await rows.filter({ hasText: 'Only for tests' }).waitFor();
    expect(await rows.count()).toBe(1);
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('explains what to do at the limit of the plan, and shows errors', async () => {
    const account = await service.signUp({ plan: 'free' });
    for (const name of ['One', 'Two', 'Three']) await createClient(service, account, { name });
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page } = window;
    await startAdding(page, 'Four', 'Device or command line');
    await page.getByRole('button', { name: 'Add the application' }).click();
    await page.getByText('as many applications as your plan allows').waitFor();
    await expectAccessibleInEveryLook(page, 'clients-limit');
    await whileFailing(page, /\/api\/console\/oidc\/clients/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `clients-${how}`);
    });
    expectClean(window, /status of (409|429|503)/);
    await window.close();
  });
});

describe('the form of an application', () => {
  it('warns where PKCE is turned off, and says which claim of its own is wrong', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page } = window;
    await startAdding(page, 'Intranet', 'Single-page app');
    await page.getByText('Advanced', { exact: true }).click();
    const pkce = page.getByRole('checkbox', { name: 'Require PKCE' });
    expect(await pkce.count()).toBe(0);
    await page.getByRole('radio', { name: 'Web application' }).check();
    await page.getByRole('textbox', { name: 'Redirect URI' }).fill('https://intranet.example.com/callback');
    await pkce.uncheck();
    await page.getByText('Without PKCE, a stolen code works in another browser').waitFor();
    const own = page.getByRole('textbox', { name: 'Custom claims' });
    await own.fill('groups: metadata.groups\nsub: metadata.id');
    const add = page.getByRole('button', { name: 'Add the application' });
    await add.click();
    await page.getByText('Custom claims must not have sub, which only the service sets').waitFor();
    await expectAccessibleInEveryLook(page, 'clients-advanced');
    await own.fill('groups: metadata.groups');
    await add.click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Name, e-mail address and groups').waitFor();
    await page.getByText('Not required. Requests that use it are checked.').waitFor();
    expect(await clientsOf(account)).toMatchObject([
      {
        claims: { profile: true, email: true, groups: 'metadata.groups' },
        requirePkce: false,
        claimsInIdToken: true,
      },
    ]);
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('adds a single-page app with the keyboard alone, with an error at each URI that is wrong', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page } = window;
    await startAdding(page, 'Portal', 'Single-page app');
    expect(await page.getByLabel('Authentication').count()).toBe(0);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    await page.keyboard.type('https://app.example.com/one');
    await press('Tab', 'Enter');
    await page.keyboard.type('https://app.example.com/two');
    await press('Tab', 'Tab', 'Enter');
    // A row without text is left out.
    await press('Tab', 'Tab', 'Enter');
    await page.keyboard.type('https://other.example.com/#three');
    await press('Enter');
    await page.getByText('Redirect URI 3 must not contain a fragment.').waitFor();
    expect(await page.getByRole('textbox', { name: /^Redirect URI/ }).count()).toBe(3);
    await page.getByRole('textbox', { name: 'Redirect URI 3' }).fill('https://other.example.com/three');
    await press('Enter');
    await page.getByText('Redirect URI 3 must have the same host as the others').waitFor();
    await page.getByRole('radio', { name: 'Public' }).check();
    await press('Enter');
    await page.getByRole('heading', { name: 'Portal' }).waitFor();
    expect(await clientsOf(account)).toMatchObject([
      {
        type: 'spa',
        tokenEndpointAuth: 'none',
        subjectType: 'public',
        redirectUris: [
          'https://app.example.com/one',
          'https://app.example.com/two',
          'https://other.example.com/three',
        ],
      },
    ]);
    expect(await page.getByRole('heading', { name: 'Settings for products' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Delete']);
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('adds a native app that signs with its key, and says which key is wrong', async () => {
    const account = await service.signUp();
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page } = window;
    await startAdding(page, 'Phone app', 'Native app');
    await page.getByRole('textbox', { name: 'Redirect URI' }).fill('com.example.app:/callback');
    await page.getByLabel('Authentication').selectOption('private_key_jwt');
    const keys = page.getByLabel('Public keys');
    const add = page.getByRole('button', { name: 'Add the application' });
    await keys.fill('-----BEGIN PUBLIC KEY-----');
    await add.click();
    await page.getByText('Enter a JSON Web Key Set').waitFor();
    await keys.fill(
      JSON.stringify([publicKey.export({ format: 'jwk' }), privateKey.export({ format: 'jwk' })]),
    );
    await add.click();
    await page.getByText('Key 2 contains a private key.').waitFor();
    await expectAccessibleInEveryLook(page, 'clients-keys');
    await keys.fill(JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'first' }));
    await add.click();
    await page.getByText('P-256 (first)').waitFor();
    expect(await clientsOf(account)).toMatchObject([
      { type: 'native', tokenEndpointAuth: 'private_key_jwt', jwks: { keys: [{ kid: 'first' }] } },
    ]);
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('adds a device, and opens the advanced settings at their errors', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/test/sign-in/applications');
    const { page } = window;
    await startAdding(page, 'Door panel', 'Device or command line');
    expect(await page.getByRole('textbox', { name: /^Redirect URI/ }).count()).toBe(0);
    await page.getByText('Advanced').click();
    await page.getByRole('button', { name: 'Add a post-logout URI' }).click();
    await page.getByRole('textbox', { name: 'post-logout URI' }).fill('https://panel.example.com/bye');
    await page.getByLabel('Back-channel logout URI').fill('http://127.0.0.1/logout');
    await page.getByLabel('ID token algorithm').selectOption('ES256');
    await page.getByLabel('Require DPoP').check();
    await page.getByText('Advanced').click();
    const add = page.getByRole('button', { name: 'Add the application' });
    await add.click();
    await page.getByText(/^Back-channel logout URI must /).waitFor();
    await expectAccessibleInEveryLook(page, 'clients-advanced');
    await page.getByLabel('Back-channel logout URI').fill('https://panel.example.com/logout');
    await add.click();
    await page.getByText('Bound to a key (DPoP)').waitFor();
    await page.getByText('Signed with ES256').waitFor();
    await page.getByText(/\/device\/auth$/).waitFor();
    await expectAccessibleInEveryLook(page, 'client-device');
    expect(await clientsOf(account)).toEqual([]);
    expect(await clientsOf(account, '?environment=test')).toMatchObject([
      {
        type: 'device',
        redirectUris: [],
        postLogoutRedirectUris: ['https://panel.example.com/bye'],
        backchannelLogoutUri: 'https://panel.example.com/logout',
        idTokenAlg: 'ES256',
        requireDpop: true,
      },
    ]);
    expectClean(window, /status of 400/);
    await window.close();
  });
});

describe('the page of an application', () => {
  it('is edited, gets a new secret while the old one works, and is deleted after confirmation', async () => {
    const account = await service.signUp();
    const { client, secret } = await createClient(service, account, {
      postLogoutRedirectUris: ['https://app.example.com/goodbye'],
    });
    const window = await openDashboard(service, account, `/live/sign-in/applications/${client.clientId}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    // Open, because one of its settings is not the usual one.
    await dialog.getByRole('textbox', { name: 'post-logout URI' }).waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Remove post-logout URI 1' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Intranet');
    await dialog.getByRole('textbox', { name: 'Redirect URI' }).fill('https://other.example.com/callback');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Redirect URI must have the same host as before').waitFor();
    await dialog
      .getByRole('textbox', { name: 'Redirect URI' })
      .fill('https://app.example.com/oauth2/callback');
    await dialog.getByLabel('E-mail address').check();
    await expectAccessibleInEveryLook(page, 'client-edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Intranet' }).waitFor();
    expect(await clientsOf(account)).toMatchObject([
      {
        name: 'Intranet',
        redirectUris: ['https://app.example.com/oauth2/callback'],
        postLogoutRedirectUris: [],
        claims: ['email'],
      },
    ]);

    await more(page, 'Rotate the secret');
    await page.getByLabel('Keep the old secret for').selectOption({ label: '7 days' });
    await expectAccessibleInEveryLook(page, 'client-rotate');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const shown = await dialog.getByText(/^[\w-]{43}$/).textContent();
    expect(shown).not.toBe(secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('The old secret also works until').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'replaced the secret of the application' }).waitFor();

    await more(page, 'Delete');
    await expectAccessibleInEveryLook(page, 'client-delete');
    await page.getByRole('button', { name: 'Delete the application' }).click();
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
    await page.goBack();
    await page.getByText('This live application does not exist.').waitFor();
    await page.goto('/dashboard/live/trust/audit?action=oidc_client.created');
    await page.getByRole('table').getByRole('link').first().click();
    // It has no name any more, but its ID.
    await page
      .locator('#record dd')
      .filter({ hasText: `…${client.clientId.slice(-8)}` })
      .getByRole('link', { name: 'an application', exact: true })
      .click();
    await page.waitForURL(`**/live/sign-in/applications/${client.clientId}`);
    expectClean(window, /status of (400|404)/);
    await window.close();
  });
});
