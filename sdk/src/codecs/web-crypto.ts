import { SvcError } from '../transport/errors.js';

/** @internal The hex SHA-256 of a text. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = new Uint8Array(await subtle().digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @internal */
export function subtle(): typeof globalThis.crypto.subtle {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto.subtle;
  throw new SvcError(
    'invalid_options',
    'This page cannot compute hashes. Browsers allow that only on https and localhost. Open the page there.',
  );
}
