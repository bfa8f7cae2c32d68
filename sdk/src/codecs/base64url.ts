/** base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Decodes only the canonical form. Returns undefined for padding, other characters, and unused bits that are not 0. Not with `atob`, because
 * phones read codes in engines without it.
 */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let rest = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    rest = (rest << 6) | ALPHABET.indexOf(character);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = rest >> bits;
    rest &= (1 << bits) - 1;
  }
  return rest === 0 ? bytes : undefined;
}
