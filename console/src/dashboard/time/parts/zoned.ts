import { locale } from '../language/strings';

/** A time as it is read at a site: of its zone, in the language of the reader. */
export const zoned = (timeZone: string, options: Intl.DateTimeFormatOptions): ((at: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  return (at) => format.format(Date.parse(at));
};

/** The month at a site at some time, such as `2026-05`. */
export function monthAt(timeZone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(
    now,
  );
  const part = (type: 'year' | 'month') => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}`;
}
