/** A name as somebody can type it: without invisible characters, and with single spaces. */
const typeable = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether the name was typed. */
export const isTyped = (typed: string, name: string): boolean =>
  typed.trim() !== '' && typeable(typed) === typeable(name);
