import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../test/support/csv.js';
import { type CsvSeparator, csvRow } from './csv.js';

const SEPARATORS: readonly CsvSeparator[] = [',', ';', '\t'];

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\r', '\n', '\t', ' ', '=', '+', '-', '@', "'", 'a', 'é'),
  }),
);

const tables = fc.array(fc.array(text, { minLength: 1 }), { minLength: 1 });

describe('a row of a CSV file', () => {
  it('reads back as the same cells, except for the apostrophe before formulas', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SEPARATORS), tables, (separator, rows) => {
        const read = readCsv(rows.map((row) => csvRow(row, separator)).join(''), separator);
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [at, row] of rows.entries())
          for (const [cell, value] of row.entries()) expect([value, `'${value}`]).toContain(read[at]?.[cell]);
      }),
    );
  });

  it('has no cell that a spreadsheet would run as a formula', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(readCsv(csvRow([value]))[0]?.[0]).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/);
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

  it.each([
    [';', `a,b;"c;d";'\te;'=1\r\n`],
    ['\t', `a,b\tc;d\t"'\te"\t'=1\r\n`],
  ] as const)('has the separator %j', (separator, row) => {
    expect(csvRow(['a,b', 'c;d', '\te', '=1'], separator)).toBe(row);
  });
});
