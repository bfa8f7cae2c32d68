import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../test/support/csv.js';
import { MADRID, months, personWith } from '../../../../test/support/sheets.js';
import {
  formats,
  listOf,
  minutesOf,
  readTable,
  textOf as shown,
  shownAs,
} from '../../../../test/support/tables.js';
import { sheetsCsv } from './csv.js';
import type { PersonSheet, SitePeriod } from './people.js';
import type { TableFormat } from './table-format.js';

const PLAIN = { separator: ',', decimal: '.', encoding: 'utf-8', hours: 'decimal' } as const;
const ada = personWith(
  { name: 'Ada', employeeCode: '1815' },
  ['02T07:00 02T11:00', '02T12:00 02T15:20', '03T21:00 04T05:00', '05T07:00'],
  ['06T07:00 06T08:00'],
);

const textOf = async (people: PersonSheet[], format: TableFormat = PLAIN) =>
  (await listOf(sheetsCsv(people, MADRID, format))).join('');

describe('the days as CSV', () => {
  it('have a row for each shift and for each day without one, and the sums of a day once', async () => {
    expect(await textOf([ada])).toBe(
      [
        'site,date,employeeCode,name,from,to,asserted,breakMinutes,minutes,minutesWithAsserted,hours,hoursWithAsserted,flags',
        'Madrid,2026-03-02,1815,Ada,2026-03-02T08:00+01:00,2026-03-02T12:00+01:00,false,0,440,440,7.33,7.33,',
        'Madrid,2026-03-02,1815,Ada,2026-03-02T13:00+01:00,2026-03-02T16:20+01:00,false,,,,,,',
        'Madrid,2026-03-03,1815,Ada,2026-03-03T22:00+01:00,2026-03-04T06:00+01:00,false,0,120,120,2.00,2.00,',
        'Madrid,2026-03-04,1815,Ada,,,,0,360,360,6.00,6.00,',
        'Madrid,2026-03-05,1815,Ada,2026-03-05T08:00+01:00,,false,0,0,0,0.00,0.00,open_shift',
        'Madrid,2026-03-06,1815,Ada,2026-03-06T08:00+01:00,2026-03-06T09:00+01:00,true,0,0,60,0.00,1.00,',
        '',
      ].join('\r\n'),
    );
  });

  it.each<[Partial<TableFormat>, string]>([
    [{ decimal: ',' }, '440,440,"7,33","7,33",'],
    [{ decimal: ',', separator: ';' }, '440;440;7,33;7,33;'],
    [{ separator: 'tab', hours: 'clock' }, '440\t440\t7:20\t7:20\t'],
    [{ hours: 'minutes' }, ',440,440,'],
  ])('have hours as %j asks', async (format, end) => {
    const [, row = ''] = (await textOf([ada], { ...PLAIN, ...format })).split('\r\n');
    expect(row.slice(-end.length)).toBe(end);
  });

  it('begin with a byte order mark if Excel has to know the encoding', async () => {
    expect(await textOf([], { ...PLAIN, encoding: 'utf-8-bom' })).toMatch(/^\ufeffsite,/);
  });

  it('in Windows-1252, have a question mark for each character that it lacks', async () => {
    const person = { ...ada, name: 'Žofie Ze\u0301 €😀Ł;' };
    const [, row] = await listOf(
      sheetsCsv([person], MADRID, { ...PLAIN, encoding: 'windows-1252', separator: ';' }),
    );
    expect(row && shown(row, { encoding: 'windows-1252' })).toContain('"Žofie Zé €??;"');
  });

  it('in Windows-1252, composed characters never make a separator', async () => {
    const person = { ...ada, name: 'a\u037eb' };
    const rows = await listOf(
      sheetsCsv([person], MADRID, { ...PLAIN, encoding: 'windows-1252', separator: ';' }),
    );
    expect(readCsv(Buffer.concat(rows).toString('latin1'), ';')[1]?.[3]).toBe('a;b');
  });

  it('are made person by person, when they are read', async () => {
    let count = 0;
    function* people() {
      for (; ; count += 1) yield ada;
    }
    const pieces = sheetsCsv(people(), MADRID, PLAIN);
    await pieces.next();
    await pieces.next();
    expect(count).toBe(0);
    await pieces.return(undefined);
  });

  it.each([
    { ...MADRID, month: '2026-04' },
    { ...MADRID, site: { name: 'Madrid', timeZone: 'UTC' } },
  ])('are not written if a sheet is of another month or time zone', async (period) => {
    await expect(listOf(sheetsCsv([ada], period, PLAIN))).rejects.toThrow(RangeError);
  });
});

