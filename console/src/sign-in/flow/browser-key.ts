/**
 * The key of this browser at one account and environment. It signs the steps of a sign-in, so that a copied cookie completes nothing,
 * and makes the browser known again. Its private part never leaves the browser. Without storage, there is none.
 */
export interface BrowserKey {
  readonly jwk: Jwk;
  /** ECDSA over SHA-256, in base64url. */
  sign(text: string): Promise<string>;
}

interface Jwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

interface Stored {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly jwk: Jwk;
}

const NAME = 'svc-sign-in';
const STORE = 'keys';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  const database = await resultOf(opening);
  try {
    return await work(database.transaction(STORE, mode).objectStore(STORE));
  } finally {
    database.close();
  }
}

const read = (id: string) => withStore('readonly', (store) => resultOf<Stored | undefined>(store.get(id)));

async function make(id: string): Promise<Stored> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign']);
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const made: Stored = { id, privateKey: pair.privateKey, jwk: { kty, crv, x, y } };
  // Another tab may have been faster. Both then use its key.
  return withStore('readwrite', async (store) => {
    const found = await resultOf<Stored | undefined>(store.get(id));
    if (found === undefined) await resultOf(store.add(made));
    return found ?? made;
  });
}

const encode = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export interface KeyScope {
  readonly tenantId: string;
  readonly environment: string;
}

const idOf = ({ tenantId, environment }: KeyScope) => `${tenantId}/${environment}`;

const usable = ({ privateKey, jwk }: Stored): BrowserKey => ({
  jwk,
  sign: async (text) =>
    encode(
      await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        new TextEncoder().encode(text),
      ),
    ),
});

/** The key, which is made if there is none. Undefined in a browser that can't store one. */
export async function openKey(scope: KeyScope): Promise<BrowserKey | undefined> {
  const id = idOf(scope);
  try {
    return usable((await read(id)) ?? (await make(id)));
  } catch {
    return undefined;
  }
}

export async function deleteKey(scope: KeyScope): Promise<void> {
  await withStore('readwrite', (store) => resultOf(store.delete(idOf(scope))));
}

/** The key, if there is one. */
export async function findKey(scope: KeyScope): Promise<BrowserKey | undefined> {
  try {
    const stored = await read(idOf(scope));
    return stored && usable(stored);
  } catch {
    return undefined;
  }
}
