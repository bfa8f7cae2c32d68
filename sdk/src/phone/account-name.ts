const MAX_LENGTH = 80;
/** Control characters, and marks that hide text or reverse its direction. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u061c\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Cleans an account's name for display. Its owner chose it, so it must not hide or displace the text around it. */
export function readAccountName(text: string | null | undefined): string | undefined {
  const characters = [...(text ?? '').replace(INVISIBLE, '').trim()];
  if (characters.length === 0) return undefined;
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, MAX_LENGTH).join('')}…`
    : characters.join('');
}
