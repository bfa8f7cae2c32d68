// @module-tag if-touched @pages console/src/phone/register/ console/src/phone/install/ console/src/phone/language/ console/src/phone/parts/ console/src/phone/history/ console/src/phone/ports/ console/src/phone/sw.js console/src/phone/scan/ console/src/phone/phone.tsx: rare cases of what the quick suite does once
import { poseidon2 } from '@svc/zk/poseidon';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { openPairing, poll } from '../../../server/test/support/pairing.js';
import { hostileFiles } from '../../../zk/test/support/hostile-circuit.js';
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
} from './phone-desk.js';
import {
  databaseOf,
  openPhone,
  type PhoneWindow,
  stolenSecret,
  waitForServiceWorker,
  withScreenLock,
} from './phone-window.js';

startPhoneService();

/** Registers, but replaces the service's successful response by a 503. The retry can't tell whether it succeeded either. */
async function loseLastResponse({ page, scanned }: Pick<PhoneWindow, 'page' | 'scanned'>): Promise<void> {
  const { id, deeplink } = await openDesk();
  await scanned(deeplink);
  await page.route('**/v1/registrations/complete', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 503, json: { error: 'service_unavailable', message: 'Try again.' } });
  });
  await press(page, 'Continue');
  await press(page, 'Register');
  await page.getByText('The service is temporarily unavailable.').waitFor();
  await page.unroute('**/v1/registrations/complete');
  await press(page, 'Try again');
  await page.getByText('The identity is kept').waitFor();
  expect(await stateAtDesk(id)).toBe('completed');
}

const MARK_UNCONFIRMED = `new Promise((resolve) => {
  indexedDB.open('svc-phone').onsuccess = ({ target: { result: database } }) => {
    const change = database.transaction('identities', 'readwrite');
    const store = change.objectStore('identities');
    store.getAll().onsuccess = ({ target: { result: [identity] } }) => store.put({ ...identity, confirmed: false });
    change.oncomplete = () => resolve(database.close());
  };
})`;

const POISON_CACHE = `(async ([wasm, zkey]) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const bytes = url.includes('.wasm') ? wasm : url.includes('.zkey') ? zkey : undefined;
      if (bytes) await cache.put(url, new Response(Uint8Array.from(bytes)));
    }
  }
})`;

