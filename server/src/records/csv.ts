/** Without it, Excel reads a file in the system's own character set. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, also after spaces. The last four are the full-width
 * forms of the first four. Text with apostrophes before that counts too, so that taking one apostrophe off gives every text back.
 */
const FORMULA = /^'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

export type CsvSeparator = ',' | ';' | '\t';

/** Excel takes a semicolon for a separator too where numbers have a decimal comma. */
const SPECIAL: Readonly<Record<CsvSeparator, RegExp>> = {
  ',': /[",;\r\n]|^\s|\s$/,
  ';': /[";\r\n]|^\s|\s$/,
  '\t': /["\t\r\n]|^\s|\s$/,
};

function cellOf(value: unknown, separator: CsvSeparator): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // An apostrophe at the beginning makes the cell text.
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV file (RFC 4180). Objects become JSON, and null becomes an empty cell. */
export const csvRow = (values: readonly unknown[], separator: CsvSeparator = ','): string =>
  `${values.map((value) => cellOf(value, separator)).join(separator)}\r\n`;
