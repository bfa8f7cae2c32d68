// @module-tag if-touched server/src/features/sheets/ zk/src/time/: runs LibreOffice on the workbook
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../../../../test/support/csv.js';
import { MADRID, personWith } from '../../../../../test/support/sheets.js';
import { sheetsXlsx } from './xlsx.js';

const PROGRAM = '/usr/bin/soffice';
const hasProgram = existsSync(PROGRAM);
if (!hasProgram) console.error('!! NOT TESTED: workbooks in LibreOffice, because soffice is missing.');

/** Computes every formula when it opens a file. */
const SETTINGS = `<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`;

/** CSV in UTF-8 with cells as they look, of all sheets. */
const FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

/** Also those that a program could take for formulas, numbers, markup or escaped characters. */
const NAMES = [
  ...['=1+1', '@SUM(A1)', '+1', '-1', '007', '1e5', '1,5', '2026-03-02', 'TRUE', "'x", '#N/A'],
  ...[
    'Zoë "Z" <&>;',
    'a\nb',
    ' a ',
    '😀',
    '_x0041_',
    '__proto__',
    'constructor',
    '_x0041',
    'a\rb',
    'a\u0001b',
  ],
];
const two = (number: number) => String(number).padStart(2, '0');

/** With shifts that begin and end at every minute of an hour, some over midnight, and one over the change of the clocks. */
const people = NAMES.map((name, person) => {
  const shifts = Array.from({ length: 20 }, (_, index) => {
    const minute = two((person * 20 + index) % 60);
    return index % 5 === 4
      ? `${two(index + 1)}T20:${minute} ${two(index + 2)}T00:${minute}`
      : `${two(index + 1)}T07:${minute} 12:00-12:${two(person + 10)} ${two(index + 1)}T15:${two((index * 7) % 60)}`;
  });
  const asserted = [`25T08:00 25T09:${two(person)}`];
  return personWith(
    { name, employeeCode: person === 3 ? null : name },
    [...shifts, '28T22:00 29T04:00'],
    asserted,
  );
});

const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe.runIf(hasProgram)('a workbook in LibreOffice', () => {
  let folder: string;
  let days: string[][];
  let totals: string[][];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-libreoffice-'));
    mkdirSync(join(folder, 'user'));
    writeFileSync(join(folder, 'user', 'registrymodifications.xcu'), SETTINGS);
    writeFileSync(join(folder, 'month.xlsx'), await sheetsXlsx(people, MADRID));
    const profile = `-env:UserInstallation=${pathToFileURL(folder)}`;
    const args = [
      profile,
      '--headless',
      '--convert-to',
      FILTER,
      '--outdir',
      folder,
      join(folder, 'month.xlsx'),
    ];
    execFileSync(PROGRAM, args, { stdio: 'pipe' });
    [days = [], totals = []] = ['Days', 'Totals'].map((sheet) => {
      const text = readFileSync(join(folder, `month-${sheet}.csv`), 'utf8').replaceAll('\n', '\r\n');
      return readCsv(text)
        .slice(1)
        .map((row) => row.map((cell) => cell.replaceAll('\r\n', '\n')));
    });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows names and codes as they are', () => {
    expect(totals.slice(0, -1).map((row) => row.slice(0, 2))).toEqual(
      people.map(({ employeeCode, name }) => [employeeCode ?? '', name]),
    );
    expect([...new Set(days.map((row) => row[3]))]).toEqual(NAMES);
  });

  it('shows dates and times of every shift to the minute', () => {
    const time = (text: string) => text.slice(0, 16).replace('T', ' ');
    expect(days.filter((row) => row[4] !== '').map(([, date, , , from, to]) => [date, from, to])).toEqual(
      people.flatMap(({ sheet }) =>
        sheet.shifts.map(({ date, from, to }) => [date, time(from), time(to ?? '')]),
      ),
    );
  });

  it('shows the sums of each person, and the hours as a clock', () => {
    expect(totals.slice(0, -1).map((row) => row.slice(2))).toEqual(
      people.map(({ sheet: { totals: of } }) => [
        ...[of.days, of.minutes, of.minutesWithAsserted, of.difference, of.breakMinutes].map(String),
        clock(of.minutes),
      ]),
    );
    const first = days.filter((row) => row[8] !== '');
    expect(first.map((row) => row.slice(8, 12))).toEqual(
      people.flatMap(({ sheet }) =>
        sheet.days.map(({ minutes, minutesWithAsserted }) => [
          ...[String(minutes), String(minutesWithAsserted), clock(minutes), clock(minutesWithAsserted)],
        ]),
      ),
    );
  });

  it('computes the sums of all, which are those of the days and of the sheets', () => {
    const all = people.map(({ sheet }) => sheet.totals);
    const minutes = sumOf(all.map((total) => total.minutes));
    const withAsserted = sumOf(all.map((total) => total.minutesWithAsserted));
    expect(totals.at(-1)).toEqual([
      ...['', 'Total', sumOf(all.map((total) => total.days)), minutes, withAsserted].map(String),
      ...[withAsserted - minutes, sumOf(all.map((total) => total.breakMinutes)), clock(minutes)].map(String),
    ]);
    expect(sumOf(days.map((row) => Number(row[8])))).toBe(minutes);
    expect(sumOf(days.map((row) => Number(row[9])))).toBe(withAsserted);
  });
});
