/** The items of each day in the reader's time zone, in their order, with names such as “Today” or “12 May 2026”. */
export function groupByDay<T extends { readonly at: string }>(
  items: readonly T[],
  now: Date,
  locale: string,
): { readonly day: string; readonly items: T[] }[] {
  const groups: { day: string; items: T[] }[] = [];
  const names = dayNames(now, locale);
  for (const item of items) {
    const day = names(new Date(item.at));
    const last = groups.at(-1);
    if (last?.day === day) last.items.push(item);
    else groups.push({ day, items: [item] });
  }
  return groups;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const startOf = (date: Date): number => new Date(date).setHours(0, 0, 0, 0);

function dayNames(now: Date, locale: string): (date: Date) => string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return (date) => {
    // Rounded, because a day in which the clocks change has 23 or 25 hours.
    const days = Math.round((startOf(now) - startOf(date)) / DAY_MS);
    return days === 0 || days === 1 ? capitalized(relative.format(-days, 'day'), locale) : full.format(date);
  };
}

const capitalized = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
