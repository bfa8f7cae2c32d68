import { startOfDay } from './days';

/** The first day of the week, as `Date.getDay` counts. Monday where the browser does not know it. */
export function firstWeekday(locale: string | undefined): number {
  const info = new Intl.Locale(locale ?? navigator.language) as Intl.Locale & {
    getWeekInfo?: () => { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return (info.getWeekInfo?.() ?? info.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

/** The weeks of a month, with the days of its neighbours that complete the first and the last. */
export function weeksOf(month: Date, firstDay: number): readonly (readonly Date[])[] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1);
  const start = startOfDay(first, -((first.getDay() - firstDay + 7) % 7));
  const weeks: Date[][] = [];
  for (let week = startOfDay(start); week < monthAfter(first, 1); week = startOfDay(week, 7))
    weeks.push(Array.from({ length: 7 }, (_, day) => startOfDay(week, day)));
  return weeks;
}

/** The same day some months later, or the last one of a month that is shorter. */
export function monthAfter(day: Date, months: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + months + 1, 0).getDate();
  return new Date(day.getFullYear(), day.getMonth() + months, Math.min(day.getDate(), last));
}

const STEPS: Readonly<Record<string, (day: Date, firstDay: number, isRightToLeft: boolean) => Date>> = {
  ArrowLeft: (day, _, rtl) => startOfDay(day, rtl ? 1 : -1),
  ArrowRight: (day, _, rtl) => startOfDay(day, rtl ? -1 : 1),
  ArrowUp: (day) => startOfDay(day, -7),
  ArrowDown: (day) => startOfDay(day, 7),
  Home: (day, first) => startOfDay(day, -((day.getDay() - first + 7) % 7)),
  End: (day, first) => startOfDay(day, 6 - ((day.getDay() - first + 7) % 7)),
  PageUp: (day) => monthAfter(day, -1),
  PageDown: (day) => monthAfter(day, 1),
};

/** Where a key of the ARIA practices for a grid of days leads, if it is one. With Shift, a page is a year. */
export function dayAfterKey(
  key: string,
  hasShift: boolean,
  day: Date,
  firstDay: number,
  isRightToLeft: boolean,
): Date | undefined {
  if (hasShift && key === 'PageUp') return monthAfter(day, -12);
  if (hasShift && key === 'PageDown') return monthAfter(day, 12);
  return STEPS[key]?.(day, firstDay, isRightToLeft);
}
