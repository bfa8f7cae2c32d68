/** Letters and digits of a user code, which is shown as `XXXX-XXXX`. */
const LENGTH = 8;
const GROUP = 4;

interface Typed {
  readonly text: string;
  /** The number of characters before the cursor. */
  readonly caret: number;
}

/** What a field for a user code shows after a change: capitals in groups of four, and the cursor at the same character. */
export function formatUserCode(typed: Typed): Typed {
  const before = charactersOf(typed.text.slice(0, typed.caret)).slice(0, LENGTH).length;
  const text = group(charactersOf(typed.text).slice(0, LENGTH));
  return { text, caret: before + (before > GROUP ? 1 : 0) };
}

const charactersOf = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
const group = (code: string): string =>
  code.length > GROUP ? `${code.slice(0, GROUP)}-${code.slice(GROUP)}` : code;

export const isComplete = (code: string): boolean => charactersOf(code).length === LENGTH;
