import type { Sheet, SheetDay, SheetShift } from '@svc/zk/time/sheet';

/** The columns of a table of days. */
export const DAY_COLUMNS = [
  'site',
  'date',
  'employeeCode',
  'name',
  'from',
  'to',
  'asserted',
  'breakMinutes',
  'minutes',
  'minutesWithAsserted',
  'hours',
  'hoursWithAsserted',
  'flags',
] as const;

export type DayColumn = (typeof DAY_COLUMNS)[number];

/** A row of a table of days: a day and one of the shifts that began on it. */
export interface DayRow {
  readonly date: string;
  /** The sums of the day, in the first row of each. So every minute is in the table once, and columns can be added up. */
  readonly day?: SheetDay;
  /** Undefined on a day on which none began, such as the second day of a night shift. */
  readonly shift: SheetShift | undefined;
}

/** The sums of a day whose shifts are not over, or ended in the minute in which they began. */
const NOTHING = { minutes: 0, minutesWithAsserted: 0, breakMinutes: 0, flags: [] };

/** The days with anything on them, in order. A day has a row for each of its shifts, and one if it has none. */
export function dayRowsOf({ days, shifts }: Sheet): DayRow[] {
  const dates = new Set([...days, ...shifts].map(({ date }) => date));
  return [...dates].sort().flatMap((date): DayRow[] => {
    const [first, ...others] = shifts.filter((shift) => shift.date === date);
    const day = days.find((one) => one.date === date) ?? { date, ...NOTHING };
    return [{ date, day, shift: first }, ...others.map((shift) => ({ date, shift }))];
  });
}

/** The codes of the day's flags, each once, separated by spaces. */
export const flagCodesOf = ({ flags }: SheetDay): string =>
  [...new Set(flags.map(({ code }) => code))].join(' ');
