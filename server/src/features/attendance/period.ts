/** Formats of one zone are made once: making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 600;

/** The month of a time in a zone, as YYYY-MM. */
export function periodOf(at: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    if (formats.size >= MAX_FORMATS) formats.clear();
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}`;
}

/** A month before or after another, as YYYY-MM. */
export function monthFrom(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
}

/** The first month whose hours a site still keeps. */
export const firstKeptMonth = (
  {
    time_zone: zone,
    retention_months: months,
  }: { readonly time_zone: string; readonly retention_months: number },
  now: number,
): string => monthFrom(periodOf(new Date(now), zone), -months);
