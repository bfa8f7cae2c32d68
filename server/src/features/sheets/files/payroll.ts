import { type People, type PersonSheet, type SitePeriod, sheetIn } from './people.js';
import { encoded, hoursOf, type TableFormat, tableRow } from './table-format.js';

export interface PayrollFormat extends TableFormat {
  /** What payroll calls these hours, such as the number of a type of wage. */
  readonly workType: string;
  /** Without it, asserted minutes are left out. */
  readonly asserted?: 'include';
}

/**
 * The hours to pay as CSV, a piece at a time: `employeeCode`, `date` (YYYY-MM-DD), `type` and `hours`, which are minutes if these
 * are chosen. A person has a row for each day with any minutes.
 *
 * Asserted minutes are not the person's own statement, so this file does not pay them unless `asserted` is `include`.
 *
 * Rows without an employee code come last, with an empty one. `withoutCode` tells whose they are. Text that a spreadsheet would run as a
 * formula gets an apostrophe before it, also an employee code that begins with `-`.
 * @throws RangeError if a sheet is of another month or time zone
 */
export const payrollCsv = (
  people: People,
  period: SitePeriod,
  format: PayrollFormat,
): AsyncGenerator<Buffer> => encoded(piecesOf(people, period, format), format);

/** People whose rows of a payroll file have no employee code. */
export const withoutCode = <Person extends Pick<PersonSheet, 'employeeCode'>>(
  people: readonly Person[],
): Person[] => people.filter(({ employeeCode }) => employeeCode === null);

async function* piecesOf(people: People, period: SitePeriod, format: PayrollFormat): AsyncGenerator<string> {
  yield tableRow(['employeeCode', 'date', 'type', 'hours'], format);
  const last: string[] = [];
  for await (const person of people) {
    const rows = rowsOf(person, period, format);
    if (person.employeeCode === null) last.push(rows);
    else yield rows;
  }
  yield last.join('');
}

function rowsOf(person: PersonSheet, period: SitePeriod, format: PayrollFormat): string {
  return sheetIn(period, person)
    .days.map(({ date, minutes, minutesWithAsserted }) => ({
      date,
      paid: format.asserted === 'include' ? minutesWithAsserted : minutes,
    }))
    .filter(({ paid }) => paid > 0)
    .map(({ date, paid }) =>
      tableRow([person.employeeCode, date, format.workType, hoursOf(paid, format)], format),
    )
    .join('');
}
