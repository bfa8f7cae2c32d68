import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPairing, poll } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  openDesk,
  press,
  register,
  service,
  startPhoneService,
  stateAtDesk,
  waitForHeading,
  waitForIsolated,
} from './phone-desk.js';
import { databaseOf, openPhone, stolenSecret, waitForServiceWorker, withScreenLock } from './phone-window.js';
import { writeQrVideo } from './qr-video.js';

startPhoneService();

/** What a phone sends to see the name of the company before it registers. */
const OPENED = ['pair_code', 'session_id'];

describe('the phone page', () => {
  it('registers and signs a desktop in without an API key, and sends only the commitment, DID, proofs and codes', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.goto('/phone/');
    await waitForHeading(page, 'No identity yet');
    await checkLooks(page, 'empty');

    const desk = await openDesk();
    await phone.scanned(desk.deeplink);
    await waitForHeading(page, 'Register this phone?');
    expect(new URL(page.url()).hash).toBe('');
    expect(phone.bodies.map((body) => Object.keys(JSON.parse(body)).sort())).toEqual([OPENED]);
    await checkLooks(page, 'register');
    await press(page, 'Continue');
    await waitForHeading(page, 'Register with this company?');
    await waitForIsolated(page, 'Example AG');
    await page.getByText('This browser offers no screen lock to this page.').waitFor();
    expect(await stateAtDesk(desk.id)).toBe('awaiting_commitment');
    await checkLooks(page, 'confirm');
    await press(page, 'Register');
    await waitForHeading(page, 'Registered');
    expect(await stateAtDesk(desk.id)).toBe('completed');
    await checkLooks(page, 'registered');

    await press(page, 'Done');
    await page.getByText('Not used yet').waitFor();
    const pairing = await openPairing(service, account.key);
    await phone.scanned(pairing.qrPayload);
    await waitForHeading(page, 'Approve this sign-in?');
    await page.getByText('Only if you started it yourself.').waitFor();
    await waitForIsolated(page, 'Example AG');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    await checkLooks(page, 'approve');
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('bound');
    await checkLooks(page, 'signed-in');
    await press(page, 'Done');
    await page.getByText('Used just now').waitFor();
    await checkLooks(page, 'held');

    const fields = phone.bodies.map((body) => Object.keys(JSON.parse(body)).sort());
    expect(fields).toEqual([
      OPENED,
      ['fingerprint', 'pair_code', 'session_id'],
      ['commitment', 'did', 'enroll_code', 'session_id'],
      ['challenge_nonce', 'proof', 'public_signals', 'session_id', 'verify_code'],
      ['did', 'proof', 'publicSignals', 'scanTicket'],
    ]);
    const { hex } = await stolenSecret(page);
    for (const part of [hex.slice(0, 62), hex.slice(62)])
      for (const form of [part, BigInt(`0x${part}`).toString()])
        expect(phone.bodies.join()).not.toContain(form);
    expectClean(phone);
    await phone.close();
  });

  it('protects the secret with the screen lock if there is one, and asks for it before each proof', {
    tags: ['ci'],
  }, async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const lock = await withScreenLock(phone);
    await register(phone);
    const stored = await databaseOf(page);
    expect(stored.identities[0]?.protection.kind).toBe('screen-lock');
    expect(JSON.stringify(stored)).not.toContain('"extractable"');

    const first = await openPairing(service, account.key);
    await phone.scanned(first.qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    await page.route('**/v1/registrations/submit-commitment', (route) => route.abort());
    await phone.scanned((await openDesk()).deeplink);
    await press(page, 'Continue');
    await press(page, 'Register');
    await page.getByText('The service did not respond.').waitFor();
    await page.unroute('**/v1/registrations/submit-commitment');
    await lock.reject();
    await press(page, 'Try again');
    await page.getByText('The phone was not unlocked').waitFor();
    // The identity already exists and is protected by the lock.
    expect(await page.getByText('without a screen lock').count()).toBe(0);
    const second = await openPairing(service, account.key);
    await phone.scanned(second.qrPayload);
    await press(page, 'Approve');
    await page.getByText('The phone was not unlocked').waitFor();
    expect((await poll(service, account.key, second)).body.session.state).toBe('issued');
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('continues an interrupted registration with the same identity', { tags: ['ci'] }, async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const desk = await openDesk();
    await page.route('**/v1/registrations/submit-commitment', (route) => route.abort());
    await phone.scanned(desk.deeplink);
    await press(page, 'Continue');
    await press(page, 'Register');
    await page.getByText('The service did not respond.').waitFor();
    const [begun] = (await databaseOf(page)).ceremonies;
    await page.unroute('**/v1/registrations/submit-commitment');
    await page.goto('/phone/');
    await page.getByText('is not finished').waitFor();
    await checkLooks(page, 'unfinished');
    await press(page, 'Resume registration');
    await press(page, 'Register');
    await waitForHeading(page, 'Registered');
    const stored = await databaseOf(page);
    expect(stored.identities.map(({ did }) => did)).toEqual([begun?.identity?.did]);
    expect(stored.ceremonies).toEqual([]);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('scans a code with the camera', { tags: ['ci'] }, async () => {
    const { deeplink } = await openDesk();
    const video = writeQrVideo(deeplink);
    const phone = await openPhone(service, {
      switches: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${video}`,
      ],
    });
    const { page } = phone;
    await page.goto('/phone/');
    await press(page, 'Scan a code');
    await waitForHeading(page, 'Register this phone?');
    await waitForIsolated(page, 'Example AG');
    expectClean(phone);
    await phone.close();
    rmSync(video);
  });

  it('opens and proves without a network, but shows who asks before it proves, and sends the proof when the network is back', {
    tags: ['ci'],
  }, async () => {
    const phone = await openPhone(service);
    const { page, context } = phone;
    await page.goto('/');
    await page.evaluate(`caches.open('phone-of-an-older-version')`);
    await register(phone);
    await waitForServiceWorker(page);
    const [cache, ...older] = (await page.evaluate('caches.keys()')) as string[];
    expect([cache, older]).toEqual([expect.stringMatching(/^phone-[0-9a-f]{16} Identity$/), []]);
    const scripts = await page.evaluate(`caches.open('${cache}').then((opened) => opened.keys())
      .then((kept) => kept.map(({ url }) => url).filter((url) => url.includes('/phone/') && url.endsWith('.js')))`);
    expect(scripts).toEqual([expect.stringContaining('/phone/prover.worker-')]);
    const pairing = await openPairing(service, account.key);
    await context.setOffline(true);
    await page.reload();
    await page.getByText('You are offline.').waitFor();
    await page.getByText('Not used yet').waitFor();
    await checkLooks(page, 'offline');
    await press(page, 'Scan a code');
    await page.getByLabel('Or paste the code').fill(pairing.qrPayload);
    await press(page, 'Use code');
    await page.getByText('When you are back online, you see here who asks').waitFor();
    await checkLooks(page, 'offline-asked');
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await context.setOffline(true);
    await press(page, 'Approve');
    await page.getByText('The proof is ready and is sent when you are back online.').waitFor();
    await checkLooks(page, 'waiting');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    await context.setOffline(false);
    await waitForHeading(page, 'Signed in');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('bound');
    expectClean(phone);
    await phone.close();
  });
});
