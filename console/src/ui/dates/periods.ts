import { startOfDay } from './days';

/** Ranges of days that follow the calendar: an address with one of them means other days tomorrow. */
export const PERIODS = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  month: 'This month',
} as const;
export type Period = keyof typeof PERIODS;

export const isPeriod = (text: string | null): text is Period =>
  text !== null && Object.hasOwn(PERIODS, text);

/** A range of times, without its end. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** The days of a period, each of them whole, in the reader's time zone. */
export function rangeOf(period: Period, now: Date): Range {
  const tomorrow = startOfDay(now, 1);
  switch (period) {
    case 'today':
      return { from: startOfDay(now), to: tomorrow };
    case 'yesterday':
      return { from: startOfDay(now, -1), to: startOfDay(now) };
    case '7-days':
      return { from: startOfDay(now, -6), to: tomorrow };
    case '30-days':
      return { from: startOfDay(now, -29), to: tomorrow };
    case 'month':
      return { from: new Date(now.getFullYear(), now.getMonth(), 1), to: tomorrow };
  }
}
