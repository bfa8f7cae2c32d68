import { DAY_COLUMNS, type DayColumn, type DayRow, flagCodesOf } from '../day-rows.js';
import { dateCell, hoursCell, numberCell, textCell, timeCell } from './cells.js';
import { columnsOf, type OfPerson, PERSON_COLUMNS } from './columns.js';

export type DayOfSite = OfPerson<DayRow> & { readonly site: string };

export const dayColumns = columnsOf<DayColumn, DayOfSite>(DAY_COLUMNS, {
  ...PERSON_COLUMNS,
  site: [20, ({ site }) => textCell(site)],
  date: [12, ({ date }) => dateCell(date)],
  from: [17, ({ shift }) => shift && timeCell(shift.from)],
  to: [17, ({ shift }) => (shift?.to ? timeCell(shift.to) : undefined)],
  asserted: [10, ({ shift }) => shift && { value: shift.asserted, type: Boolean }],
  breakMinutes: [14, ({ day }) => day && numberCell(day.breakMinutes)],
  minutes: [10, ({ day }) => day && numberCell(day.minutes)],
  minutesWithAsserted: [21, ({ day }) => day && numberCell(day.minutesWithAsserted)],
  hours: [9, ({ day }) => day && hoursCell(day.minutes)],
  hoursWithAsserted: [19, ({ day }) => day && hoursCell(day.minutesWithAsserted)],
  flags: [40, ({ day }) => day && textCell(flagCodesOf(day))],
});
