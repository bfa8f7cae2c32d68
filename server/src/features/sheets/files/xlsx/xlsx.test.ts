import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MADRID, months, personWith } from '../../../../../test/support/sheets.js';
import { readXlsx, readZip, type XlsxRows } from '../../../../../test/support/xlsx.js';
import type { PersonSheet, SitePeriod } from '../people.js';
import { sheetsXlsx } from './xlsx.js';

afterEach(() => {
  vi.useRealTimers();
});

const shifts = ['02T07:00 02T11:00', '02T12:00 02T15:20', '03T21:00 04T05:00', '05T07:00'];
const ada = personWith({ name: 'Ada', employeeCode: '0815' }, shifts, ['06T07:00 06T08:00']);
const grace = personWith({ name: '=1+1', employeeCode: null }, ['02T07:00 02T07:30']);

const rowsOf = async (people: PersonSheet[], sheet: 'Days' | 'Totals', period = MADRID) =>
  readXlsx(await sheetsXlsx(people, period))[sheet] ?? [];
const valuesOf = (rows: XlsxRows) => rows.map((row) => row.map((cell) => cell?.value));
/** Days since 30 December 1899. */
const serial = (time: string) => (Date.parse(`${time}Z`) - Date.parse('1899-12-30')) / 86_400_000;

describe('the workbook of a month', () => {
  it('has the days, with dates, times and hours as numbers', async () => {
    const [header, first, second, ...others] = await rowsOf([ada], 'Days');
    expect(header?.map((cell) => cell?.value)).toEqual(
      ['site', 'date', 'employeeCode', 'name', 'from', 'to', 'asserted', 'breakMinutes', 'minutes'].concat(
        ...['minutesWithAsserted', 'hours', 'hoursWithAsserted', 'flags'],
      ),
    );
    const [date, time, hours] = [
      { format: 'yyyy-mm-dd' },
      { format: 'yyyy-mm-dd hh:mm' },
      { format: '[h]:mm' },
    ];
    const start = [{ value: 'Madrid' }, { value: serial('2026-03-02T00:00'), ...date }];
    const person = [{ value: '0815' }, { value: 'Ada' }];
    expect(first).toEqual([
      ...start,
      ...person,
      { value: serial('2026-03-02T08:00'), ...time },
      { value: serial('2026-03-02T12:00'), ...time },
      ...[{ value: false }, { value: 0 }, { value: 440 }, { value: 440 }],
      ...[
        { value: 440 / 1440, ...hours },
        { value: 440 / 1440, ...hours },
      ],
    ]);
    expect(second?.slice(6)).toEqual([{ value: false }]);
    expect(others).toHaveLength(4);
  });

  it('has the totals, and their sums as formulas with results', async () => {
    const [header, first, second, last, ...others] = await rowsOf([ada, grace], 'Totals');
    expect(valuesOf([header ?? [], first ?? [], second ?? []])).toEqual([
      [
        'employeeCode',
        'name',
        'days',
        'minutes',
        'minutesWithAsserted',
        'difference',
        'breakMinutes',
        'hours',
      ],
      ['0815', 'Ada', 4, 920, 980, 60, 0, 920 / 1440],
      [undefined, '=1+1', 1, 30, 30, 0, 0, 30 / 1440],
    ]);
    expect(last).toEqual([
      undefined,
      { value: 'Total' },
      { value: 5, formula: 'SUM(C2:C3)' },
      { value: 950, formula: 'SUM(D2:D3)' },
      { value: 1010, formula: 'SUM(E2:E3)' },
      { value: 60, formula: 'SUM(F2:F3)' },
      { value: 0, formula: 'SUM(G2:G3)' },
      { value: 950 / 1440, formula: 'SUM(D2:D3)/1440', format: '[h]:mm' },
    ]);
    expect(others).toEqual([]);
  });

  it('keeps the header in sight', async () => {
    for (const number of [1, 2])
      expect(readZip(await sheetsXlsx([ada], MADRID)).get(`xl/worksheets/sheet${number}.xml`)).toMatch(
        /<pane ySplit="1" [^>]*state="frozen"/,
      );
  });

  it('is the same bytes at any time', async () => {
    vi.setSystemTime(new Date('2026-04-01T08:00:00Z'));
    const file = await sheetsXlsx([ada], MADRID);
    vi.setSystemTime(new Date('2031-12-31T23:59:58Z'));
    expect(file.equals(await sheetsXlsx([ada], MADRID))).toBe(true);
  });

  it('has only headers without people', async () => {
    expect(await rowsOf([], 'Days')).toHaveLength(1);
    expect(await rowsOf([], 'Totals')).toHaveLength(1);
  });

  it('is not written if a sheet is of another time zone', async () => {
    const period: SitePeriod = { ...MADRID, site: { name: 'Madrid', timeZone: 'UTC' } };
    await expect(sheetsXlsx([ada], period)).rejects.toThrow(RangeError);
  });
});

/** Writes the hours of people and reads both sheets back, without their headers. */
const holds = (check: (sheets: Record<'days' | 'totals', XlsxRows>, people: PersonSheet[]) => void) =>
  fc.assert(
    fc.asyncProperty(months, async ({ people, period }) => {
      const { Days = [], Totals = [] } = readXlsx(await sheetsXlsx(people, period));
      check({ days: Days.slice(1), totals: Totals.slice(1) }, people);
    }),
    { numRuns: 40 },
  );

describe('the workbook of a month, read back', () => {
  it('has names and codes as text, and formulas in the last row alone', async () => {
    await holds(({ days, totals }, people) => {
      expect(totals.slice(0, people.length).map((row) => [row[0]?.value ?? null, row[1]?.value])).toEqual(
        people.map(({ employeeCode, name }) => [employeeCode, name]),
      );
      const cells = [...days, ...totals.slice(0, -1)].flat();
      expect(cells.filter((cell) => cell?.formula !== undefined)).toEqual([]);
    });
  });

  it('has days that add up to the totals of the sheets', async () => {
    await holds(({ days, totals }, people) => {
      const sums = [
        [7, 'breakMinutes', 6] as const,
        [8, 'minutes', 3],
        [9, 'minutesWithAsserted', 4],
      ] as const;
      for (const [ofDay, name, ofTotal] of sums) {
        const total = people.reduce((sum, { sheet }) => sum + sheet.totals[name], 0);
        expect(days.reduce((sum, row) => sum + Number(row[ofDay]?.value ?? 0), 0)).toBe(total);
        expect(totals.at(-1)?.[ofTotal]?.value ?? 0).toBe(total);
        expect(totals.slice(0, people.length).map((row) => row[ofTotal]?.value)).toEqual(
          people.map(({ sheet }) => sheet.totals[name]),
        );
      }
    });
  });
});

it.each([
  'constructor',
  '__proto__',
  '_x0041_',
  '_X000d_',
  '_x0041\r',
  'a\r\nb\u0000\u000b',
  ' \t',
  '😀',
  '&amp;<b>',
])('has the name %j as it is', async (name) => {
  const [, row] = await rowsOf([{ ...ada, name }], 'Totals');
  expect(row?.[1]).toEqual({ value: name });
});

it('has a question mark for what it can’t have', async () => {
  const [, row] = await rowsOf([{ ...ada, name: 'a\ud800b\uffffc\u0085d\ufffd' }], 'Totals');
  expect(row?.[1]?.value).toBe('a?b?c?d?');
});
