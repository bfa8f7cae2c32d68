const LENGTH = 120;
/** How much of it stands before the first match. */
const LEAD = 40;

/** A piece of text. `isMatch` pieces are marked. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The part of a text around the first of these terms, with all of them marked. Without a match, the beginning. */
export function excerptOf(text: string, terms: readonly string[]): Piece[] {
  const pattern = patternOf(terms);
  const first = pattern === undefined ? -1 : text.search(pattern);
  const word = text.indexOf(' ', first - LEAD) + 1;
  const near = word > 0 && word <= first ? word : first - LEAD;
  const from = first <= LEAD ? 0 : near;
  const cut = text.length > from + LENGTH ? text.lastIndexOf(' ', from + LENGTH) : text.length;
  const to = cut > Math.max(from, first) ? cut : from + LENGTH;
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
  return markedPieces(shown, terms);
}

/** A text in pieces, those that begin a word with one of these terms marked. */
export function markedPieces(text: string, terms: readonly string[]): Piece[] {
  const pattern = patternOf(terms);
  if (pattern === undefined) return [{ text, isMatch: false }];
  // With a group, `split` keeps the matches at the odd places.
  return text
    .split(pattern)
    .map((piece, at) => ({ text: piece, isMatch: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function patternOf(terms: readonly string[]): RegExp | undefined {
  const longestFirst = terms
    .filter((term) => term !== '')
    .toSorted((left, right) => right.length - left.length);
  if (longestFirst.length === 0) return undefined;
  const words = longestFirst.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu');
}
