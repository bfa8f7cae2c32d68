import { SvcError } from '../transport/errors.js';

/** @internal The hex SHA-256 of a text. */
export const sha256Hex = async (text: string): Promise<string> =>
  toHex(await digest(new TextEncoder().encode(text)));

/** @internal SHA-256. */
export const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await subtle().digest('SHA-256', bytes));

/** @internal */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @internal */
export function subtle(): typeof globalThis.crypto.subtle {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto.subtle;
  throw new SvcError(
    'invalid_options',
    'This page cannot compute hashes. Browsers allow that only on https and localhost. Open the page there.',
  );
}
