/** A text or secret under AES-GCM. What it belongs to is sealed with it: moved to another record, it does not open. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

const additionalData = (belongsTo: string) => new TextEncoder().encode(belongsTo);

/** A key that no script can read; the browser keeps it and lends its use. */
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

/** @throws DOMException `OperationError` when the key is another one, or what is sealed was altered */
export async function unseal(
  key: CryptoKey,
  { iv, bytes }: Sealed,
  belongsTo: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'AES-GCM', iv, additionalData: additionalData(belongsTo) };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytes));
}
