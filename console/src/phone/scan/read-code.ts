import { type PairingCode, parseDeeplink, parsePairingCode, SvcError } from '@svc/sdk';
import { type LinkOffer, readLinkOffer } from '../link/links';
import type { PairLink } from '../register/ceremony';
import { SERVICE } from '../service';

/** What a code, a link, or an address of this page asks of the phone. */
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
    throw new SvcError('malformed_payload', 'This code enrols a device, and not a person. Scan it there.');
  if (link.step !== 'pair')
    throw new SvcError(
      'malformed_payload',
      'This is a later code of a registration, which this page needs none of. Scan the first one.',
    );
  return { kind: 'register', link };
}

/** An address of this page, as the dashboard shows it in its codes. */
function readAddress(text: string): Request {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.origin !== SERVICE)
    throw new SvcError(
      'foreign_code',
      `This code leads to ${address?.host || 'another place'}, and this phone speaks with ${location.host} alone. Do not open it.`,
    );
  const request = readFragment(address.hash);
  if (address.pathname.startsWith('/phone') && request) return request;
  throw new SvcError('malformed_payload', 'This address holds no code for a phone. Scan another one.');
}

/**
 * What the part of the address after `#` says: `#code=` as if it was scanned, or `#link=`. Undefined when it is neither.
 * @throws SvcError as `readCode`
 */
export function readFragment(fragment: string): Request | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = fields.get('code');
  if (code !== null && !/^https?:/i.test(code.trim())) return readCode(code);
  return fields.has('link') ? { kind: 'link', offer: readLinkOffer(fields) } : undefined;
}
