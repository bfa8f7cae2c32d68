import { fail } from '../../../base/errors.js';
import { type BrowserKey, browserText, isSignedBy, type Step } from '../../browsers/browsers.js';
import type { PagePrincipal, PairingContext } from '../pairing.js';
import type { PairingRow } from '../pairing.store.js';

export type PageContext = PairingContext & { readonly principal: PagePrincipal };

/** The key that a session was opened with. Undefined if it was opened without one. */
const keyOf = (row: PairingRow): BrowserKey | undefined =>
  row.browser_key === null || row.browser_thumbprint === null
    ? undefined
    : { jwk: row.browser_key, thumbprint: row.browser_thumbprint };

/**
 * 401 unless the browser that opened the session takes the step. A copied cookie is not that browser, and a session without a key takes
 * none later.
 */
export function requireSignature(
  { scope, principal }: Pick<PageContext, 'scope' | 'principal'>,
  row: PairingRow,
  step: Exclude<Step, 'open'>,
  signature: string | undefined,
): BrowserKey | undefined {
  const key = keyOf(row);
  if (key === undefined && signature === undefined) return undefined;
  const text = browserText(step, scope, principal.slug, row.id, row.nonce);
  if (key === undefined || signature === undefined || !isSignedBy(key.jwk, text, signature))
    return fail('browser_signature_invalid', { because: step });
  return key;
}
