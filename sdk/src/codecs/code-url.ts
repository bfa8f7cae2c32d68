import { readAddress } from './address.js';
import { fromBase64url } from './base64url.js';

/** A code as the service returns it. A server of an earlier version returns no `url`. */
export type CodeToShow = { readonly url?: string } & (
  | { readonly qrPayload: string }
  | { readonly deeplink: string }
);

/**
 * The text of the QR code to show: with https the address of the code, which any camera opens, otherwise the code itself.
 * `svc.pairing`, `registrations.create` and `phone.additions.open` return such codes.
 */
export function qrTextOf(code: CodeToShow): string {
  if (code.url?.startsWith('https://')) return code.url;
  return 'qrPayload' in code ? code.qrPayload : code.deeplink;
}

/** Longer than the address of the longest code. */
const MAX_CHARACTERS = 4096;
const ADDRESS = /^(https?:\/\/[^\s/\\@?#]+)\/phone\/?#(\S*)$/i;
const SHORT = /^c=([\w-]{22})\.(?:(0|[1-9]\d{0,11})\.([\w-]{16})|(SV-[\dA-Z]{4}-[\dA-Z]{4}))$/;

/** What a QR code contains: the text of a code, and the origin of its address if it is one. */
interface ScannedCode {
  readonly text: string;
  readonly origin?: string;
}

/** The address of a pairing's code. It says neither account nor nonce: the phone asks for those where it is registered. */
export interface ShortCode {
  /** Of the service. */
  readonly origin: string;
  readonly sessionId: string;
  readonly scan: { readonly slot: number; readonly slotMac: string };
}

/**
 * Takes the code out of the address of a phone page: `<origin>/phone/#code=<text>`, `#c=<id>.<code>` of a registration, `#add=<code>` or
 * `#za:pair:…`. Returns any other text as it is, and undefined for another address.
 * @internal
 */
export function unwrapCode(scanned: string): ScannedCode | undefined {
  if (typeof scanned !== 'string' || scanned.length > MAX_CHARACTERS) return undefined;
  if (!/^https?:/i.test(scanned)) return { text: scanned };
  const [, address = '', fragment = ''] = ADDRESS.exec(scanned) ?? [];
  const text = textIn(fragment);
  const origin = readAddress(address)?.origin;
  return origin !== undefined && text !== undefined ? { text, origin } : undefined;
}

/** Reads the address of a pairing's code. Returns undefined for any other text. */
export function readShortCode(scanned: string): ShortCode | undefined {
  const [, address = '', fragment = ''] =
    scanned.length > MAX_CHARACTERS ? [] : (ADDRESS.exec(scanned) ?? []);
  const [, id = '', slot, slotMac] = SHORT.exec(fragment) ?? [];
  const [origin, sessionId] = [readAddress(address)?.origin, uuidOf(id)];
  if (origin === undefined || sessionId === undefined || slotMac === undefined) return undefined;
  return { origin, sessionId, scan: { slot: Number(slot), slotMac } };
}

/** A UUID from its 22 characters of base64url. */
function uuidOf(short: string): string | undefined {
  const bytes = fromBase64url(short);
  if (bytes?.length !== 16) return undefined;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function textIn(fragment: string): string | undefined {
  if (fragment.startsWith('za:pair:')) return fragment;
  const [, id = '', , , first] = SHORT.exec(fragment) ?? [];
  if (first !== undefined) return `svc://reg?step=pair&session=${uuidOf(id)}&code=${first}`;
  const [, name, value = ''] = /^(code|add)=([^&]+)$/.exec(fragment) ?? [];
  try {
    const text = decodeURIComponent(value);
    if (name === 'add') return `svc://add?code=${encodeURIComponent(text)}`;
    return name === 'code' ? text : undefined;
  } catch {
    return undefined;
  }
}
