// @module-tag if-touched @pages console/src/phone/passkey/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/phone.tsx console/src/phone/parts/: the phone page; its server is tested
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPairing, poll, setPolicy } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  openDesk,
  press,
  register,
  service,
  startPhoneService,
  waitForHeading,
} from './phone-desk.js';
import { databaseOf, openPhone, type PhoneWindow, withScreenLock } from './phone-window.js';
import { openPhonesAndKey, signIn } from './phones-steps.js';

startPhoneService();

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true };
let adminKey: string;
beforeAll(async () => {
  adminKey = await service.createKey(account, 'live', ['zkp:register', 'audit:read']);
});

const keysOf = async (did: string | undefined) =>
  (await service.call('GET', `/v1/attestation/keys?did=${did}`, { as: adminKey })).body.attestationKeys;
const identityOf = async ({ page }: PhoneWindow) => (await databaseOf(page)).identities[0];

const requireAttestation = (isRequired: boolean) =>
  setPolicy(service, account, isRequired ? { require_verified_attestation: true } : {});

const home = async ({ page }: PhoneWindow) => {
  await page.goto('about:blank');
  await page.goto('/phone/');
  await waitForHeading(page, 'Your identities');
};

/** Removes what the passkey was created with, which the version before this one did not keep. */
const forgetCreation = (page: Page) =>
  page.evaluate(`(async () => {
    const answer = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await answer(indexedDB.open('svc-phone'));
    const store = database.transaction('ceremonies', 'readwrite').objectStore('ceremonies');
    const [ceremony] = await answer(store.getAll());
    delete ceremony.identity.protection.creation;
    await answer(store.put(ceremony));
    database.close();
  })()`);

/** A phone whose identity was registered by the version before this one. */
async function openOlderPhone() {
  const phone = await openPhone(service, NARROW);
  const lock = await withScreenLock(phone);
  const { page } = phone;
  await page.route('**/v1/registrations/submit-commitment', (route) => route.abort());
  await phone.scanned((await openDesk()).deeplink);
  await press(page, 'Continue');
  await press(page, 'Register');
  await page.getByText('The service did not respond.').waitFor();
  await forgetCreation(page);
  await page.unroute('**/v1/registrations/submit-commitment');
  await press(page, 'Try again');
  await waitForHeading(page, 'Registered');
  const identity = await identityOf(phone);
  expect(await keysOf(identity?.did)).toEqual([]);
  await home(phone);
  return { phone, lock, identity };
}

describe('the passkey of a new identity', () => {
  it('is one that computers can ask for, and is enrolled in the registration [attestation/passkey-of-the-phone-page]', async () => {
    const phone = await openPhone(service, NARROW);
    const lock = await withScreenLock(phone);
    await register(phone);
    await checkLooks(phone.page, 'registered-with-passkey');
    const identity = await identityOf(phone);
    const [key, ...others] = await keysOf(identity?.did);
    expect(others).toEqual([]);
    expect(identity?.attestationKeyId).toBe(key.id);
    const [passkey] = await lock.passkeys();
    expect(passkey?.isResidentCredential).toBe(true);
    expect(Buffer.from(passkey?.userHandle ?? '', 'base64').toString('latin1')).toMatch(/^p.{16}$/s);
    await home(phone);
    expect(await phone.page.getByText('Turn on this phone’s passkey').count()).toBe(0);
    expectClean(phone);
    await phone.close();
  });

  it('signs a sign-in only if the company asks for it [attestation/when-an-assertion-is-needed]', async () => {
    const phone = await openPhone(service, NARROW);
    await withScreenLock(phone);
    await register(phone);
    const sent = () => phone.bodies.filter((body) => body.includes('"clientMeta"')).length;
    await signIn(phone);
    expect(sent()).toBe(0);
    await requireAttestation(true);
    await signIn(phone);
    expect(sent()).toBe(1);
    await requireAttestation(false);
    const { body } = await service.call('GET', '/v1/audit?action=pairing.submit&limit=1', { as: adminKey });
    expect(body.audit[0]).toMatchObject({ status: 'success', metadata: { evidence: 'verified', level: 2 } });
    expectClean(phone);
    await phone.close();
  });

  it('signs what changes the identity after the service has asked for it, with the same proof [attestation/when-an-assertion-is-needed]', async () => {
    const phone = await openPhone(service, NARROW);
    await withScreenLock(phone);
    await register(phone);
    await requireAttestation(true);
    await openPhonesAndKey(phone.page);
    await phone.page.getByRole('button', { name: 'Change my key' }).click();
    await press(phone.page, 'Change key');
    await waitForHeading(phone.page, 'Key changed');
    await requireAttestation(false);
    const rotations = phone.bodies.map((body) => JSON.parse(body)).filter((body) => 'newProof' in body);
    expect(rotations.map((body) => 'attestation' in body)).toEqual([false, true]);
    expect(rotations[0].proof).toEqual(rotations[1].proof);
    await signIn(phone);
    expectClean(phone, /status of 400/);
    await phone.close();
  });

  it('that the company revoked is replaced by a new one, which “Your phones” offers [attestation/revoked-by-the-company]', async () => {
    const phone = await openPhone(service, NARROW);
    const { page } = phone;
    await withScreenLock(phone);
    await register(phone);
    const before = await identityOf(phone);
    const path = `/v1/attestation/keys/${before?.attestationKeyId}`;
    expect((await service.call('DELETE', path, { as: adminKey })).status).toBe(200);
    await requireAttestation(true);
    await phone.scanned((await openPairing(service, account.key)).qrPayload);
    await press(page, 'Approve');
    await page.getByText('If your company has revoked this phone’s passkey').waitFor();
    await openPhonesAndKey(page);
    await page.getByRole('button', { name: 'Your phones' }).click();
    await page.getByRole('heading', { name: 'Turn on this phone’s passkey' }).waitFor();
    await checkLooks(page, 'passkey-revoked');
    await press(page, 'Turn on');
    await waitForHeading(page, 'Turn on this phone’s passkey');
    await press(page, 'Turn on');
    await waitForHeading(page, 'Passkey turned on');
    const after = await identityOf(phone);
    expect(after?.attestationKeyId).not.toBe(before?.attestationKeyId);
    expect(after?.protection.credentialId).not.toBe(before?.protection.credentialId);
    await signIn(phone);
    await requireAttestation(false);
    expectClean(phone, /status of 401/);
    await phone.close();
  });

  it('that was deleted in the phone’s settings has lost the identity, and the page says so', async () => {
    const phone = await openPhone(service, NARROW);
    const { page } = phone;
    const lock = await withScreenLock(phone);
    await register(phone);
    await lock.deleteAll();
    const pairing = await openPairing(service, account.key);
    await phone.scanned(pairing.qrPayload);
    await press(page, 'Approve');
    await page.getByText('Then this identity is lost: remove it here').waitFor();
    await checkLooks(page, 'passkey-deleted');
    expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    expectClean(phone);
    await phone.close();
  });
});

