/** A file’s text, and whether its characters are a guess, which the page shows. */
export interface Decoded {
  readonly text: string;
  readonly isGuess: boolean;
}

/** Undefined if the bytes are not valid. A byte order mark is no part of the text. */
function strictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The characters of the bytes 80 to 9F. Five of them have none. */
const WINDOWS_1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const AT_ONCE = 8192;

/** Not by `TextDecoder`, which reads these bytes in another way in Node. */
function asWindows1252(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return text.replaceAll(/[\u0080-\u009f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** No text has these: the bytes are in another encoding, or no text at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/;

/** A byte that continues a character of UTF-8, read as Windows-1252. */
const NEXT = '[\u00a0-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

/** What Western names do not have, and text in other encodings does if it is read as Windows-1252. */
const IMPLAUSIBLE = [
  // UTF-8 with an invalid byte somewhere else.
  new RegExp(`[\u00c2-\u00df]${NEXT}|[\u00e0-\u00ef]${NEXT}{2}|[\u00f0-\u00f4]${NEXT}{3}`),
  // Cyrillic, Greek, Chinese or Japanese: words of such characters alone.
  /[\u00a1-\u024f€‚ƒ„…†‡ˆ‰‹‘’“”•–—˜™›]{3}/,
  // DOS and older Macs have letters where this has signs and capital letters.
  /\p{L}[€‚ƒ„…†‡ˆ‰‹“”•–—˜™›\u00a1-\u00a9\u00ab-\u00b4\u00b6\u00b8\u00b9\u00bb-\u00bf×÷]\p{L}/u,
  /\p{Ll}[ŠŒŽŸÀ-ÖØ-Þ]/u,
  /\p{L}[ŠŒŽŸ]\p{Ll}/u,
];

/**
 * The text of a file: UTF-8, or UTF-16 with a byte order mark, or else Windows-1252, in which Excel saves a CSV, if it can be that.
 * Undefined for everything else, which would be stored as wrong names.
 */
export function decode(bytes: Uint8Array): Decoded | undefined {
  const [first, second] = bytes;
  const wide =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  const text = strictly(wide ?? 'utf-8', bytes);
  // Zeros are in UTF-16 without a byte order mark.
  if (text !== undefined) return text.includes('\0') ? undefined : { text, isGuess: false };
  if (wide) return undefined;
  const guessed = asWindows1252(bytes);
  if (CONTROL.test(guessed)) return undefined;
  return IMPLAUSIBLE.some((sign) => sign.test(guessed)) ? undefined : { text: guessed, isGuess: true };
}
