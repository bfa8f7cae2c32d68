import type { DeviceSigner } from '@svc/sdk';

/** The device that this browser is: its key, which can't be exported, and what it signs with it. */
export interface KeptDevice extends DeviceSigner {
  /** As the dashboard calls it. */
  readonly name: string;
}

const NAME = 'svc-desk';
const STORE = 'device';
/** A browser is one desk. */
const KEY = 'this';

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await resultOf(opening);
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

export const readDevice = (): Promise<KeptDevice | undefined> =>
  withStore('readonly', (store) => store.get(KEY));

export async function keepDevice(device: KeptDevice): Promise<void> {
  await withStore('readwrite', (store) => store.put(device, KEY));
  // Otherwise the browser may delete the key when it needs room.
  await navigator.storage?.persist?.().catch(() => false);
}

export const forgetDevice = (): Promise<void> => withStore('readwrite', (store) => store.delete(KEY));
