import type { Language } from '../../ui/choose-language';

export const LOCALES: Readonly<Record<Language, string>> = { de: 'de-DE', en: 'en-GB', es: 'es-ES' };
const DAY_MS = 24 * 60 * 60_000;

const firstOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** The months from one to another, both included, newest first. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const months: string[] = [];
  for (const at = firstOf(to); at >= firstOf(from); at.setUTCMonth(at.getUTCMonth() - 1))
    months.push(at.toISOString().slice(0, 7));
  return months;
}

/** All days of a month, as YYYY-MM-DD. */
export function daysOf(month: string): readonly string[] {
  const after = firstOf(month);
  after.setUTCMonth(after.getUTCMonth() + 1);
  const count = (after.getTime() - firstOf(month).getTime()) / DAY_MS;
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}

export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(date).getUTCDay());

const utc = (language: Language, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: 'UTC' });

/** A month such as `2026-05` with its name. */
export function monthName(language: Language): (month: string) => string {
  const format = utc(language, { month: 'long', year: 'numeric' });
  return (month) => format.format(firstOf(month));
}

/** A day such as `2026-05-12` with the name of its weekday. */
export function dayName(language: Language): (date: string) => string {
  const format = utc(language, { weekday: 'short', day: '2-digit', month: '2-digit' });
  return (date) => format.format(new Date(date));
}

/** A moment in the time of the site. */
export const momentIn = (language: Language, timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    new Date(at),
  );

/** Minutes as hours and minutes, such as `7:30`. */
export const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

/** The time of a local time such as `2026-05-12T22:00+02:00`, with the number of days if it is another day. */
export function timeOf(local: string, date: string): string {
  const days = Math.round((Date.parse(local.slice(0, 10)) - Date.parse(date)) / DAY_MS);
  return local.slice(11, 16) + (days === 0 ? '' : ` (+${days})`);
}