describe('an identity without a screen lock', () => {
  it('registers and signs in without a passkey, and says what a company needs that asks for one', async () => {
    const phone = await openPhone(service, NARROW);
    await register(phone);
    expect(await keysOf((await identityOf(phone))?.did)).toEqual([]);
    await signIn(phone);
    await requireAttestation(true);
    const pairing = await openPairing(service, account.key);
    await phone.scanned(pairing.qrPayload);
    await press(phone.page, 'Approve');
    await phone.page.getByText('The company asks for this phone’s passkey.').waitFor();
    await requireAttestation(false);
    expectClean(phone);
    await phone.close();
  });
});

describe('an identity from before', () => {
  it('gets a passkey: a second copy of the secret takes the place of the first [attestation/passkey-of-the-phone-page]', async () => {
    const { phone, lock, identity } = await openOlderPhone();
    const { page } = phone;
    await page.getByRole('heading', { name: 'Turn on this phone’s passkey' }).waitFor();
    await checkLooks(page, 'passkey-card');
    await press(page, 'Turn on');
    await waitForHeading(page, 'Turn on this phone’s passkey');
    await checkLooks(page, 'passkey');
    await press(page, 'Turn on');
    await waitForHeading(page, 'Passkey turned on');
    await checkLooks(page, 'passkey-done');
    await press(page, 'Done');
    await waitForHeading(page, 'Your identities');
    expect(await page.getByText('Turn on this phone’s passkey').count()).toBe(0);
    const moved = await identityOf(phone);
    const [key] = await keysOf(identity?.did);
    expect(moved).toMatchObject({ did: identity?.did, commitment: identity?.commitment });
    expect(moved?.attestationKeyId).toBe(key.id);
    expect(moved?.successor).toBeUndefined();
    expect(moved?.protection.credentialId).not.toBe(identity?.protection.credentialId);
    // The page told the phone that the old one opens nothing any more.
    expect(await lock.passkeys()).toHaveLength(1);
    await requireAttestation(true);
    await signIn(phone);
    await requireAttestation(false);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('keeps the old copy while the phone does not know whether the service has the passkey, and tries again', async () => {
    const { phone, identity } = await openOlderPhone();
    const { page } = phone;
    await page.route('**/v1/attestation/keys', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press(page, 'Turn on');
    await press(page, 'Turn on');
    await page.getByText('The service did not respond.').waitFor();
    const between = await identityOf(phone);
    expect(between?.protection).toEqual(identity?.protection);
    expect(between?.successor).toBeDefined();
    const [key] = await keysOf(identity?.did);
    await signIn(phone);
    await page.unroute('**/v1/attestation/keys');
    await home(phone);
    await press(page, 'Turn on');
    await press(page, 'Turn on');
    await waitForHeading(page, 'Passkey turned on');
    expect((await identityOf(phone))?.attestationKeyId).toBe(key.id);
    expect(await keysOf(identity?.did)).toHaveLength(1);
    await signIn(phone);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('stays as it is if the service refuses the passkey', async () => {
    const { phone, lock, identity } = await openOlderPhone();
    const { page } = phone;
    await page.route('**/v1/attestation/keys', (route) =>
      route.fulfill({ status: 401, json: { error: 'attestation_refused', message: 'No.', requestId: 'r' } }),
    );
    await press(page, 'Turn on');
    await press(page, 'Turn on');
    await page.getByText('The service did not accept this phone’s passkey.').waitFor();
    expect(await identityOf(phone)).toEqual(identity);
    expect(await lock.passkeys()).toHaveLength(1);
    await signIn(phone);
    expectClean(phone, /ERR_FAILED|status of 401/);
    await phone.close();
  });
});
