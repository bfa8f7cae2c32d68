import { readAddress } from './address.js';

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

/** What a QR code contains: the text of a code, and the origin of its address if it is one. */
interface ScannedCode {
  readonly text: string;
  readonly origin?: string;
}

/**
 * Takes the code out of the address of a phone page: `<origin>/phone/#code=<text>`, `#add=<code>` or `#za:pair:…`. Returns any other
 * text as it is, and undefined for another address.
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

function textIn(fragment: string): string | undefined {
  if (fragment.startsWith('za:pair:')) return fragment;
  const [, name, value = ''] = /^(code|add)=([^&]+)$/.exec(fragment) ?? [];
  try {
    const text = decodeURIComponent(value);
    if (name === 'add') return `svc://add?code=${encodeURIComponent(text)}`;
    return name === 'code' ? text : undefined;
  } catch {
    return undefined;
  }
}
