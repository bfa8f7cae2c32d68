import { textFault } from './text.js';
import { isAllowed, isMark, isSpace, normalized } from './unicode.js';

const NAME = { max: 200 };
const SPACE = 0x20;

/**
 * A name as a statement may have it, of at most 200 characters. The names of accounts, people and devices may have characters that a
 * statement must not have: they are left out, or written in another way. Returns `otherwise` if nothing is left that may be shown.
 * docs/proofs.md has the steps, for other languages.
 */
export function shownName(name: string, otherwise: string): string {
  const allowed = normalized(Array.from(name).flatMap(codesOf)).filter(isAllowed);
  const codes = normalized(allowed).map((code) => (isSpace(code) ? SPACE : code));
  const single = codes.filter((code, at) => code !== SPACE || codes[at - 1] !== SPACE);
  const first = single.findIndex((code) => code !== SPACE && !isMark(code));
  const cut = first === -1 ? [] : single.slice(first, first + NAME.max);
  const shown = String.fromCodePoint(...(cut.at(-1) === SPACE ? cut.slice(0, -1) : cut));
  return textFault(shown, NAME) === undefined ? shown : otherwise;
}

/** Some characters are others in Normalization Form C, such as U+212B, which is Å. The table of unicode.ts does not have them. */
function codesOf(character: string): number[] {
  const code = character.codePointAt(0) as number;
  if (isAllowed(code)) return [code];
  return Array.from(character.normalize('NFC'), (each) => each.codePointAt(0) as number);
}
