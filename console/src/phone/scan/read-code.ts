import { parseDeeplink, parsePairingCode, readShortCode } from '@svc/sdk';
import type { RegistrationLink } from '@svc/sdk/phone';
import { PhoneError } from '../language/messages';
import { t } from '../language/strings';
import { SERVICE } from '../service';

export type Request =
  | { readonly kind: 'register'; readonly link: RegistrationLink }
  /** The whole code of a sign-in, or the address that names it. */
  | { readonly kind: 'pair'; readonly text: string; readonly sessionId: string }
  /** Another phone of the person shows this code, to add this one. */
  | { readonly kind: 'add'; readonly code: string }
  /** A recovery that the person may object to, by its ID. */
  | { readonly kind: 'recovery'; readonly id: string }
  /** A desk shows this code, to come and go, or a member of the team, to show which person they are. */
  | { readonly kind: 'attend' | 'member'; readonly code: string }
  /** An approval that waits for the person, by its ID. */
  | { readonly kind: 'approval'; readonly id: string };

/** As another phone shows it. It can be typed, because a registration's code alone opens nothing. */
const TYPED_CODE = /^SV-?[2-9A-Z]{4}-?[2-9A-Z]{4}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws SvcError `malformed_payload`, `foreign_code` */
export function readCode(scanned: string): Request {
  const text = scanned.trim();
  if (text.startsWith('za:pair:')) return { kind: 'pair', text, sessionId: parsePairingCode(text).sessionId };
  if (text.startsWith('svc://attend?')) return { kind: 'attend', code: text };
  if (text.startsWith('svc://member?')) return { kind: 'member', code: text };
  if (/^https?:/i.test(text)) return readAddress(text);
  if (TYPED_CODE.test(text)) return { kind: 'add', code: text.toUpperCase() };
  const link = parseDeeplink(text);
  if (link.kind === 'addition') return { kind: 'add', code: link.code };
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
  if (/^\/phone\/?$/.test(address.pathname) && request) return request;
  throw new PhoneError('malformed_payload', t.errors.addressWithoutCode);
}

/**
 * Reads the part of the address after `#` as if the code in it was scanned: `#code=<code>`, `#c=<id>.<code>`, `#add=<code>` of another phone,
 * `#recovery=<id>`, `#approval=<id>`, or the code of a sign-in itself, `#za:pair:…`, to which a sign-in page on this phone links. Returns undefined
 * for anything else.
 * @throws SvcError as `readCode`
 */
export function readFragment(fragment: string): Request | undefined {
  const text = fragment.replace(/^#/, '');
  if (text.startsWith('za:pair:')) return readCode(text);
  if (text.startsWith('c=')) return readShort(`${SERVICE}/phone/#${text}`);
  const fields = new URLSearchParams(text);
  const added = fields.get('add');
  if (added !== null) return readCode(added);
  const recovery = fields.get('recovery');
  if (recovery !== null) return { kind: 'recovery', id: readId(recovery) };
  const approval = fields.get('approval');
  if (approval !== null) return { kind: 'approval', id: readId(approval) };
  const code = fields.get('code');
  // An address within an address could hide where it leads.
  if (code !== null && /^\s*https?:/i.test(code))
    throw new PhoneError('malformed_payload', t.errors.addressWithoutCode);
  return code === null ? undefined : readCode(code);
}

/** The address of a sign-in's code, or of the first code of a registration. */
function readShort(address: string): Request {
  const pairing = readShortCode(address);
  if (pairing) return { kind: 'pair', text: address, sessionId: pairing.sessionId };
  const link = parseDeeplink(address);
  if (link.kind !== 'registration') throw new PhoneError('malformed_payload', t.errors.addressWithoutCode);
  return { kind: 'register', link };
}

function readId(id: string): string {
  if (UUID.test(id)) return id;
  throw new PhoneError('malformed_payload', t.errors.addressWithoutCode);
}
