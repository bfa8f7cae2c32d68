// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../server/test/support/oidc/oidc.js';
import { setPolicy } from '../../../server/test/support/pairing.js';
import { expectAccessibleInEveryLook, expectClean, type Window } from '../support/browser.js';
import { issuerOf } from './application.js';
import {
  account,
  approveShown,
  newPerson,
  openBrowser,
  openRegisteredPhone,
  press,
  service,
  shownOn,
  startSignInService,
  typeOnPhone,
  waitForHeading,
} from './desk.js';

startSignInService();

let window: Window;
let device: client.Configuration;
beforeAll(async () => {
  window = await openBrowser();
  const { clientId } = await createClient(
    { service, account },
    { name: 'Meeting room display', type: 'device', redirectUris: [], tokenEndpointAuth: 'none' },
  );
  const issuer = new URL(issuerOf(service, account));
  const execute = [client.allowInsecureRequests];
  device = await client.discovery(issuer, clientId, undefined, client.None(), { execute });
});
afterAll(() => window.close());

const start = () => client.initiateDeviceAuthorization(device, { scope: 'openid profile' });
const poll = (started: client.DeviceAuthorizationResponse) =>
  client.pollDeviceAuthorizationGrant(device, { ...started, interval: 0.1 });

async function typeCode(code: string): Promise<void> {
  const { page } = window;
  await page.goto(`${issuerOf(service, account)}/device`);
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.keyboard.press('Enter');
}

describe('an attacker who sends a victim the link of their own device', () => {
  /** The victim opens the link in their own browser, and has its code on the screen. */
  async function victimOpens(started: client.DeviceAuthorizationResponse): Promise<void> {
    const { page } = window;
    await page.goto(started.verification_uri_complete as string);
    await press(page, 'Continue');
    await waitForHeading(page, 'Sign in to Meeting room display');
  }

  it('holds nothing when the victim reads on the phone that another device is signed in, and declines', async () => {
    const phone = await openRegisteredPhone('Ada Lovelace');
    const started = await start();
    await victimOpens(started);
    await phone.scanned((await shownOn(window.page)).qrPayload);
    await phone.page
      .getByText(`Signs in another device: Meeting room display, code ${started.user_code}`)
      .waitFor();
    await expectAccessibleInEveryLook(phone.page, 'phone-other-device');
    await press(phone.page, 'This was not me');
    await waitForHeading(phone.page, 'Nobody was signed in');
    const asked = client.genericGrantRequest(device, 'urn:ietf:params:oauth:grant-type:device_code', {
      device_code: started.device_code,
    });
    await expect(asked).rejects.toMatchObject({ error: 'authorization_pending' });
    await phone.close();
  });

  it('holds the victim’s tokens if the victim approves all the same, number and moving code included', async () => {
    const phone = await openRegisteredPhone('Grace Hopper');
    const started = await start();
    await victimOpens(started);
    await typeOnPhone(phone, await shownOn(window.page));
    await waitForHeading(window.page, 'Your device is connected');
    expect((await poll(started)).access_token).toBeTruthy();
    await phone.close();
  });

  it('with same_device_only, gets no link that could be sent', async () => {
    expect((await setPolicy(service, account, { same_device_only: true })).status).toBe(200);
    await expect(start()).rejects.toMatchObject({ error: 'invalid_request' });
    await setPolicy(service, account, {});
  });
});

describe('a device without a browser', () => {
  it('is signed in with a code that is typed in lower case without the dash', async () => {
    const { page } = window;
    const started = await start();
    expect(started.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    await page.goto(started.verification_uri);
    await waitForHeading(page, 'Connect a device');
    await expectAccessibleInEveryLook(page, 'sign-in-device');
    const field = page.getByLabel('Code', { exact: true });
    await field.pressSequentially(started.user_code.toLowerCase().replace('-', ''));
    expect(await field.inputValue()).toBe(started.user_code);
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Is this your code?');
    await page.getByText('Meeting room display wants to sign you in on another device.').waitFor();
    expect(await page.getByLabel('Code on your device').textContent()).toBe(started.user_code);
    await expectAccessibleInEveryLook(page, 'sign-in-device-confirm');
    await press(page, 'Continue');
    await waitForHeading(page, 'Sign in to Meeting room display');
    await page.getByText('You sign in on the device that shows your code').waitFor();
    await shownOn(page);
    await approveShown(page, await newPerson('Ada Lovelace'));
    await waitForHeading(page, 'Your device is connected');
    await expectAccessibleInEveryLook(page, 'sign-in-device-done');
    const tokens = await poll(started);
    expect(tokens.claims()).toMatchObject({ sub: expect.any(String), acr: 'urn:svc:zkp' });
    // It works once.
    await typeCode(started.user_code);
    await page.getByText('This code was already used.').waitFor();
    expectClean(window);
  });

  it('has the code confirmed also if the address contains it, because somebody else may have sent that', async () => {
    const { page } = window;
    const started = await start();
    await page.goto(started.verification_uri_complete as string);
    await waitForHeading(page, 'Is this your code?');
    expect(await page.getByLabel('Code on your device').textContent()).toBe(started.user_code);
    await press(page, 'This is not my device');
    await page.getByText('You stopped this sign-in.').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-in-device-stopped');
    await expect(poll(started)).rejects.toMatchObject({ error: 'access_denied' });
    expectClean(window);
  });

  it('explains a wrong code and a missing one', async () => {
    const { page } = window;
    await typeCode('BBBB-BBBB');
    await page.getByText('This code is not known.').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-in-device-unknown');
    await typeCode('BBB');
    await page.getByText('The code has eight letters or digits.').waitFor();
    await typeCode('');
    await page.getByText('Type the code first.').waitFor();
    expectClean(window);
  });

  it('is not signed in when the person cancels at the code for the phone', async () => {
    const { page } = window;
    await window.context.clearCookies();
    const started = await start();
    await typeCode(started.user_code);
    await press(page, 'Continue');
    await shownOn(page);
    await press(page, 'Cancel');
    await page.getByText('You stopped this sign-in.').waitFor();
    await expectAccessibleInEveryLook(page, 'sign-in-device-cancelled');
    await expect(poll(started)).rejects.toMatchObject({ error: 'access_denied' });
    expectClean(window);
  });
});
