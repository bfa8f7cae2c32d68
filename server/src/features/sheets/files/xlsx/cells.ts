import type { CellObject } from 'write-excel-file/node';

export const MINUTES_OF_A_DAY = 24 * 60;
/** A length of time in days as hours and minutes, also more than 24 hours. */
export const HOURS = '[h]:mm';

/** A cell of text, which is never a formula. */
export const textCell = (text: string): CellObject => ({ value: xlsxText(text), type: String });

export const numberCell = (value: number): CellObject => ({ value, type: Number });

/** @param date YYYY-MM-DD */
export const dateCell = (date: string): CellObject => ({
  ...{ value: daysSince1899(`${date}T00:00`), type: Number, format: 'yyyy-mm-dd' },
});

/** @param time local time of a sheet. A cell can't have the difference to UTC that follows it. */
export const timeCell = (time: string): CellObject => ({
  ...{ value: daysSince1899(time.slice(0, 16)), type: Number, format: 'yyyy-mm-dd hh:mm' },
});

/** What a spreadsheet has for a date: the days since 30 December 1899. The library's own number is rounded twice. */
const daysSince1899 = (time: string): number =>
  (Date.parse(`${time}Z`) - Date.parse('1899-12-30T00:00Z')) / (MINUTES_OF_A_DAY * 60_000);

/** A number that a spreadsheet can add up. */
export const hoursCell = (minutes: number): CellObject => ({
  ...{ value: minutes / MINUTES_OF_A_DAY, type: Number, format: HOURS },
});

export const formulaCell = ({ formula, format }: { formula: string; format?: string }): CellObject => ({
  ...{ value: formula, type: 'Formula', ...(format && { format }) },
});

/** What a reader could take for an escaped character. */
const LIKE_ESCAPED = /_(?=x[0-9a-f]{4})/gi;
/** XML can't have them, or the library leaves them out. */
const UNWRITABLE = /[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]/gu;

/**
 * The text as the file has it. `_x000D_` stands for a carriage return, and the other control characters of ASCII are written like it.
 * Lone surrogates, U+FFFD, other control characters and what is no character become `?`.
 */
function xlsxText(text: string): string {
  const written = text
    .replace(LIKE_ESCAPED, escaped)
    .replace(UNWRITABLE, '?')
    .replace(/\p{Cc}/gu, control);
  // The library looks texts up in an object, and would find `constructor` in every object. It drops the NUL afterwards.
  return written in {} ? `${written}\0` : written;
}

function control(character: string): string {
  if (character === '\t' || character === '\n') return character;
  return character < ' ' ? escaped(character) : '?';
}

const escaped = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
