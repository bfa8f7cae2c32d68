/** Days in the reader's time zone. All of them are counted by the calendar, because a day can have 23 or 25 hours. */

/** The start of the day that is some days after the one of `time`. */
export const startOfDay = (time: Date, days = 0): Date =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);

export const isSameDay = (left: Date, right: Date): boolean =>
  startOfDay(left).getTime() === startOfDay(right).getTime();

/** A day as text, such as `2026-05-12`. */
export function textOfDay(day: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** A day such as `2026-05-12` as its start. Undefined for other texts, for days that don't exist, and before the year 2000. */
export function readDay(text: string | null): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && year >= 2000 ? date : undefined;
}

/** “Today”, “Yesterday”, or the date, with the year unless it is this year. */
export function nameOfDay(time: Date, now: Date, locale: string | undefined): string {
  if (isSameDay(time, now)) return 'Today';
  if (isSameDay(time, startOfDay(now, -1))) return 'Yesterday';
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(time.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  }).format(time);
}
