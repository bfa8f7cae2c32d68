import { locale } from '../language/strings';
import { actOf, type Done } from './acts';
import { tt } from './texts';

/** A time of day in a zone. Without a zone, in that of the phone. */
export const clockText = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));

export const dayText = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(
    new Date(at),
  );

/** `month` is YYYY-MM. */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Minutes as hours and minutes, such as `8:05`. */
export const hoursText = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

/** What a row says, such as “Came, Tue 12 May, 08:01”. */
export const rowText = (row: Done, timeZone?: string): string =>
  `${tt.rows[actOf(row)]}, ${dayText(row.occurredAt, timeZone)}, ${clockText(row.occurredAt, timeZone)}`;
