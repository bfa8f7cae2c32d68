import type { Column, Row, Sheet } from 'write-excel-file/node';
import { dayRowsOf } from '../day-rows.js';
import { type People, type SitePeriod, sheetIn } from '../people.js';
import { type DayOfSite, dayColumns } from './days.js';
import { resultsOf, sumRowsOf, type Total, totalColumns } from './totals.js';
import { setZipDates } from './zip-times.js';

/**
 * The month as a workbook, in memory. The sheet *Days* has the columns and rows of the CSV file, the sheet *Totals* has a row for each
 * person and their sums in the last. The same input gives the same bytes.
 *
 * Names and codes are text, also those that look like formulas or numbers. Dates and times are dates. `from` and `to` are local times
 * without their difference to UTC: a shift during which the clocks change looks longer or shorter than its minutes, which are right.
 * Hours are numbers in days, shown as hours and minutes.
 * @throws RangeError if a sheet is of another month or time zone
 */
export async function sheetsXlsx(people: People, period: SitePeriod): Promise<Buffer> {
  const { default: writeXlsx, getSheetData } = await import('write-excel-file/node');
  const days: DayOfSite[] = [];
  const totals: Total[] = [];
  for await (const person of people) {
    const { name, employeeCode } = person;
    const sheet = sheetIn(period, person);
    for (const row of dayRowsOf(sheet)) days.push({ ...row, name, employeeCode, site: period.site.name });
    totals.push({ ...sheet.totals, name, employeeCode });
  }
  const sheetOf = <Item>(sheet: string, items: Item[], columns: Column<Item>[], last: Row[] = []) => ({
    ...{ sheet, data: [...getSheetData(items, columns), ...last], columns, stickyRowsCount: 1 },
  });
  const sheets: Sheet<never>[] = [
    sheetOf('Days', days, dayColumns),
    sheetOf('Totals', totals, totalColumns, sumRowsOf(totals)),
  ];
  const file = await writeXlsx(sheets, { features: [resultsOf(totals)] }).toBuffer();
  setZipDates(file);
  return file;
}
