import { isAllowed, isMark, isNormalized, isSpace } from './unicode.js';

/** Marks that may follow each other: more of them would be drawn over other lines. */
const MAX_MARKS = 2;

/** How long a text may be, and whether it may have line breaks (U+000A). */
export interface TextRule {
  readonly max: number;
  readonly lines?: boolean;
}

/**
 * Why a text may not be shown to somebody who has to approve it, as the end of a sentence that begins with the name of the field.
 * Undefined if it may. Two texts that look the same should be the same, and nothing in a text may change how the rest is shown.
 */
export function textFault(text: string, { max, lines = false }: TextRule): string | undefined {
  const codes = Array.from(text, (character) => character.codePointAt(0) as number);
  if (codes.length === 0) return 'must not be empty';
  if (codes.length > max) return `must have at most ${max} characters`;
  if (!lines) return lineFault(codes);
  const each = linesOf(codes);
  if (each.length > 1 && [each[0], each.at(-1)].some((line) => line?.length === 0))
    return 'must not begin or end with a line break';
  return each.map((line) => lineFault(line)).find((fault) => fault !== undefined);
}

const LINE_BREAK = 0x0a;

function linesOf(codes: readonly number[]): number[][] {
  const lines: number[][] = [[]];
  for (const code of codes)
    if (code === LINE_BREAK) lines.push([]);
    else lines.at(-1)?.push(code);
  return lines;
}

function lineFault(codes: readonly number[]): string | undefined {
  const bad = codes.find((code) => !isAllowed(code));
  if (bad !== undefined) return `must not have ${nameOf(bad)}`;
  if (isSpaceAt(codes, 0) || isSpaceAt(codes, codes.length - 1)) return 'must not begin or end with a space';
  if (codes.some((_, at) => isSpaceAt(codes, at) && isSpaceAt(codes, at + 1)))
    return 'must not have two spaces next to each other';
  if (codes[0] !== undefined && isMark(codes[0])) return 'must not begin with a combining mark';
  if (hasManyMarks(codes)) return `must not have more than ${MAX_MARKS} combining marks in a row`;
  return isNormalized(codes) ? undefined : 'must be in Unicode Normalization Form C';
}

const nameOf = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

const isSpaceAt = (codes: readonly number[], at: number): boolean => {
  const code = codes[at];
  return code !== undefined && isSpace(code);
};

function hasManyMarks(codes: readonly number[]): boolean {
  let inRow = 0;
  for (const code of codes) {
    inRow = isMark(code) ? inRow + 1 : 0;
    if (inRow > MAX_MARKS) return true;
  }
  return false;
}
