import { type PairingCode, parseDeeplink, parsePairingCode, SvcError } from '@svc/sdk';
import { type LinkOffer, readLinkOffer } from '../link/links';
import type { PairLink } from '../register/ceremony';
import { SERVICE } from '../service';

export type Request =
  | { readonly kind: 'register'; readonly link: PairLink }
  | { readonly kind: 'pair'; readonly text: string; readonly code: PairingCode }
  | { readonly kind: 'link'; readonly offer: LinkOffer };

/** @throws SvcError `malformed_payload`, `foreign_code` */
export function readCode(scanned: string): Request {
  const text = scanned.trim();
  if (text.startsWith('za:pair:')) return { kind: 'pair', text, code: parsePairingCode(text) };
  if (/^https?:/i.test(text)) return readAddress(text);
  const link = parseDeeplink(text);
  if (link.kind === 'enroll')
    throw new SvcError(
      'malformed_payload',
      'This code enrolls a device, not a person. Scan it on the device.',
    );
  if (link.step !== 'pair')
    throw new SvcError(
      'malformed_payload',
      'This is a later code of a registration, which this page doesn’t need. Scan the first code.',
    );
  return { kind: 'register', link };
}

function readAddress(text: string): Request {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.origin !== SERVICE)
    throw new SvcError(
      'foreign_code',
      `This code belongs to ${address?.host || 'another service'}. This phone works only with ${location.host}. Do not open it.`,
    );
  const request = readFragment(address.hash);
  if (address.pathname.startsWith('/phone') && request) return request;
  throw new SvcError('malformed_payload', 'This address contains no code for a phone. Scan another one.');
}

/**
 * Reads the part of the address after `#`: `#code=` as if the code was scanned, or `#link=`. Returns undefined for anything else.
 * @throws SvcError as `readCode`
 */
export function readFragment(fragment: string): Request | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = fields.get('code');
  if (code !== null && !/^https?:/i.test(code.trim())) return readCode(code);
  return fields.has('link') ? { kind: 'link', offer: readLinkOffer(fields) } : undefined;
}
