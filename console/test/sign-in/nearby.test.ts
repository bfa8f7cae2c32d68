// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/ console/src/phone/: a phone beside a new browser, and the relay attack on the hosted page in two browsers
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { enrolPasskey, type PhonePasskey } from '../../../server/test/support/attestation.js';
import { approveOnPhone } from '../../../server/test/support/oidc/oidc.js';
import { setPolicy } from '../../../server/test/support/pairing.js';
import type { Person } from '../../../server/test/support/phone.js';
import { expectAccessibleInEveryLook, type Window } from '../support/browser.js';
import { putBeside } from '../support/phone-beside.js';
import {
  account,
  application,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  press,
  service,
  shownOn,
  startSignInService,
  waitForHeading,
} from './desk.js';

startSignInService();

/** A person whose phone has a passkey. */
interface Owner extends Person {
  readonly passkey: PhonePasskey;
}

let ada: Owner;
const open: Window[] = [];
beforeAll(async () => {
  ada = await newOwner('Ada Lovelace');
  await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
});
afterEach(async () => {
  for (const window of open.splice(0)) await window.close();
});

async function newOwner(name: string): Promise<Owner> {
  const person = await newPerson(name);
  const passkey = await enrolPasskey(service, account, person, { origin: service.origin });
  return { ...person, passkey };
}

async function openComputer(): Promise<Window> {
  const window = await openBrowser();
  open.push(window);
  return window;
}

/** Puts the phone of a person beside the computer. */
function putOwnerBeside({ page }: Window, { passkey }: Owner): Promise<void> {
  const { id, rpId, userHandle, counter, pkcs8 } = passkey.export();
  const toBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  return putBeside(page, {
    credentialId: toBase64(id),
    isResidentCredential: true,
    rpId,
    privateKey: pkcs8.toString('base64'),
    userHandle: toBase64(userHandle),
    signCount: counter,
  });
}

/** Begins a sign-in of the application, and shows its code. */
async function begin(window: Window) {
  await application.start(window.page);
  return shownOn(window.page);
}

const approve = async (page: Page, person: Person) => {
  const reply = await approveOnPhone({ service, account }, person, await shownOn(page));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.session.state;
};

const browsersOf = async ({ userId }: Person) =>
  (await service.call('GET', `/v1/users/${userId}/browsers`, { as: account.key })).body.browsers;

const NEARBY = 'Is your phone beside you?';

describe('a person in a browser that is new to them', () => {
  it('reads beforehand that the phone has to be near, signs in with it, and from then on as before [browsers/near-the-computer]', async () => {
    const window = await openComputer();
    const { page } = window;
    await begin(window);
    await page.getByText(/^Keep it near, with Bluetooth on/).waitFor();
    await expectAccessibleInEveryLook(page, 'code-nearby');
    await putOwnerBeside(window, ada);
    expect(await approve(page, ada)).toBe('proved');
    await waitForHeading(page, NEARBY);
    await expectAccessibleInEveryLook(page, 'nearby');
    await press(page, 'Confirm with my phone');
    await waitForHeading(page, 'Is this your computer?');
    await expectAccessibleInEveryLook(page, 'computer');
    await press(page, 'Yes, remember it');
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expect(await browsersOf(ada)).toMatchObject([{ how: 'nearby' }]);
    await application.start(page, { prompt: 'login' });
    expect(await approve(page, ada)).toBe('bound');
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expectCleanSignIn(window);
  });

  it('can have it forgotten when they sign out, also after a first try failed', async () => {
    const dorothy = await newOwner('Dorothy Vaughan');
    const window = await openComputer();
    const { page } = window;
    await begin(window);
    await putOwnerBeside(window, dorothy);
    await approve(page, dorothy);
    await press(page, 'Confirm with my phone');
    await press(page, 'Yes, remember it');
    await application.result(page);
    expect(await browsersOf(dorothy)).toHaveLength(1);
    await application.signOut(page, { post_logout_redirect_uri: `${application.origin}/bye` });
    await page.getByRole('button', { name: 'Sign out and forget this browser' }).waitFor();
    await expectAccessibleInEveryLook(page, 'sign-out-forget');
    await window.context.setOffline(true);
    await press(page, 'Sign out and forget this browser');
    await page.getByText('This browser could not be forgotten.').waitFor();
    await window.context.setOffline(false);
    await press(page, 'Sign out and forget this browser');
    await page.waitForURL(`${application.origin}/bye**`);
    expect(await browsersOf(dorothy)).toEqual([]);
    await begin(window);
    expect(await approve(page, dorothy)).toBe('proved');
    expectCleanSignIn(window, /ERR_INTERNET_DISCONNECTED/);
  });

  it('signs in once where others sit too, and the browser stays new', async () => {
    const grace = await newOwner('Grace Hopper');
    const window = await openComputer();
    await begin(window);
    await putOwnerBeside(window, grace);
    await approve(window.page, grace);
    await press(window.page, 'Confirm with my phone');
    await press(window.page, 'No, sign in once');
    expect(await application.result(window.page)).toMatchObject({ name: 'Grace Hopper' });
    expect(await browsersOf(grace)).toEqual([]);
  });
});

