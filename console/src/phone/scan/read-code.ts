import { type PairingCode, parseDeeplink, parsePairingCode } from '@svc/sdk';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import type { PairLink } from '../register/ceremony';
import { SERVICE } from '../service';

export type Request =
  | { readonly kind: 'register'; readonly link: PairLink }
  | { readonly kind: 'pair'; readonly text: string; readonly code: PairingCode };

/** @throws SvcError `malformed_payload`, `foreign_code` */
export function readCode(scanned: string): Request {
  const text = scanned.trim();
  if (text.startsWith('za:pair:')) return { kind: 'pair', text, code: parsePairingCode(text) };
  if (/^https?:/i.test(text)) return readAddress(text);
  const link = parseDeeplink(text);
  if (link.kind === 'enroll') throw new PhoneError('malformed_payload', t.errors.enrollsDevice);
  if (link.step !== 'pair') throw new PhoneError('malformed_payload', t.errors.laterCode);
  return { kind: 'register', link };
}

function readAddress(text: string): Request {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.origin !== SERVICE)
    throw new PhoneError(
      'foreign_code',
      t.errors.foreignAddress(address?.host || t.errors.anotherService, location.host),
    );
  const request = readFragment(address.hash);
  if (address.pathname.startsWith('/phone') && request) return request;
  throw new PhoneError('malformed_payload', t.errors.addressWithoutCode);
}

/**
 * Reads the part of the address after `#` as if the code in it was scanned: `#code=<code>`, or the code of a sign-in itself,
 * `#za:pair:…`, to which a sign-in page on this phone links. Returns undefined for anything else.
 * @throws SvcError as `readCode`
 */
export function readFragment(fragment: string): Request | undefined {
  const text = fragment.replace(/^#/, '');
  if (text.startsWith('za:pair:')) return readCode(text);
  const code = new URLSearchParams(text).get('code');
  return code === null || /^https?:/i.test(code.trim()) ? undefined : readCode(code);
}
