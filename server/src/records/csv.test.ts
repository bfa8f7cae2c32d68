import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.js';

/** The cells of a CSV file (RFC 4180). */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [cell, end] = text[at] === '"' ? quoted(text, at + 1) : plain(text, at);
    row.push(cell);
    if (text[end] === ',') at = end + 1;
    else {
      expect(text.slice(end, end + 2)).toBe('\r\n');
      rows.push(row);
      row = [];
      at = end + 2;
    }
  }
  return rows;
}
function plain(text: string, start: number): [string, number] {
  const end = text.slice(start).search(/[,\r]/) + start;
  return [text.slice(start, end), end];
}
function quoted(text: string, start: number): [string, number] {
  let end = start;
  while (text[end] !== '"' || text[end + 1] === '"') end += text[end] === '"' ? 2 : 1;
  return [text.slice(start, end).replaceAll('""', '"'), end + 1];
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\r', '\n', '\t', ' ', '=', '+', '-', '@', "'", 'a', 'é'),
  }),
);

describe('a row of a CSV file', () => {
  it('reads back as the same cells, except for the apostrophe before formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1 }), { minLength: 1 }), (rows) => {
        const read = parse(rows.map(csvRow).join(''));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [at, row] of rows.entries())
          for (const [cell, value] of row.entries()) expect([value, `'${value}`]).toContain(read[at]?.[cell]);
      }),
    );
  });

  it('has no cell that a spreadsheet would run as a formula', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(parse(csvRow([value]))[0]?.[0]).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/);
      }),
    );
  });

  it.each([
    [['=1+1', '+41 44', '-1', '@SUM(A1)', '\tx', '\rx'], `'=1+1,'+41 44,'-1,'@SUM(A1),'\tx,"'\rx"\r\n`],
    [[-1, 87.5, true, null, undefined, ''], '-1,87.5,true,,,\r\n'],
    [[{ a: 'x,"y"' }, ['=1']], '"{""a"":""x,\\""y\\""""}","[""=1""]"\r\n'],
    [['a "b"', 'c, d', 'e\nf', ' g'], '"a ""b""","c, d","e\nf"," g"\r\n'],
  ])('is %j', (values, row) => {
    expect(csvRow(values)).toBe(row);
  });
});
