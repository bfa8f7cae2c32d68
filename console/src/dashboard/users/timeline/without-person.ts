import type { Piece } from '../../nouns/words/pieces';

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A sentence on the page of its person, who need not be named again: “Checked in”, “Verified by face”, “A verification failed”. */
export function withoutPerson(pieces: readonly Piece[], fullName: string): readonly Piece[] {
  const at = pieces.findIndex(({ text, isName }) => isName && text === fullName);
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  // “Ada and 1 more were asked” says nothing without the name.
  if (at === 0 && after?.text.startsWith(' and ')) return pieces;
  if (at === 0 && after !== undefined)
    return [{ ...after, text: capitalized(after.text.trimStart().replace(/^was /, '')) }, ...pieces.slice(2)];
  if (before === undefined || !before.text.endsWith(' of ')) return pieces;
  return [
    ...pieces.slice(0, at - 1),
    { ...before, text: before.text.replace(/ of $/, '') },
    ...pieces.slice(at + 1),
  ];
}
