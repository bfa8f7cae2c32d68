/**
 * The phone's data, in IndexedDB. Secrets and keys are encrypted (seal.ts). The codes of a registration or an addition in progress
 * are not, because each is valid for only a few minutes and for that one. The history, the settings and the kept working
 * time contain no secret.
 */
const NAME = 'svc-phone';
const STORES = {
  identities: 'id',
  ceremonies: 'sessionId',
  joinings: 'code',
  approvals: 'id',
  settings: 'id',
  time: 'id',
} as const;
/** Increase it with each change of the stores. */
const VERSION = 5;
type StoreName = keyof typeof STORES;
/** A store of the current transaction. */
export type Store = (name: StoreName) => IDBObjectStore;

let opened: Promise<IDBDatabase> | undefined;
const forget = () => {
  opened = undefined;
};

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const { objectStoreNames } = request.result;
      // Until version 2: API keys of companies, which phones no longer need.
      if (objectStoreNames.contains('links')) request.result.deleteObjectStore('links');
      for (const [store, keyPath] of Object.entries(STORES))
        if (!objectStoreNames.contains(store)) request.result.createObjectStore(store, { keyPath });
    };
    request.onsuccess = () => {
      const database = request.result;
      // The data was cleared or another tab deletes the database, so the next access opens it again.
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
    request.onerror = () => {
      forget();
      reject(request.error);
    };
  });
  return opened;
}

export async function readAll<T>(store: StoreName): Promise<T[]> {
  const database = await open();
  return resultOf<T[]>(database.transaction(store).objectStore(store).getAll());
}

export async function read<T>(store: StoreName, key: string): Promise<T | undefined> {
  const database = await open();
  return resultOf<T | undefined>(database.transaction(store).objectStore(store).get(key));
}

/**
 * Runs `work` in one transaction and resolves when the browser reports it durable. `work` may await only `resultOf`, because
 * IndexedDB commits a transaction as soon as it has no pending request.
 */
export async function change(stores: readonly StoreName[], work: (store: Store) => unknown): Promise<void> {
  const database = await open();
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  await Promise.all([work((name) => transaction.objectStore(name)), done]);
}

export function resultOf<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error);
  });
}
