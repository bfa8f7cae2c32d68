import { SvcError } from '../transport/errors.js';

/** @internal */
export function subtle(): typeof globalThis.crypto.subtle {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto.subtle;
  throw new SvcError(
    'invalid_options',
    'This page cannot compute hashes. Browsers allow that only on https and localhost. Open the page there.',
  );
}
