import type { PersonSheet } from '@svc/sdk';

/** Minutes as people add them up, such as `7:45`. */
export const hoursOf = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

/** Of a local time such as `2026-05-12T08:02+02:00`. A question mark if it is missing. */
export const clockOf = (local: string | null): string => local?.slice(11, 16) ?? '?';

/** The month that many months later. `month`: YYYY-MM. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, of - 1 + months, 1)).toISOString().slice(0, 7);
}

/** YYYY-MM at a time, in a time zone. */
export function monthAt(now: number, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ year: 'numeric', month: '2-digit', calendar: 'gregory', numberingSystem: 'latn' },
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(now);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}`;
}

/** YYYY-MM-DD at a time, in a time zone. */
export const dayAt = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);

/** A line of a sheet: a shift, or a day with a mark, such as a holiday. A day with nothing but a flag has an empty mark. */
export type Line = { readonly date: string } & (
  | { readonly shift: PersonSheet['sheet']['shifts'][number] }
  | { readonly mark: string }
);

/** In the order of the month. */
export function linesOf({ sheet, marks }: Pick<PersonSheet, 'sheet' | 'marks'>): readonly Line[] {
  const lines: readonly Line[] = [
    ...sheet.shifts.map((shift) => ({ date: shift.date, shift })),
    ...marks.map(({ date, code }) => ({ date, mark: code })),
  ];
  const dates = new Set(lines.map(({ date }) => date));
  const flagged = new Set(sheet.flags.map(({ date }) => date).filter((date) => !dates.has(date)));
  return [...lines, ...[...flagged].map((date) => ({ date, mark: '' }))].sort((a, b) =>
    a.date.localeCompare(b.date),
  );
}
