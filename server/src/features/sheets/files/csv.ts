import { DAY_COLUMNS, type DayColumn, dayRowsOf, flagCodesOf } from './day-rows.js';
import { type People, type PersonSheet, type SitePeriod, sheetIn } from './people.js';
import { encoded, hoursOf, type TableFormat, tableRow } from './table-format.js';

/**
 * The days of all people as CSV. A day has a row for each shift that began on it: `from` and `to` are local times with their difference to
 * UTC, and `to` is empty if the shift has no end. `asserted` is `true` if the shift is. A day on which no shift began has one row
 * without these.
 *
 * The sums and flags are of the calendar day and stand in its first row, so every column of minutes adds up to the totals of the sheets.
 * Minutes are exact. `hours` and `hoursWithAsserted` show them in the chosen way, and are left out if that is `minutes`.
 *
 * A spreadsheet runs text as a formula if it begins with `=`, `+`, `-` or `@`. Such a text gets an apostrophe before it.
 * @returns the bytes, a piece for the header and for each person
 * @throws RangeError if a sheet is of another month or time zone
 */
export const sheetsCsv = (people: People, period: SitePeriod, format: TableFormat): AsyncGenerator<Buffer> =>
  encoded(piecesOf(people, period, format), format);

const HOURS: ReadonlySet<DayColumn> = new Set(['hours', 'hoursWithAsserted']);

async function* piecesOf(people: People, period: SitePeriod, format: TableFormat): AsyncGenerator<string> {
  const columns = DAY_COLUMNS.filter((name) => format.hours !== 'minutes' || !HOURS.has(name));
  yield tableRow(columns, format);
  for await (const person of people) {
    const rows = cellsOf(person, period, format).map((cells) => columns.map((name) => cells[name]));
    yield rows.map((row) => tableRow(row, format)).join('');
  }
}

function cellsOf(person: PersonSheet, period: SitePeriod, format: TableFormat) {
  const { employeeCode, name } = person;
  return dayRowsOf(sheetIn(period, person)).map(
    ({ date, day, shift }): Record<DayColumn, unknown> => ({
      ...{ site: period.site.name, date, employeeCode, name },
      ...{ from: shift?.from, to: shift?.to, asserted: shift?.asserted },
      breakMinutes: day?.breakMinutes,
      minutes: day?.minutes,
      minutesWithAsserted: day?.minutesWithAsserted,
      hours: day && hoursOf(day.minutes, format),
      hoursWithAsserted: day && hoursOf(day.minutesWithAsserted, format),
      flags: day && flagCodesOf(day),
    }),
  );
}
