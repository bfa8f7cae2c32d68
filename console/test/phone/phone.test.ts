import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPairing, poll } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  apart,
  headed,
  link,
  linkFragment,
  look,
  openDesk,
  press,
  register,
  service,
  startPhoneService,
  stateAtDesk,
} from './phone-desk.js';
import { databaseOf, openPhone, servesItself, stolenSecret, withScreenLock } from './phone-window.js';
import { filmOf } from './qr-video.js';

startPhoneService();

describe('the phone page', () => {
  it('registers with the desk, links, and signs a desktop in; nothing but commitment, DID, proof and codes is sent', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.goto('/phone/');
    await headed(page, 'No identity yet');
    await look(page, 'empty');

    const desk = await openDesk();
    await phone.scanned(desk.deeplink);
    await headed(page, 'Register this phone?');
    expect(new URL(page.url()).hash).toBe('');
    expect(phone.bodies).toEqual([]);
    await look(page, 'register');
    await press(page, 'Go on');
    await headed(page, 'Register with this account?');
    await apart(page, 'Example AG');
    await page.getByText('This browser offers no screen lock to this page.').waitFor();
    expect(await stateAtDesk(desk.id)).toBe('awaiting_commitment');
    await look(page, 'confirm');
    await press(page, 'Register');
    await headed(page, 'Registered');
    expect(await stateAtDesk(desk.id)).toBe('completed');
    await look(page, 'registered');

    const { fragment } = await linkFragment('<b>Example</b> & \u202eCo\u0007');
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await headed(page, 'Link this phone?');
    await apart(page, '<b>Example</b> & Co');
    expect(page.url()).toBe(`${service.origin}/phone/`);
    await look(page, 'link');
    await press(page, 'Link');
    await headed(page, 'Linked');
    await apart(page, '<b>Example</b> & Co');
    await look(page, 'linked');

    const pairing = await openPairing(service, account.key);
    await phone.scanned(pairing.qrPayload);
    await headed(page, 'Sign this desktop in?');
    await page.getByText(service.origin).waitFor();
    // The name that the service told at the registration, and not the one in a link that anybody can write.
    await apart(page, 'Example AG');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    await look(page, 'approve');
    await press(page, 'Approve');
    await headed(page, 'Signed in');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('bound');
    await look(page, 'signed-in');
    await press(page, 'Done');
    await page.getByText('Linked: it can sign them in').waitFor();
    await look(page, 'held');

    const fields = phone.bodies.map((body) => Object.keys(JSON.parse(body)).sort());
    expect(fields).toEqual([
      ['fingerprint', 'pair_code', 'session_id'],
      ['commitment', 'did', 'enroll_code', 'session_id'],
      ['challenge_nonce', 'proof', 'public_signals', 'session_id', 'verify_code'],
      ['did', 'proof', 'publicSignals'],
    ]);
    const { hex } = await stolenSecret(page);
    for (const part of [hex.slice(0, 62), hex.slice(62)])
      for (const form of [part, BigInt(`0x${part}`).toString()])
        expect(phone.bodies.join()).not.toContain(form);
    expectClean(phone);
    await phone.close();
  });

  it('keeps the secret behind the screen lock where there is one, and asks for it before each proof', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const lock = await withScreenLock(phone);
    await register(phone);
    const stored = await databaseOf(page);
    expect(stored.identities[0]?.protection.kind).toBe('screen-lock');
    expect(JSON.stringify(stored)).not.toContain('"extractable"');

    const key = await link(phone);
    expect(JSON.stringify(await databaseOf(page))).not.toContain(key);
    const first = await openPairing(service, account.key);
    await phone.scanned(first.qrPayload);
    await press(page, 'Approve');
    await headed(page, 'Signed in');
    await page.route('**/v1/registrations/submit-commitment', (route) => route.abort());
    await phone.scanned((await openDesk()).deeplink);
    await press(page, 'Go on');
    await press(page, 'Register');
    await page.getByText('The service did not answer.').waitFor();
    await lock.refuse();
    await press(page, 'Try again');
    await page.getByText('The phone was not unlocked').waitFor();
    // Its identity is made by now, and sealed behind the lock.
    expect(await page.getByText('without a screen lock').count()).toBe(0);
    const second = await openPairing(service, account.key);
    await phone.scanned(second.qrPayload);
    await press(page, 'Approve');
    await page.getByText('The phone was not unlocked').waitFor();
    expect((await poll(service, account.key, second)).body.session.state).toBe('issued');
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('goes on with a registration that broke off, with the identity that it had', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const desk = await openDesk();
    await page.route('**/v1/registrations/submit-commitment', (route) => route.abort());
    await phone.scanned(desk.deeplink);
    await press(page, 'Go on');
    await press(page, 'Register');
    await page.getByText('The service did not answer.').waitFor();
    const [begun] = (await databaseOf(page)).ceremonies;
    await page.unroute('**/v1/registrations/submit-commitment');
    await page.goto('/phone/');
    await page.getByText('is not finished').waitFor();
    await look(page, 'unfinished');
    await press(page, 'Go on with it');
    await press(page, 'Register');
    await headed(page, 'Registered');
    const stored = await databaseOf(page);
    expect(stored.identities.map(({ did }) => did)).toEqual([begun?.identity?.did]);
    expect(stored.ceremonies).toEqual([]);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('scans a code with the camera', async () => {
    const { deeplink } = await openDesk();
    const film = filmOf(deeplink);
    const phone = await openPhone(service, {
      switches: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ],
    });
    const { page } = phone;
    await page.goto('/phone/');
    await press(page, 'Scan a code');
    await headed(page, 'Register this phone?');
    await page.getByText(/^SV-/).waitFor();
    expectClean(phone);
    await phone.close();
    rmSync(film);
  });

  it('opens and proves without a network, and sends when there is one', async () => {
    const phone = await openPhone(service);
    const { page, context } = phone;
    await page.goto('/');
    await page.evaluate(`caches.open('phone-of-an-older-version')`);
    await register(phone);
    await link(phone);
    await servesItself(page);
    const [cache, ...older] = (await page.evaluate('caches.keys()')) as string[];
    expect([cache, older]).toEqual([expect.stringMatching(/^phone-[0-9a-f]{16}$/), []]);
    const workers = await page.evaluate(`caches.open('${cache}').then((opened) => opened.keys())
      .then((kept) => kept.map(({ url }) => url).filter((url) => url.includes('worker')))`);
    expect(workers).toEqual([expect.stringContaining('/phone/prover.worker')]);
    const pairing = await openPairing(service, account.key);
    await context.setOffline(true);
    await page.reload();
    await page.getByText('You are offline.').waitFor();
    await page.getByText('Linked: it can sign them in').waitFor();
    await look(page, 'offline');
    await press(page, 'Scan a code');
    await page.getByLabel('Or paste the code').fill(pairing.qrPayload);
    await press(page, 'Read it');
    await press(page, 'Approve');
    await page.getByText('The proof is made. It waits for a network, and for nothing else.').waitFor();
    await look(page, 'waiting');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    await context.setOffline(false);
    await headed(page, 'Signed in');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('bound');
    expectClean(phone);
    await phone.close();
  });
});
