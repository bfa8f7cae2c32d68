/** The characters of the bytes 0x80 to 0x9f. Five of them are in no use, and have a space here. */
const UPPER_CONTROLS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const BYTES: ReadonlyMap<string, string> = new Map(
  [...UPPER_CONTROLS]
    .map((character, index): [string, string] => [character, String.fromCharCode(0x80 + index)])
    .filter(([character]) => character !== ' '),
);

/** In all other places, Windows-1252 is the same as Latin-1. */
const NOT_LATIN_1 = /[^\0-\x7f\xa0-\xff]/gu;

/** The text in Windows-1252. Each character that it doesn't have becomes one `?`. */
export const asWindows1252 = (text: string): Buffer =>
  Buffer.from(
    text.replace(NOT_LATIN_1, (character) => BYTES.get(character) ?? '?'),
    'latin1',
  );
