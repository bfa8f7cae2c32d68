// @module-tag if-touched @pages console/src/dashboard/clients/: one page of the dashboard in detail
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the page of applications', () => {
  it('adds a web application, shows its secret once, and gives the settings of products', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/sign-in/applications');
    const { page, context } = window;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = async () => String(await page.evaluate('navigator.clipboard.readText()'));
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
    await page
      .getByText('Any software that speaks OpenID Connect signs people in with their phone')
      .waitFor();
    expect(await page.getByRole('link', { name: 'Read the documentation' }).getAttribute('href')).toBe(
      '/docs/openid-provider',
    );
    await expectAccessibleInEveryLook(page, 'clients-empty');
    await page.getByRole('button', { name: 'Add an application' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('<b>Metrics</b>');
    await page.getByRole('textbox', { name: 'Redirect URI' }).fill('http://grafana.example.com/callback');
    await page.getByRole('checkbox', { name: 'E-mail address' }).uncheck();
    const add = page.getByRole('button', { name: 'Add the application' });
    await add.click();
    await page
      .getByText('Redirect URI must begin with https://, or with http:// on a loopback address.')
      .waitFor();
    await expectAccessibleInEveryLook(page, 'clients-new');
    await page.getByRole('textbox', { name: 'Redirect URI' }).fill('https://grafana.example.com/callback');
    await add.click();

    const shown = page.getByRole('dialog').getByText(/^[\w-]{43}$/);
    const secret = String(await shown.textContent());
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await clipboard()).toBe(secret);
    await page.getByRole('button', { name: 'Copy the client ID' }).waitFor();
    // The default tab is Apache, whose settings have a passphrase of their own.
    await page.getByRole('button', { name: 'Copy the settings' }).click();
    await expect.poll(clipboard).toMatch(/^OIDCCryptoPassphrase "[0-9a-f]{32}"$/m);
    await page.getByRole('tab', { name: 'Grafana' }).click();
    await page.getByRole('button', { name: 'Copy the settings' }).click();
    expect(await clipboard()).toContain(`client_secret = ${secret}\n`);
    await page.getByRole('button', { name: 'Add this redirect URI' }).click();
    await page.getByText('which is not among the redirect URIs').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Let it read the e-mail address' }).click();
    await page.getByText('Grafana needs the e-mail address').waitFor({ state: 'detached' });
    await expectAccessibleInEveryLook(page, 'clients-added');
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('heading', { name: '<b>Metrics</b>' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const { clients } = (await service.call('GET', '/api/console/oidc/clients', { as: account.token })).body;
    expect(clients).toMatchObject([
      {
        name: '<b>Metrics</b>',
        type: 'web',
        redirectUris: [
          'https://grafana.example.com/callback',
          'https://grafana.example.com/login/generic_oauth',
        ],
        tokenEndpointAuth: 'client_secret_basic',
        subjectType: 'pairwise',
        claims: ['profile', 'email'],
      },
    ]);
    const [{ clientId, issuer }] = clients;
    for (const [name, value] of [
      ['issuer', issuer],
      ['discovery URL', `${issuer}/.well-known/openid-configuration`],
      ['client ID', clientId],
    ]) {
      await page.getByRole('button', { name: `Copy the ${name}` }).click();
      await expect.poll(clipboard).toBe(value);
    }
    // The tab of the product whose redirect URI it has is open.
    await page.getByRole('button', { name: 'Copy the settings' }).click();
    await expect.poll(clipboard).toMatch(/^\[server\]\nroot_url = https:\/\/grafana\.example\.com\/\n/);
    const settings = await clipboard();
    expect(settings).toContain(`client_id = ${clientId}\nclient_secret = <client secret>\n`);
    const discovery = await fetch(`${issuer}/.well-known/openid-configuration`);
    const metadata = (await discovery.json()) as Record<string, unknown>;
    expect(settings).toContain(`auth_url = ${metadata.authorization_endpoint}\n`);
    expect(settings).toContain(`token_url = ${metadata.token_endpoint}\n`);
    expect(settings).toContain(`api_url = ${metadata.userinfo_endpoint}\n`);
    // By these, Nextcloud decides whether it uses PKCE and where it sends the secret.
    expect(metadata).toMatchObject({
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_post']),
    });
    await page.getByRole('tab', { name: 'Nextcloud' }).click();
    await page.getByText('Nextcloud authenticates in another way than this application').waitFor();
    // Neighbours that say the same are one row.
    for (const entry of [
      /^2 × .+ changed the application <b>Metrics<\/b>$/,
      /^.+ created the application <b>Metrics<\/b>$/,
    ])
      await page.getByRole('list', { name: 'Audit entries' }).getByRole('link', { name: entry }).waitFor();
    await expectAccessibleInEveryLook(page, 'client');
    expectClean(window, /status of 400/);
    await window.close();
  });
});
