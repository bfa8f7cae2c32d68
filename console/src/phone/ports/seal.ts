import type { Sealed } from '../vault/sealed';

const additionalData = (belongsTo: string) => new TextEncoder().encode(belongsTo);

/** Creates a key that scripts can use but not export. */
export const createKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

export async function seal(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  belongsTo: string,
): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: additionalData(belongsTo) };
  return { iv, bytes: await crypto.subtle.encrypt(algorithm, key, bytes) };
}

/** @throws DOMException `OperationError` if the key or the record is different, or the data was changed */
export async function unseal(
  key: CryptoKey,
  { iv, bytes }: Sealed,
  belongsTo: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'AES-GCM', iv, additionalData: additionalData(belongsTo) };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytes));
}
