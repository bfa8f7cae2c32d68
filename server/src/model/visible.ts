/**
 * What nobody sees: control characters, bidi marks, line separators, what renderers ignore, the empty Braille pattern, the place of an
 * object and the null notehead. And overlays, below which nobody sees the letter.
 */
const INVISIBLE = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u0334-\u0338\u20d0-\u20f0`;
/** Scripts in which an invisible character joins letters or keeps them apart: that is spelling. */
const SCRIPTS = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
]
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan', 'Khmer', 'Myanmar'])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const LETTER = `(?![${INVISIBLE}])[${SCRIPTS}]`;
const PICTOGRAPH = String.raw`(?![${INVISIBLE}])\p{Extended_Pictographic}`;
/** A visible character, a joiner between two of those letters, or what makes a pictograph an emoji. */
const CHARACTER = String.raw`[^${INVISIBLE}]|(?<=${LETTER})[\u200c\u200d](?=${LETTER})|(?<=${PICTOGRAPH})\ufe0f`;
const CHARACTERS = new RegExp(CHARACTER, 'gu');

/** Text that can't deceive the person who reads it. No space at its ends, and no mark that would be drawn over what stands before it. */
export const VISIBLE = new RegExp(String.raw`^(?![\s\p{M}])(?:${CHARACTER})+(?<!\s)$`, 'u');
export const VISIBLE_RULE =
  'must have only visible characters, no space at its ends and no mark at its beginning';

/** A name without the spaces at its ends. Undefined if it is not visible text. */
export function visibleName(text: string): string | undefined {
  const name = text.replace(/^ +/, '').replace(/(?<! ) +$/, '');
  return VISIBLE.test(name) ? name : undefined;
}

/** The visible part of a name that was stored when its characters were not checked. */
export const onlyVisible = (text: string): string =>
  (text.match(CHARACTERS) ?? [])
    .join('')
    .replace(/^[\s\p{M}\u200c\u200d]+/u, '')
    .trim();
