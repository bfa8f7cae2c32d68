import { locale } from '../language/strings';

const FIRST_OF = (month: string) => Date.parse(`${month}-01T00:00:00Z`);

/** The month some months after another, such as `2026-04` and -1. */
export function monthAfter(month: string, months: number): string {
  const first = new Date(FIRST_OF(month));
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months)).toISOString().slice(0, 7);
}

/** A month as text, such as “May 2026”. */
export const nameOfMonth = (month: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    FIRST_OF(month),
  );

export interface CalendarDay {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly day: number;
  readonly isWeekend: boolean;
}

/** All days of a month. */
export function daysOf(month: string): readonly CalendarDay[] {
  const first = new Date(FIRST_OF(month));
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Array.from({ length: count }, (_, at) => {
    const date = `${month}-${String(at + 1).padStart(2, '0')}`;
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    return { date, day: at + 1, isWeekend: weekday === 0 || weekday === 6 };
  });
}

/** A day as text, such as “Tue 12 May”. */
export const nameOfDay = (date: string, options: Intl.DateTimeFormatOptions = {}): string =>
  new Intl.DateTimeFormat(locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...options,
  }).format(Date.parse(`${date}T00:00:00Z`));
