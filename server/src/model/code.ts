/** 0-9 and A-Z without 0, 1, I, L, O, U, and without the look-alikes of 8, 5 and 2 (DECISIONS §2). */
const CODE_ALPHABET = '23456789ACDEFGHJKMNPQRTVWXY';

const LENGTH = 8;
const LOOK_ALIKES: Readonly<Record<string, string>> = { B: '8', S: '5', Z: '2' };
/** The largest multiple of the alphabet's size in a byte: what lies above would favour the first letters. */
const FAIR_BYTES = Math.floor(256 / CODE_ALPHABET.length) * CODE_ALPHABET.length;

/** A fresh code, `SV-XXXX-XXXX`, every symbol equally likely. */
export function drawCode(bytes: (size: number) => Uint8Array): string {
  let symbols = '';
  while (symbols.length < LENGTH) {
    for (const byte of bytes(2 * LENGTH)) {
      if (byte < FAIR_BYTES && symbols.length < LENGTH) symbols += CODE_ALPHABET[byte % CODE_ALPHABET.length];
    }
  }
  return `SV-${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/** The code that somebody typed: case, dashes and spaces do not matter, B, S and Z are 8, 5 and 2. */
export function normaliseCode(text: string): string | undefined {
  if (text.length > 64) return undefined;
  // ASCII letters alone: other scripts have letters whose capital is one of ours.
  const plain = text.replace(/[-\s]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const symbols = plain.startsWith('SV') && plain.length === LENGTH + 2 ? plain.slice(2) : plain;
  const read = symbols.replace(/[BSZ]/g, (symbol) => LOOK_ALIKES[symbol] as string);
  if (read.length !== LENGTH || [...read].some((symbol) => !CODE_ALPHABET.includes(symbol))) return undefined;
  return `SV-${read.slice(0, 4)}-${read.slice(4)}`;
}
