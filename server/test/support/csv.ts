import type { CsvSeparator } from '../../src/records/csv.js';

/**
 * The cells of a CSV file (RFC 4180).
 * @throws TypeError if a row does not end with CR and LF, text follows a quoted cell, or a cell should have been quoted
 */
export function readCsv(text: string, separator: CsvSeparator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [cell, end] = text[at] === '"' ? quoted(text, at + 1) : plain(text, at, separator);
    row.push(cell);
    if (text[end] === separator) at = end + 1;
    else {
      if (text.slice(end, end + 2) !== '\r\n') throw new TypeError(`no end of a row at ${end}: ${text}`);
      rows.push(row);
      row = [];
      at = end + 2;
    }
  }
  return rows;
}

function plain(text: string, start: number, separator: CsvSeparator): [string, number] {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\r') end += 1;
  const cell = text.slice(start, end);
  if (/["\n]/.test(cell)) throw new TypeError(`not quoted: ${cell}`);
  return [cell, end];
}

function quoted(text: string, start: number): [string, number] {
  let end = start;
  while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1;
  return [text.slice(start, end).replaceAll('""', '"'), end + 1];
}