interface Read extends PersonSheet {
  /** The cells by column. */
  readonly rows: Readonly<Record<string, string>>[];
}

/** Writes the hours of people in any format and reads them back. */
const holds = (check: (person: Read, period: SitePeriod, format: TableFormat) => void) =>
  fc.assert(
    fc.asyncProperty(months, formats, async ({ people, period }, format) => {
      const pieces = await listOf(sheetsCsv(people, period, format));
      const [[header = []] = [], ...tables] = pieces.map((piece) => readTable(piece, format));
      expect(tables).toHaveLength(people.length);
      for (const [index, person] of people.entries()) {
        const rows = (tables[index] ?? []).map((cells) => {
          expect(cells).toHaveLength(header.length);
          return Object.fromEntries(header.map((column, at) => [column, cells[at] ?? '']));
        });
        check({ ...person, rows }, period, format);
      }
    }),
  );

describe('the days as CSV, read back', () => {
  it('have the names and codes of people and sites', async () => {
    await holds(({ name, employeeCode, rows }, { site }, format) => {
      const texts = [site.name, employeeCode ?? '', name].map((text) => shownAs(text, format));
      for (const row of rows) expect([row.site, row.employeeCode, row.name]).toEqual(texts);
    });
  });

  it('have each shift once, by day', async () => {
    await holds(({ sheet, rows }) => {
      const shifts = rows.filter(({ from }) => from !== '');
      expect(shifts.map(({ date, from, to, asserted }) => [date, from, to, asserted])).toEqual(
        sheet.shifts.map(({ date, from, to, asserted }) => [date, from, to ?? '', String(asserted)]),
      );
      const dates = rows.map(({ date }) => date);
      expect(dates).toEqual(dates.toSorted());
    });
  });

  it('have sums that add up to those of the sheet, by day and by month', async () => {
    await holds(({ sheet, rows }) => {
      for (const column of ['minutes', 'minutesWithAsserted', 'breakMinutes'] as const) {
        const sums = rows.map((row): [string, number] => [row.date ?? '', Number(row[column])]);
        expect(sums.filter(([, minutes]) => minutes > 0)).toEqual(
          sheet.days.filter((day) => day[column] > 0).map((day) => [day.date, day[column]]),
        );
        expect(sums.reduce((sum, [, minutes]) => sum + minutes, 0)).toBe(sheet.totals[column]);
      }
    });
  });

  it('have each day with a flag, and its codes', async () => {
    await holds(({ sheet, rows }) => {
      const codes = rows.flatMap(({ date, flags = '' }) => flags.split(' ').map((code) => `${date} ${code}`));
      expect(new Set(codes.filter((text) => !text.endsWith(' ')))).toEqual(
        new Set(sheet.flags.map(({ date, code }) => `${date} ${code}`)),
      );
    });
  });

  it('have hours that are the minutes, or at most 12 seconds off', async () => {
    await holds(({ rows }, _, format) => {
      const off = rows
        .filter(({ hours }) => hours !== undefined && hours !== '')
        .map(({ hours = '', minutes }) => Math.abs(minutesOf(hours, format) - Number(minutes)));
      expect(Math.max(0, ...off)).toBeLessThan(format.hours === 'decimal' ? 0.2001 : Number.MIN_VALUE);
    });
  });
});
