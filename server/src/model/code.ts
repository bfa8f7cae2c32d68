/** 0-9 and A-Z without 0, 1, I, L, O, U, and without the look-alikes of 8, 5 and 2 [devices/alphabet-of-codes]. */
const CODE_ALPHABET = '23456789ACDEFGHJKMNPQRTVWXY';

const LENGTH = 8;
const LOOK_ALIKES: Readonly<Record<string, string>> = { B: '8', S: '5', Z: '2' };
/** The largest multiple of the alphabet's size in a byte. Using larger bytes would favour the first symbols. */
const FAIR_BYTES = Math.floor(256 / CODE_ALPHABET.length) * CODE_ALPHABET.length;

/** A new code, `SV-XXXX-XXXX`, with equally likely symbols. */
export function drawCode(bytes: (size: number) => Uint8Array): string {
  let symbols = '';
  while (symbols.length < LENGTH) {
    for (const byte of bytes(2 * LENGTH)) {
      if (byte < FAIR_BYTES && symbols.length < LENGTH) symbols += CODE_ALPHABET[byte % CODE_ALPHABET.length];
    }
  }
  return `SV-${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/** Normalizes a typed code: case, dashes and spaces are ignored, and B, S and Z are read as 8, 5 and 2. */
export function normaliseCode(text: string): string | undefined {
  if (text.length > 64) return undefined;
  // Only ASCII letters: in other scripts there are letters with an ASCII capital.
  const plain = text.replace(/[-\s]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const symbols = plain.startsWith('SV') && plain.length === LENGTH + 2 ? plain.slice(2) : plain;
  const read = symbols.replace(/[BSZ]/g, (symbol) => LOOK_ALIKES[symbol] as string);
  if (read.length !== LENGTH || [...read].some((symbol) => !CODE_ALPHABET.includes(symbol))) return undefined;
  return `SV-${read.slice(0, 4)}-${read.slice(4)}`;
}
