import { inflateRawSync } from 'node:zlib';

export interface XlsxCell {
  readonly value: string | number | boolean;
  /** Such as `yyyy-mm-dd`. */
  readonly format?: string;
  readonly formula?: string;
}

/** The rows of a sheet. An empty cell is undefined. */
export type XlsxRows = readonly (readonly (XlsxCell | undefined)[])[];

/** The files in a ZIP file, as text. */
export function readZip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  let entry = zip.readUInt32LE(zip.length - 6);
  while (zip.readUInt32LE(entry) === 0x02014b50) {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at));
    const at = zip.readUInt32LE(entry + 42);
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const content = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(entry + 20)));
    files.set(zip.toString('utf8', entry + 46, entry + 46 + name), content.toString('utf8'));
    entry += 46 + name + extra + comment;
  }
  return files;
}

/** The sheets of a workbook by their names. It knows only what our workbooks have. */
export function readXlsx(file: Buffer): Record<string, XlsxRows> {
  const files = readZip(file);
  const part = (name: string) => files.get(`xl/${name}.xml`) ?? '';
  const texts = matches(part('sharedStrings'), /<si><t[^>]*>(.*?)<\/t><\/si>/gs).map(([, xml]) =>
    textOf(xml),
  );
  const codes = new Map(
    matches(part('styles'), /<numFmt numFmtId="(\d+)" formatCode="([^"]+)"/g).map(([, id, code]) => [
      id,
      code,
    ]),
  );
  const formats = matches(part('styles'), /<xf [^>]*>/g).map(([xf]) =>
    codes.get(/numFmtId="(\d+)"/.exec(xf ?? '')?.[1]),
  );
  const names = matches(part('workbook'), /<sheet [^>]*name="([^"]+)"/g).map(([, name]) => name ?? '');
  return Object.fromEntries(
    names.map((name, index) => [name, rowsOf(part(`worksheets/sheet${index + 1}`), texts, formats)]),
  );
}

function rowsOf(xml: string, texts: readonly string[], formats: readonly (string | undefined)[]): XlsxRows {
  return matches(xml, /<row [^>]*>(.*?)<\/row>/g).map(([, row]) => {
    const cells: (XlsxCell | undefined)[] = [];
    for (const [, column = '', attributes = '', , formula, value = ''] of matches(row, CELL)) {
      const type = /t="(\w)"/.exec(attributes)?.[1];
      const format = formats[Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0)];
      cells[column.charCodeAt(0) - 65] = {
        value: type === 's' ? (texts[Number(value)] ?? value) : type === 'b' ? value === '1' : Number(value),
        ...(format && { format }),
        ...(formula && { formula }),
      };
    }
    return Array.from(cells);
  });
}

const CELL = /<c r="([A-Z])\d+"([^>]*)>(<f>(.*?)<\/f>)?<v>(.*?)<\/v><\/c>/g;

const matches = (text: string | undefined, pattern: RegExp) => [...(text ?? '').matchAll(pattern)];

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** An XML parser makes every end of a line a line feed. */
const textOf = (xml = '') =>
  xml
    .replace(/\r\n?/g, '\n')
    .replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
