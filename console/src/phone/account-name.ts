const MAX_LENGTH = 80;
/** What no name needs: control characters, and marks that turn or hide the text around them. */
const UNSEEN = /[\p{Cc}\u200b\u200e\u200f\u061c\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** An account's name as this phone shows it. Its owner chose it, so nothing in it may hide or push away what stands around it. */
export function readAccountName(text: string | null | undefined): string | undefined {
  const characters = [...(text ?? '').replace(UNSEEN, '').trim()];
  if (characters.length === 0) return undefined;
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, MAX_LENGTH).join('')}…`
    : characters.join('');
}
