/**
 * What this phone keeps, in the browser's own database. Secrets and keys lie there sealed (seal.ts); the codes of a begun
 * registration do not, as they are good for 15 minutes each and for that registration alone.
 */
const NAME = 'svc-phone';
/** Each store with the field that names its records. */
const STORES = { identities: 'id', ceremonies: 'sessionId', links: 'id' } as const;
type StoreName = keyof typeof STORES;

let opened: Promise<IDBDatabase> | undefined;
const forget = () => {
  opened = undefined;
};

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(STORES))
        request.result.createObjectStore(store, { keyPath });
    };
    request.onsuccess = () => {
      const database = request.result;
      // Its files were cleared, or another tab deletes it: whoever asks next opens it anew.
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
  return answer<T[]>(database.transaction(store).objectStore(store).getAll());
}

export async function read<T>(store: StoreName, key: string): Promise<T | undefined> {
  const database = await open();
  return answer<T | undefined>(database.transaction(store).objectStore(store).get(key));
}

/**
 * All of it or nothing; resolves when it is on the disk, as far as the browser tells. Work that looks first waits for nothing
 * but `answer`: the transaction lasts while something is asked of it.
 */
export async function change(
  stores: readonly StoreName[],
  work: (store: (name: StoreName) => IDBObjectStore) => unknown,
): Promise<void> {
  const database = await open();
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  await Promise.all([work((name) => transaction.objectStore(name)), done]);
}

export function answer<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error);
  });
}