const FORGET_NAME = `new Promise((resolve) => {
  indexedDB.open('svc-phone').onsuccess = ({ target: { result: database } }) => {
    const change = database.transaction('ceremonies', 'readwrite');
    const store = change.objectStore('ceremonies');
    store.getAll().onsuccess = ({ target: { result: [{ companyName, ...older }] } }) => store.put(older);
    change.oncomplete = () => resolve(database.close());
  };
})`;

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('the phone page', () => {
  it('shows the account and its environment before creating an identity, whatever the account’s name', async () => {
    const companyName = `\u202e<b>Example</b>\u0007 ${'عبد الله '.repeat(15)}`;
    const other = await service.signUp();
    // Accounts from before could have such a name.
    await service.db.query(
      sql`update tenants set company_name = ${companyName} where id = ${other.tenantId}`,
    );
    const phone = await openPhone(service);
    const { page } = phone;
    await phone.scanned((await openDesk(await service.createKey(other, 'test', ['users:write']))).deeplink);
    await press(page, 'Continue');
    await waitForHeading(page, 'Register with this company?');
    const name = page.locator('bdi').first();
    expect(await name.textContent()).toMatch(/^<b>Example<\/b> .{65}…$/u);
    await page.getByText('test', { exact: true }).waitFor();
    await checkLooks(page, 'confirm-long-name');
    const { identities, ceremonies } = await databaseOf(page);
    expect([identities, ceremonies[0]?.identity]).toEqual([[], undefined]);
    expect(phone.bodies.join()).not.toContain('commitment');
    // A registration started by an older version of this page has only the account's ID.
    await page.evaluate(FORGET_NAME);
    await page.goto('/phone/');
    await page.getByText(`…${other.tenantId.slice(-8)}`).waitFor();
    expectClean(phone);
    await phone.close();
  });

  it('encrypts the secret without a screen lock with a key that no script can read', async () => {
    const phone = await openPhone(service);
    // A browser that asks the person, who does not respond.
    await phone.page.addInitScript(
      'if (navigator.storage) navigator.storage.persist = () => new Promise(() => {})',
    );
    await register(phone);
    const stored = await databaseOf(phone.page);
    const { hex, exported } = await stolenSecret(phone.page);
    const [secret, salt] = [hex.slice(0, 62), hex.slice(62)] as const;
    const commitment = poseidon2(BigInt(`0x${secret}`), BigInt(`0x${salt}`))
      .toString(16)
      .padStart(64, '0');
    expect(stored.identities).toHaveLength(1);
    expect(stored.identities[0]).toMatchObject({
      commitment,
      confirmed: true,
      protection: { kind: 'browser', key: { key: 'secret', extractable: false } },
    });
    expect(stored.ceremonies).toEqual([]);
    expect(exported).toBe('InvalidAccessError');
    for (const part of [secret, salt])
      for (const form of [part, BigInt(`0x${part}`).toString()])
        expect(JSON.stringify(stored)).not.toContain(form);
    await press(phone.page, 'Done');
    await phone.page.getByText('Details', { exact: true }).click();
    await phone.page.getByText('a key stored by this browser, without a screen lock').waitFor();
    expectClean(phone);
    await phone.close();
  });

  it('rejects changed circuit files from the network and from its own cache', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    await waitForServiceWorker(page);
    const { wasm, zkey } = await hostileFiles();
    await page.evaluate(`${POISON_CACHE}(${JSON.stringify([[...wasm], [...zkey]])})`);
    const expectRejected = async () => {
      const pairing = await openPairing(service, account.key);
      await phone.scanned(pairing.qrPayload);
      await press(page, 'Approve');
      await page.getByText('The service sent proving files that this page doesn’t know.').waitFor();
      expect((await poll(service, account.key, pairing)).body.session.state).toBe('issued');
    };
    await expectRejected();

    await page.evaluate(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))`,
    );
    for (const [kind, body] of Object.entries({ wasm, zkey }))
      await phone.context.route(`**/zk/**/identity_proof.${kind}*`, (route) =>
        route.fulfill({ status: 200, body: Buffer.from(body) }),
      );
    await expectRejected();
    expect(phone.bodies.filter((body) => body.includes('publicSignals'))).toEqual([]);
    expectClean(phone);
    await phone.close();
  });

  it('creates no identity while the phone is not unlocked', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const lock = await withScreenLock(phone, { isUserVerified: false });
    const desk = await openDesk();
    await phone.scanned(desk.deeplink);
    await press(page, 'Continue');
    await page.getByText('Your fingerprint, face or screen lock protects the identity.').waitFor();
    await press(page, 'Register');
    await page.getByText('The phone was not unlocked').waitFor();
    await checkLooks(page, 'not-unlocked');
    expect(await stateAtDesk(desk.id)).toBe('awaiting_commitment');
    await lock.replace();
    await press(page, 'Try again');
    await waitForHeading(page, 'Registered');
    expect((await databaseOf(page)).identities).toHaveLength(1);
    expectClean(phone);
    await phone.close();
  });

  it('never uses a weaker protection than it announced unless the person agrees', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await withScreenLock(phone, { hasPrf: false });
    await phone.scanned((await openDesk()).deeplink);
    await press(page, 'Continue');
    await press(page, 'Register');
    await page.getByText('can’t protect a secret for a web page').waitFor();
    expect((await databaseOf(page)).identities).toEqual([]);
    await press(page, 'Store it without a screen lock');
    await waitForHeading(page, 'Registered');
    expect((await databaseOf(page)).identities[0]?.protection.kind).toBe('browser');
    expectClean(phone);
    await phone.close();
  });

  it('explains what to do for every code that it rejects', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    const pairing = await openPairing(service, account.key);
    const expectRejected = async (text: string, sentence: string | RegExp, name?: string) => {
      await phone.scanned(text);
      await page.getByText(sentence).waitFor();
      if (name) await checkLooks(page, name);
    };
    await expectRejected(pairing.qrPayload, 'This browser has no identity.');
    await expectRejected('svc://reg?step=pair', 'This is not a code for this phone.');
    await expectRejected('svc://enroll?code=SV-2345-6789', 'This code enrolls a device');
    await register(phone);

    const field = (at: number, value: string) => pairing.qrPayload.split(':').with(at, value).join(':');
    const elsewhere = Buffer.from('https://evil.example').toString('base64url');
    await expectRejected(
      field(8, elsewhere),
      'This code belongs to another service (https://evil.example)',
      'foreign',
    );
    await expectRejected(
      field(6, '0196c5a7-1111-7000-8000-0123456789ab'),
      'This code belongs to another company',
    );
    await expectRejected(field(7, 'test'), 'This code is for testing');
    await expectRejected(field(5, '1700000000'), 'This code has expired.');
    await expectRejected(
      field(3, '0196c5a7-1111-7000-8000-0123456789ab'),
      'This code has expired or was already used.',
    );
    expect(phone.bodies.filter((body) => body.includes('publicSignals'))).toEqual([]);

    await phone.scanned(pairing.qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    await expectRejected(pairing.qrPayload, 'This code was already used');

    await press(page, 'Back');
    await page.getByText('Details', { exact: true }).click();
    await press(page, 'Remove');
    await page.getByText('This deletes its secret, which exists only on this phone.').waitFor();
    await checkLooks(page, 'remove');
    await press(page, 'Remove it');
    await waitForHeading(page, 'No identity yet');
    expect(await databaseOf(page)).toEqual({
      identities: [],
      ceremonies: [],
      joinings: [],
      approvals: [],
      settings: [],
      time: [],
    });
    expectClean(phone, /status of (404|409)/);
    await phone.close();
  });

  it('keeps an identity if the last response of its registration was lost, and deletes one that can’t be registered any more', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await loseLastResponse(phone);
    await checkLooks(page, 'unconfirmed');
    expect((await databaseOf(page)).identities).toMatchObject([{ confirmed: false }]);
    await page.goto('/phone/');
    await page.getByText('The last response of this registration was lost.').waitFor();
    await phone.scanned((await openPairing(service, account.key)).qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    const [first] = (await databaseOf(page)).identities;
    expect(first?.confirmed).toBe(true);

    // Revoked and registered again: the sign-in finds which of the two the service knows.
    const did = String(first?.did);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } });
    await loseLastResponse(phone);
    expect((await databaseOf(page)).identities).toHaveLength(2);
    await phone.scanned((await openPairing(service, account.key)).qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    const [kept, ...others] = (await databaseOf(page)).identities;
    expect(kept).toMatchObject({ confirmed: true });
    expect([kept?.did === did, others]).toEqual([false, []]);

    const ended = await openDesk();
    await phone.scanned(ended.deeplink);
    await press(page, 'Continue');
    await page.getByText('This phone already has an identity for this company.').waitFor();
    await service.call('DELETE', `/v1/registrations/${ended.id}`, { as: account.key });
    await press(page, 'Register');
    await page.getByText('Nothing was registered.').waitFor();
    await checkLooks(page, 'failed');
    const stored = await databaseOf(page);
    expect(stored.ceremonies).toEqual([]);
    expect(stored.identities.map(({ did }) => did)).toEqual([kept?.did]);
    expectClean(phone, /status of (401|404|503)/);
    await phone.close();
  });

  it('keeps the working identity until a new one is confirmed', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await register(phone);
    const [works] = (await databaseOf(page)).identities;
    const desk = await openDesk();
    await page.route('**/v1/registrations/complete', (route) => route.abort());
    await phone.scanned(desk.deeplink);
    await press(page, 'Continue');
    await press(page, 'Register');
    await page.getByText('The service did not respond.').waitFor();
    await service.call('DELETE', `/v1/registrations/${desk.id}`, { as: account.key });
    await page.unroute('**/v1/registrations/complete');
    await press(page, 'Finish later');
    await page.getByText('The last response never arrived').waitFor();
    await checkLooks(page, 'unanswered');
    await press(page, 'Discard this registration');
    await page.getByRole('dialog').getByText('It may already be registered').waitFor();
    await checkLooks(page, 'discard');
    await press(page, 'Cancel');
    await press(page, 'Resume registration');
    await press(page, 'Register');
    await page.getByText('The identity is kept').waitFor();
    const unknown = (await databaseOf(page)).identities;
    expect(unknown).toHaveLength(2);
    expect(unknown).toContainEqual(works);
    await press(page, 'Back');
    await page.getByText('The older identity is kept until then.').waitFor();
    await checkLooks(page, 'two-identities');
    await phone.scanned((await openPairing(service, account.key)).qrPayload);
    await press(page, 'Approve');
    await waitForHeading(page, 'Signed in');
    expect((await databaseOf(page)).identities).toEqual(unknown);

    await register(phone);
    const replaced = (await databaseOf(page)).identities;
    expect(replaced).toMatchObject([{ confirmed: true }]);
    expect(unknown.map(({ did }) => did)).not.toContain(replaced[0]?.did);
    expectClean(phone, /ERR_FAILED|status of 404/);
    await phone.close();
  });

  it('cancels an approval until it is sent, and explains what may have happened afterwards', async () => {
    const phone = await openPhone(service);
    const { page, context } = phone;
    await register(phone);
    const pairing = await openPairing(service, account.key);
    const stateAtDesktop = async () => (await poll(service, account.key, pairing)).body.session.state;
    // A click in the first moment was meant for the previous screen and must be ignored.
    await page.addInitScript(`let seen = false;
      new MutationObserver(() => {
        const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Approve');
        if (found && !seen) { seen = true; found.click(); }
      }).observe(document, { childList: true, subtree: true })`);
    await phone.scanned(pairing.qrPayload);
    await waitForHeading(page, 'Approve this sign-in?');
    expect(await page.getByRole('progressbar').count()).toBe(0);
    const sent = deferred();
    await page.route('**/submit', (route) => sent.promise.then(() => route.continue()).catch(() => {}));
    const requested = page.waitForRequest('**/submit');
    await press(page, 'Approve');
    await requested;
    const aborted = page.waitForEvent('requestfailed', { timeout: 5_000 });
    await press(page, 'Cancel');
    await waitForHeading(page, 'Check the other screen');
    await aborted;
    sent.resolve();
    await checkLooks(page, 'cancelled');
    expect(await stateAtDesktop()).toBe('issued');
    await page.unroute('**/submit');

    // The identity is removed in another tab during its sign-in.
    await page.evaluate(MARK_UNCONFIRMED);
    const released = deferred();
    await page.route('**/submit', async (route) => {
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    await phone.scanned(pairing.qrPayload);
    const submitted = page.waitForRequest('**/submit');
    await press(page, 'Approve');
    await submitted;
    const otherTab = await context.newPage();
    await otherTab.goto('/phone/');
    await otherTab.getByText('Details', { exact: true }).click();
    await press(otherTab, 'Remove');
    await press(otherTab, 'Remove it');
    await waitForHeading(otherTab, 'No identity yet');
    released.resolve();
    await waitForHeading(page, 'Signed in');
    expect((await databaseOf(page)).identities).toEqual([]);

    // The browser's data is cleared while the page is open.
    const cdp = await context.newCDPSession(page);
    await cdp.send('Storage.clearDataForOrigin', { origin: service.origin, storageTypes: 'indexeddb' });
    await press(page, 'Done');
    await waitForHeading(page, 'No identity yet');
    expectClean(phone);
    await phone.close();
  });

  it('deletes the companies’ API keys that older versions of the page stored', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.goto('/');
    await page.evaluate(`new Promise((resolve) => {
      const request = indexedDB.open('svc-phone', 2);
      request.onupgradeneeded = () => {
        for (const store of ['identities', 'links']) request.result.createObjectStore(store, { keyPath: 'id' });
        request.transaction.objectStore('links').put({ id: 'one' });
      };
      request.onsuccess = () => resolve(request.result.close());
    })`);
    await page.goto('/phone/');
    await waitForHeading(page, 'No identity yet');
    expect(Object.keys(await databaseOf(page))).toEqual([
      'approvals',
      'ceremonies',
      'identities',
      'joinings',
      'settings',
      'time',
    ]);
    expectClean(phone);
    await phone.close();
  });

  it('accepts a pasted code when there is no camera', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.goto('/phone/');
    await press(page, 'Scan a code');
    await page.getByText(/paste the code below/i).waitFor();
    await checkLooks(page, 'no-camera');
    await page.getByLabel('Or paste the code').fill('https://evil.example/phone/#code=svc');
    await press(page, 'Use code');
    await page.getByText('This code leads to evil.example').waitFor();
    await page.getByLabel('Or paste the code').fill((await openDesk()).deeplink);
    await press(page, 'Use code');
    await waitForHeading(page, 'Register this phone?');
    expectClean(phone);
    await phone.close();
  });

  it('accepts no code when the browser can’t store secrets, and explains what to do', async () => {
    const origin = service.origin.replace('localhost', 'phone.example');
    const switches = ['--host-resolver-rules=MAP phone.example 127.0.0.1'];
    const phone = await openPhone({ ...service, origin }, { switches });
    await phone.scanned((await openDesk()).deeplink);
    await phone.page.getByText('Open it with https.').waitFor();
    await expect(phone.page.getByRole('button').count()).resolves.toBe(0);
    await checkLooks(phone.page, 'insecure');
    expect(phone.bodies).toEqual([]);
    expectClean(phone, /Cross-Origin-Opener-Policy header has been ignored/);
    await phone.close();
  });
});
