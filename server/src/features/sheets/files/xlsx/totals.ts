import type { SheetTotals } from '@svc/zk/time/sheet';
import type { CellObject } from 'write-excel-file/node';
import { formulaCell, HOURS, hoursCell, MINUTES_OF_A_DAY, numberCell, textCell } from './cells.js';
import { columnsOf, type OfPerson, PERSON_COLUMNS } from './columns.js';

export type Total = OfPerson<SheetTotals>;

const NAMES = [
  'employeeCode',
  'name',
  'days',
  'minutes',
  'minutesWithAsserted',
  'difference',
  'breakMinutes',
  'hours',
] as const;

export const totalColumns = columnsOf<(typeof NAMES)[number], Total>(NAMES, {
  ...PERSON_COLUMNS,
  days: [8, ({ days }) => numberCell(days)],
  minutes: [10, ({ minutes }) => numberCell(minutes)],
  minutesWithAsserted: [21, ({ minutesWithAsserted }) => numberCell(minutesWithAsserted)],
  difference: [12, ({ difference }) => numberCell(difference)],
  breakMinutes: [14, ({ breakMinutes }) => numberCell(breakMinutes)],
  hours: [10, ({ minutes }) => hoursCell(minutes)],
});

const SUMMED = ['days', 'minutes', 'minutesWithAsserted', 'difference', 'breakMinutes'] as const;

interface Sum {
  readonly formula: string;
  readonly result: number;
  readonly format?: string;
}

function sumsOf(totals: readonly Total[]): Sum[] {
  const sumOf = (name: (typeof SUMMED)[number]): Sum => {
    const column = String.fromCharCode(65 + NAMES.indexOf(name));
    return {
      formula: `SUM(${column}2:${column}${totals.length + 1})`,
      result: totals.reduce((sum, total) => sum + total[name], 0),
    };
  };
  // Hours are fractions of a day. Whole minutes add up exactly.
  const { formula, result } = sumOf('minutes');
  const hours = { formula: `${formula}/${MINUTES_OF_A_DAY}`, result: result / MINUTES_OF_A_DAY };
  return [...SUMMED.map(sumOf), { ...hours, format: HOURS }];
}

/** The last row. A sheet without people has none. */
export const sumRowsOf = (totals: readonly Total[]): (CellObject | undefined)[][] =>
  totals.length === 0 ? [] : [[undefined, textCell('Total'), ...sumsOf(totals).map(formulaCell)]];

/** Writes the results of the formulas too. Programs that only show a workbook, such as Excel's protected view, compute nothing. */
export function resultsOf(totals: readonly Total[]) {
  const results = new Map(sumsOf(totals).map(({ formula, result }) => [formula, result]));
  const transform = (xml: string) =>
    xml.replace(/<f>([^<]*)<\/f>/g, (cell, formula: string) => `${cell}<v>${results.get(formula)}</v>`);
  return { files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } };
}
