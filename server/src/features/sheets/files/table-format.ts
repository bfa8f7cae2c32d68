import { BYTE_ORDER_MARK, type CsvSeparator, csvRow } from '../../../records/csv.js';
import { asWindows1252 } from './windows-1252.js';

/** How a text file is written, so that the program that reads it understands it. */
export interface TableFormat {
  readonly separator: ',' | ';' | 'tab';
  /** Of hours as `decimal`. */
  readonly decimal: '.' | ',';
  /** `utf-8-bom` is for Excel. In `windows-1252`, characters that it does not have become `?`. */
  readonly encoding: 'utf-8' | 'utf-8-bom' | 'windows-1252';
  /**
   * How 7 hours and 50 minutes look:
   *
   * - `decimal`: `7.83`. Each cell is rounded to the nearest hundredth of an hour, so it is up to 12 seconds off, and a sum of cells up to
   *   12 seconds a cell.
   * - `clock`: `7:50`, exactly. 100 hours are `100:00`.
   * - `minutes`: `470`, exactly.
   */
  readonly hours: 'decimal' | 'clock' | 'minutes';
}

const SEPARATORS: Readonly<Record<TableFormat['separator'], CsvSeparator>> = {
  ',': ',',
  ';': ';',
  tab: '\t',
};

/** A row in the format. */
export function tableRow(values: readonly unknown[], { separator, encoding }: TableFormat): string {
  // Windows-1252 has accented letters, but no accents to put on letters. NFC also makes a `;` of U+037E, so it comes before quoting.
  const compose = (value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value);
  return csvRow(encoding === 'windows-1252' ? values.map(compose) : values, SEPARATORS[separator]);
}

/** The bytes of a file whose text comes in pieces. */
export async function* encoded(
  pieces: AsyncIterable<string>,
  { encoding }: TableFormat,
): AsyncGenerator<Buffer> {
  let mark = encoding === 'utf-8-bom' ? BYTE_ORDER_MARK : '';
  for await (const piece of pieces) {
    yield encoding === 'windows-1252' ? asWindows1252(piece) : Buffer.from(mark + piece);
    mark = '';
  }
}

/** Minutes as the format shows them. A number is exact. */
export function hoursOf(minutes: number, { hours, decimal }: TableFormat): number | string {
  if (hours === 'minutes') return minutes;
  if (hours === 'clock') return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  // A minute is five thirds of a hundredth, so nothing lies halfway between two.
  return (Math.round((minutes * 5) / 3) / 100).toFixed(2).replace('.', decimal);
}
