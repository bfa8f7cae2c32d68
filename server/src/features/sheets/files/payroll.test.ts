import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MADRID, months, personWith } from '../../../../test/support/sheets.js';
import { formats, listOf, minutesOf, readTable, shownAs } from '../../../../test/support/tables.js';
import { type PayrollFormat, payrollCsv, withoutCode } from './payroll.js';
import type { People, PersonSheet, SitePeriod } from './people.js';

const PLAIN = { workType: '100', separator: ';', decimal: ',', encoding: 'utf-8', hours: 'decimal' } as const;
const shifts = ['02T07:00 02T11:00', '02T12:00 02T15:20', '03T21:00 04T05:00', '05T07:00'];
const ada = personWith({ name: 'Ada', employeeCode: '1815' }, shifts, ['06T07:00 06T08:00']);
const grace = personWith({ name: 'Grace', employeeCode: '-12' }, ['02T07:00 02T08:00']);
const nobody = personWith({ name: 'Nobody', employeeCode: null }, ['02T07:00 02T08:00']);

const textOf = async (people: People, format: PayrollFormat = PLAIN) =>
  Buffer.concat(await listOf(payrollCsv(people, MADRID, format))).toString();

describe('a payroll file', () => {
  it('has a row for each person and day with own minutes', async () => {
    expect(await textOf([ada])).toBe(
      [
        'employeeCode;date;type;hours',
        ...['1815;2026-03-02;100;7,33', '1815;2026-03-03;100;2,00', '1815;2026-03-04;100;6,00'],
        '',
      ].join('\r\n'),
    );
  });

  it('pays asserted minutes only if it has to', async () => {
    const asserted = '1815;2026-03-06;100;1,00';
    expect(await textOf([ada])).not.toContain('2026-03-06');
    expect(await textOf([ada], { ...PLAIN, asserted: 'include' })).toContain(asserted);
  });

  it('has minutes in the same column, if they are chosen', async () => {
    expect(await textOf([grace], { ...PLAIN, hours: 'minutes' })).toBe(
      "employeeCode;date;type;hours\r\n'-12;2026-03-02;100;60\r\n",
    );
  });

  it('has people without a code at the end, who are also listed', async () => {
    const rows = (await textOf([nobody, grace])).split('\r\n');
    expect(rows.slice(1, -1)).toEqual(["'-12;2026-03-02;100;1,00", ';2026-03-02;100;1,00']);
    expect(withoutCode([nobody, grace])).toEqual([nobody]);
  });

  it('is not written if a sheet is of another month', async () => {
    const period: SitePeriod = { ...MADRID, month: '2026-04' };
    await expect(listOf(payrollCsv([ada], period, PLAIN))).rejects.toThrow(RangeError);
  });
});

const payrollFormats: fc.Arbitrary<PayrollFormat> = fc
  .tuple(formats, fc.constantFrom('100', '=1', 'a;b'), fc.option(fc.constant('include' as const)))
  .map(([format, workType, asserted]) => ({ ...format, workType, ...(asserted && { asserted }) }));

/** Writes any payroll file and reads its rows back. */
const holds = (check: (rows: string[][], people: PersonSheet[], format: PayrollFormat) => void) =>
  fc.assert(
    fc.asyncProperty(months, payrollFormats, async ({ people, period }, format) => {
      const bytes = Buffer.concat(await listOf(payrollCsv(people, period, format)));
      check(readTable(bytes, format).slice(1), people, format);
    }),
  );

describe('a payroll file, read back', () => {
  it('has each day of each person once, in their order, those without a code last', async () => {
    await holds((rows, people, format) => {
      const sorted = [
        ...people.filter(({ employeeCode }) => employeeCode !== null),
        ...people.filter(({ employeeCode }) => employeeCode === null),
      ];
      const paid = format.asserted ? 'minutesWithAsserted' : 'minutes';
      const days = sorted.flatMap(({ employeeCode, sheet }) =>
        sheet.days
          .filter((day) => day[paid] > 0)
          .map(({ date }) => [shownAs(employeeCode ?? '', format), date, shownAs(format.workType, format)]),
      );
      expect(rows.map((row) => row.slice(0, 3))).toEqual(days);
    });
  });

  it('has the sum of all sheets, exactly if in minutes or on the clock', async () => {
    await holds((rows, people, format) => {
      const paid = format.asserted ? 'minutesWithAsserted' : 'minutes';
      const found = rows.reduce((sum, [, , , hours = '']) => sum + minutesOf(hours, format), 0);
      const expected = people.reduce((sum, { sheet }) => sum + sheet.totals[paid], 0);
      if (format.hours === 'decimal')
        expect(Math.abs(found - expected)).toBeLessThan(0.2001 * (rows.length + 1));
      else expect(found).toBe(expected);
    });
  });
});
