/**
 * What a spreadsheet would run as a formula, as in the service's exports: such a text, also with apostrophes before it, gets one more
 * apostrophe. So taking one off gives back every text, also one that began with an apostrophe itself.
 */
export const FORMULA = /^'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** The text of a cell, without the apostrophe that an export put before it. */
export const withoutProtection = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
