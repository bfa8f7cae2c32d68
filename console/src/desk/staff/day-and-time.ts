const DAY_MS = 24 * 60 * 60_000;

/** The midnight before a time, where the desk stands. */
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** A time as people say it: `tomorrow 07:12`, or with its date if it is further away than a day. */
export function dayAndTime(at: number, now: number, locale: string | undefined): string {
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
  if (Math.abs(days) <= 1)
    return `${new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')} ${time}`;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(at);
}
