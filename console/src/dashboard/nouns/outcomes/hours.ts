import { dateFormat } from '../../../ui/dates/date-format';
import { onFirstUse } from '../../../ui/on-first-use';

const HOUR_MS = 3_600_000;
const LABELLED_EVERY = 6;

const TIME = dateFormat({ hour: '2-digit', minute: '2-digit' });
const TITLE = dateFormat({ weekday: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const HOURS = onFirstUse(
  () =>
    new Intl.DateTimeFormat(undefined, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

/** How a chart names an hour. Hours 0, 6, 12 and 18 of the reader's day have a label, also on a day on which clocks change. */
export const labelsOfHour = (at: number): { readonly label: string; readonly title: string } => ({
  label: new Date(at).getHours() % LABELLED_EVERY === 0 ? TIME(at) : '',
  title: TITLE(at),
});

/** An hour of the address. Undefined for any other text. */
export function readHour(text: string | null): string | undefined {
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toISOString() !== text ? undefined : text;
}

export const endOfHour = (start: string): string => new Date(Date.parse(start) + HOUR_MS).toISOString();

/** For example `12 May, 09:00 – 10:00` */
export const nameOfHour = (start: string): string =>
  HOURS().formatRange(Date.parse(start), Date.parse(start) + HOUR_MS);
