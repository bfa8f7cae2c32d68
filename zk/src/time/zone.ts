import { Temporal } from 'temporal-polyfill';

const DAY_MINUTES = 1_440;

/** A calendar day from its first minute to before that of the next day, in minutes since 1970. It may have 23 or 25 hours. */
export interface Day {
  readonly date: string;
  readonly from: number;
  readonly to: number;
}

/** Days of a month and local times in a time zone. */
export interface ZonedMonth {
  /** In order. A day that the zone skipped has no minutes. */
  readonly days: readonly Day[];
  /** The calendar day of a minute, of any month. */
  dateOf(minute: number): string;
  /** Local time with its difference to UTC, such as `2026-03-29T01:58+01:00`. */
  show(minute: number): string;
}

let latest: { readonly key: string; readonly month: ZonedMonth } | undefined;

/**
 * Caches the latest month, because the sheets of a site are usually computed together.
 * @throws RangeError if the zone is unknown, or `month` is not YYYY-MM from 1973 on: before, some zones differed from UTC by seconds.
 */
export function zonedMonth(zone: string, month: string): ZonedMonth {
  const key = `${zone} ${month}`;
  if (latest?.key !== key) latest = { key, month: createMonth(zone, month) };
  return latest.month;
}

function createMonth(zone: string, month: string): ZonedMonth {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || month < '1973') throw new RangeError(`no month: ${month}`);
  const periodAt = createPeriods(zone);
  const dateOfDay = createDates();
  const dayOf = (local: number) => Math.floor(local / DAY_MINUTES);
  return {
    days: daysOf(zone, month, periodAt),
    dateOf: (minute) => dateOfDay(dayOf(minute + periodAt(minute).offset)),
    show(minute) {
      const { offset, shown } = periodAt(minute);
      const local = minute + offset;
      const day = dayOf(local);
      return `${dateOfDay(day)}T${clockText(local - day * DAY_MINUTES)}${shown}`;
    },
  };
}

/** The date of a day, counted from 1970. Keeps each, because writing a date takes long. */
function createDates(): (day: number) => string {
  const dates = new Map<number, string>();
  return (day) => {
    const known = dates.get(day);
    if (known !== undefined) return known;
    const date = new Date(day * DAY_MINUTES * 60_000).toISOString().slice(0, 10);
    dates.set(day, date);
    return date;
  };
}

/** A time without a change of the clocks, in minutes since 1970. */
interface Period {
  readonly from: number;
  readonly to: number;
  /** Local time minus UTC. */
  readonly offset: number;
  /** The offset as text, such as `+01:00`. */
  readonly shown: string;
}

/** Asks for the rules of the zone only if no known period has the minute, because that takes long. */
function createPeriods(zone: string): (minute: number) => Period {
  const periods: Period[] = [];
  return (minute) => {
    const known = periods.find(({ from, to }) => from <= minute && minute < to);
    if (known) return known;
    const time = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(zone);
    const next = time.getTimeZoneTransition('next');
    const to = next ? minuteOf(next.epochMilliseconds) : Number.POSITIVE_INFINITY;
    const offset = Math.round(time.offsetNanoseconds / 60e9);
    const period = { from: minute, to, offset, shown: offsetText(offset) };
    periods.push(period);
    return period;
  };
}

function daysOf(zone: string, month: string, periodAt: (minute: number) => Period): Day[] {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const startOf = (date: Temporal.PlainDate) => minuteOf(date.toZonedDateTime(zone).epochMilliseconds);
  const firstMinute = minuteOf(Date.parse(`${month}-01`));
  let from = startOf(first);
  return Array.from({ length: first.daysInMonth }, (_, index) => {
    const nextMidnight = firstMinute + (index + 1) * DAY_MINUTES;
    const { offset, to: change } = periodAt(from);
    const expected = nextMidnight - offset;
    // After a change of the clocks, only the rules of the zone say when the next day begins.
    const to = expected < change ? expected : startOf(first.add({ days: index + 1 }));
    const day = { date: first.add({ days: index }).toString(), from, to };
    from = to;
    return day;
  });
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

const offsetText = (offset: number): string => `${offset < 0 ? '-' : '+'}${clockText(Math.abs(offset))}`;

function clockText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${hours < 10 ? '0' : ''}${hours}:${rest < 10 ? '0' : ''}${rest}`;
}