describe('an attacker who shows a victim the code of their own sign-in', () => {
  it('holds nothing without the phone beside their browser, also after the victim typed the number', async () => {
    const attacker = await openComputer();
    await begin(attacker);
    expect(await approve(attacker.page, ada)).toBe('proved');
    await waitForHeading(attacker.page, NEARBY);
    await putBeside(attacker.page);
    await press(attacker.page, 'Confirm with my phone');
    await attacker.page.getByText('The phone did not confirm.').waitFor();
    const url = new URL(attacker.page.url());
    expect(url.pathname).toMatch(/^\/sign-in\//);
    expect(url.origin).toBe(service.origin);
  });

  it('holds nothing with their own phone beside their browser', async () => {
    const mallory = await newOwner('Mallory');
    const attacker = await openComputer();
    await begin(attacker);
    await putOwnerBeside(attacker, mallory);
    await approve(attacker.page, ada);
    await press(attacker.page, 'Confirm with my phone');
    await attacker.page.getByText('The phone did not confirm.').waitFor();
    expect(await browsersOf(mallory)).toEqual([]);
  });

  it('holds nothing with a live mirror of the page, because the victim’s browser signs for no other address', async () => {
    const [attacker, victim] = [await openComputer(), await openComputer()];
    await begin(attacker);
    await approve(attacker.page, ada);
    await waitForHeading(attacker.page, NEARBY);
    // The victim has the phone beside them, and looks at the mirror at another address.
    await victim.page.goto(application.origin);
    await putOwnerBeside(victim, ada);
    const error = await victim.page.evaluate(
      `navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32), rpId: ${JSON.stringify(new URL(service.origin).hostname)} } })
        .then(() => 'signed', ({ name }) => name)`,
    );
    expect(error).toBe('SecurityError');
  });

  it('holds nothing with the cookies of the victim’s sign-in, because the key stays in the victim’s browser', async () => {
    const [victim, attacker] = [await openComputer(), await openComputer()];
    const grace = await newOwner('Grace Hopper the second');
    await begin(victim);
    await victim.page.route('**/complete', (request) => request.abort());
    await putOwnerBeside(victim, grace);
    await approve(victim.page, grace);
    await press(victim.page, 'Confirm with my phone');
    await waitForHeading(victim.page, 'Is this your computer?');
    // Before the page of the attacker opens one of its own.
    const { id } = await lastSession();
    await attacker.page.context().addCookies(await victim.page.context().cookies());
    await attacker.page.goto(victim.page.url());
    const error = await attacker.page.evaluate(
      `fetch(location.pathname + '/complete', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: ${JSON.stringify(id)} }) }).then((reply) => reply.json()).then(({ error }) => error)`,
    );
    expect(error).toBe('browser_signature_invalid');
  });
});

/** The newest pairing session of the account. */
async function lastSession(): Promise<{ readonly id: string }> {
  const reply = await service.call('GET', '/v1/proof-pairing/sessions?limit=1', { as: account.key });
  return reply.body.sessions[0];
}
