import fc from 'fast-check';
import type { TableFormat } from '../../src/features/sheets/files/table-format.js';
import { csvRow } from '../../src/records/csv.js';
import { readCsv } from './csv.js';

/** Every format of a text file with a table. */
export const formats: fc.Arbitrary<TableFormat> = fc.record({
  separator: fc.constantFrom(',', ';', 'tab'),
  decimal: fc.constantFrom('.', ','),
  encoding: fc.constantFrom('utf-8', 'utf-8-bom', 'windows-1252'),
  hours: fc.constantFrom('decimal', 'clock', 'minutes'),
});

export async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The code points of the bytes 0x80 to 0x9f in Windows-1252, 0 for those in no use. Node 20 decodes them as Latin-1. */
const UPPER = [
  ...[0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152],
  ...[0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161],
  ...[0x203a, 0x0153, 0, 0x017e, 0x0178],
];

/** The character of each byte in Windows-1252. */
export const WINDOWS_1252: readonly (string | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const code = UPPER[byte - 0x80] ?? byte;
  return code === 0 && byte > 0 ? undefined : String.fromCharCode(code);
});

export function textOf(bytes: Uint8Array, { encoding }: Pick<TableFormat, 'encoding'>): string {
  if (encoding !== 'windows-1252') return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return Array.from(bytes, (byte) => WINDOWS_1252[byte] ?? fail(byte)).join('');
}

function fail(byte: number): never {
  throw new TypeError(`no character in Windows-1252: ${byte}`);
}

/** The rows in a piece of a file. */
export const readTable = (bytes: Uint8Array, format: TableFormat): string[][] =>
  readCsv(textOf(bytes, format), format.separator === 'tab' ? '\t' : format.separator);

/** The cell in which a text is read back: with the apostrophe before a formula, and without what the encoding lacks. */
export function shownAs(text: string, { encoding }: TableFormat): string {
  const guarded = (cell: string) => readCsv(csvRow([cell]))[0]?.[0] ?? '';
  if (encoding !== 'windows-1252') return guarded(text);
  return [...guarded(text.normalize('NFC'))]
    .map((character) => (WINDOWS_1252.includes(character) ? character : '?'))
    .join('');
}

/** Minutes of an hour as the format shows them, exactly or at most 12 seconds off. */
export function minutesOf(cell: string, { hours, decimal }: TableFormat): number {
  if (hours === 'minutes') return Number(cell);
  const [whole = '', part = ''] = cell.split(hours === 'clock' ? ':' : decimal);
  return hours === 'clock' ? Number(whole) * 60 + Number(part) : Number(`${whole}.${part}`) * 60;
}
