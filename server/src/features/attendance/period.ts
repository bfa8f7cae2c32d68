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
