import { Temporal } from 'temporal-polyfill';

/** A calendar day from its first minute to before that of the next day, in minutes since 1970. It may have 23 or 25 hours. */
export interface Day {
  readonly date: string;
  readonly from: number;
  readonly to: number;
}

/** What clocks and calendars of a time zone show. */
export interface ZonedMonth {
  /** In their order. A day that the zone left out has no minutes. */
  readonly days: readonly Day[];
  /** The calendar day of a minute, of any month. */
  dateOf(minute: number): string;
  /** Local time with its difference to UTC, such as `2026-03-29T01:58+01:00`. */
  show(minute: number): string;
}

let latest: { readonly key: string; readonly month: ZonedMonth } | undefined;

/**
 * Keeps the latest month, because the sheets of a whole company are of the same.
 * @throws RangeError if the zone is unknown, or `month` is not YYYY-MM from 1973 on: before, some zones differed from UTC by seconds.
 */
export function zonedMonth(zone: string, month: string): ZonedMonth {
  const key = `${zone} ${month}`;
  if (latest?.key !== key) latest = { key, month: createMonth(zone, month) };
  return latest.month;
}

function createMonth(zone: string, month: string): ZonedMonth {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || month < '1973') throw new RangeError(`no month: ${month}`);
  const offsetAt = createOffsets(zone);
  const local = (minute: number) => new Date((minute + offsetAt(minute)) * 60_000).toISOString();
  return {
    days: daysOf(zone, month),
    dateOf: (minute) => local(minute).slice(0, 10),
    show: (minute) => local(minute).slice(0, 16) + offsetText(offsetAt(minute)),
  };
}

function daysOf(zone: string, month: string): Day[] {
  const first = Temporal.PlainDate.from(`${month}-01`);
  return Array.from({ length: first.daysInMonth }, (_, index) => {
    const date = first.add({ days: index });
    const [from, to] = [date, date.add({ days: 1 })].map((day) =>
      minuteOf(day.toZonedDateTime(zone).epochMilliseconds),
    ) as [number, number];
    return { date: date.toString(), from, to };
  });
}

/** Local time minus UTC in minutes. Asks for the zone's rules only if a minute is in no known range, which takes long. */
function createOffsets(zone: string): (minute: number) => number {
  const ranges: { readonly from: number; readonly to: number; readonly offset: number }[] = [];
  return (minute) => {
    const known = ranges.find(({ from, to }) => from <= minute && minute < to);
    if (known) return known.offset;
    const time = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(zone);
    const next = time.getTimeZoneTransition('next');
    const offset = Math.round(time.offsetNanoseconds / 60e9);
    ranges.push({
      from: minute,
      to: next ? minuteOf(next.epochMilliseconds) : Number.POSITIVE_INFINITY,
      offset,
    });
    return offset;
  };
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

function offsetText(offset: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
