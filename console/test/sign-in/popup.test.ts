// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../server/test/support/oidc/oidc.js';
import type { Person } from '../../../server/test/support/phone.js';
import type { Window } from '../support/browser.js';
import { issuerOf } from './application.js';
import { account, approveShown, newPerson, openBrowser, press, service, startSignInService } from './desk.js';
import { openPopupSite, type PopupSite } from './popup-site.js';

startSignInService();

let site: PopupSite;
let ada: Person;
let window: Window;
beforeAll(async () => {
  site = await openPopupSite();
  ada = await newPerson('Ada Lovelace');
  const body = { type: 'spa', tokenEndpointAuth: 'none', redirectUris: [site.redirectUri] };
  const { clientId } = await createClient({ service, account }, body);
  site.settings = { issuer: issuerOf(service, account), clientId, redirectUri: site.redirectUri };
  window = await openBrowser();
});
afterAll(async () => {
  await window.close();
  await site.close();
});

/** Opens the application and begins a sign-in. Returns the popup. */
async function begin(page: Page): Promise<Page> {
  await page.goto(site.origin);
  const opening = page.waitForEvent('popup');
  await press(page, 'Sign in');
  return opening;
}

async function resultOn(page: Page) {
  await page.locator('output:not(:empty)').waitFor();
  return JSON.parse((await page.locator('output').textContent()) ?? '');
}

describe('signInHosted of the SDK [openid/popup] [GET /oidc/:tenantId/:environment/auth]', () => {
  it('signs a person in with a popup, and gives the tokens to the page that opened it only', async () => {
    const { page } = window;
    const popup = await begin(page);
    const ended = popup.waitForEvent('close');
    await popup.locator('[data-qr-payload]').waitFor();
    const asked = new URL(page.url());
    expect(asked.search).toBe('');
    await approveShown(popup, ada);
    const { claims, tokens } = await resultOn(page);
    expect(claims).toMatchObject({ sub: ada.userId, name: 'Ada Lovelace', acr: 'urn:svc:zkp' });
    expect(tokens).toEqual(['accessToken', 'idToken', 'refreshToken', 'expiresIn']);
    await ended;
    expect(popup.isClosed()).toBe(true);
  });

  it('rejects with `sign_in_closed` if the person closes the popup', async () => {
    const { page } = window;
    await page.context().clearCookies();
    const popup = await begin(page);
    await popup.locator('[data-qr-payload]').waitFor();
    await popup.close();
    expect(await resultOn(page)).toMatchObject({ code: 'sign_in_closed' });
  });

  it('rejects with `sign_in_failed` if the person cancels', async () => {
    const { page } = window;
    await page.context().clearCookies();
    const popup = await begin(page);
    await popup.locator('[data-qr-payload]').waitFor();
    await press(popup, 'Cancel');
    const { code, message } = await resultOn(page);
    expect([code, message]).toEqual(['sign_in_failed', expect.stringContaining('access_denied')]);
  });
});
