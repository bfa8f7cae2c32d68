import type { Page } from 'playwright-core';
import { openWindow, type Window, type WindowOptions } from '../support/browser.js';
import type { putBeside } from '../support/phone-beside.js';
import type { PagesService } from '../support/service.js';

/** A window of the phone page that records every request body. */
export interface PhoneWindow extends Window {
  readonly bodies: string[];
  /** Opens the page as if it had scanned the text. */
  scanned(text: string): Promise<void>;
}

export async function openPhone(service: PagesService, options: WindowOptions = {}): Promise<PhoneWindow> {
  const window = await openWindow(service.origin, options);
  const bodies: string[] = [];
  window.context.on('request', (request) => {
    const body = request.postData();
    if (body !== null) bodies.push(body);
  });
  const scanned = async (text: string) => {
    // From another page, so that the phone page is loaded and doesn't only receive a new fragment.
    await window.page.goto('about:blank');
    await window.page.goto(`/phone/#code=${encodeURIComponent(text)}`);
  };
  return { ...window, bodies, scanned };
}

/** Types the number of a sign-in by touch, once the phone takes digits. The second digit approves. */
export async function typeNumber(page: Page, number: string): Promise<void> {
  for (const digit of number) await page.getByRole('button', { name: digit, exact: true }).click();
}

export type Passkey = NonNullable<Parameters<typeof putBeside>[1]>;

interface ScreenLock {
  reject(): Promise<unknown>;
  replace(): Promise<unknown>;
  /** The passkeys of this page, as the phone's settings list them. */
  passkeys(): Promise<readonly Passkey[]>;
  /** Deletes them, as a person can in the phone's settings. */
  deleteAll(): Promise<unknown>;
}

/**
 * Adds Chromium's virtual platform authenticator, which acts like a phone's screen lock. After a failed verification it stays
 * locked, like after too many attempts. `replace` then adds a new one.
 */
export async function withScreenLock(
  { context, page }: Window,
  { hasPrf = true, isUserVerified = true } = {},
): Promise<ScreenLock> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const add = async (isVerified: boolean) => {
    const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: isVerified, hasPrf };
    return cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', ...options },
    });
  };
  const { authenticatorId } = await add(isUserVerified);
  return {
    reject: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    deleteAll: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
    async replace() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      return add(true);
    },
  };
}

/** The contents of the phone's database, with bytes as hex and keys as their type and extractability. */
export const databaseOf = (page: Page) =>
  page.evaluate(`(async () => {
    const answer = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const plain = (value) => {
      if (value instanceof CryptoKey) return { key: value.type, extractable: value.extractable };
      if (value instanceof ArrayBuffer) return hex(new Uint8Array(value));
      if (ArrayBuffer.isView(value)) return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      if (value === null || typeof value !== 'object') return value;
      if (Array.isArray(value)) return value.map(plain);
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
    };
    const database = await answer(indexedDB.open('svc-phone'));
    const stores = {};
    for (const name of database.objectStoreNames)
      stores[name] = plain(await answer(database.transaction(name).objectStore(name).getAll()));
    database.close();
    return stores;
  })()`) as Promise<Record<'identities' | 'ceremonies' | 'joinings' | 'approvals' | 'settings', Stored[]>>;

export interface Stored {
  readonly did: string;
  readonly commitment: string;
  readonly confirmed: boolean;
  readonly inForceAt?: string;
  readonly protection: {
    readonly kind: string;
    readonly key?: { readonly extractable: boolean };
    readonly credentialId?: string;
    readonly creation?: object;
  };
  readonly attestationKeyId?: string;
  readonly successor?: object;
  readonly newBrowser?: object;
  readonly outcome?: string;
  readonly identity?: Stored;
  readonly enrolment?: { readonly userId: string };
  /** A new secret that is not known to be in force. */
  readonly renewal?: { readonly commitment: string };
}

/** Decrypts the secret of an identity without a screen lock, as a malicious script in the page could. */
export const stolenSecret = (page: Page) =>
  page.evaluate(`(async () => {
    const answer = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await answer(indexedDB.open('svc-phone'));
    const [{ did, secret, protection }] = await answer(database.transaction('identities').objectStore('identities').getAll());
    database.close();
    const additionalData = new TextEncoder().encode(did);
    const algorithm = { name: 'AES-GCM', iv: secret.iv, additionalData };
    const bytes = new Uint8Array(await crypto.subtle.decrypt(algorithm, protection.key, secret.bytes));
    const exported = await crypto.subtle.exportKey('raw', protection.key).catch((error) => error.name);
    return { hex: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''), exported };
  })()`) as Promise<{ readonly hex: string; readonly exported: string }>;

export const waitForServiceWorker = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ||
    new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))).then(() => true)`);
