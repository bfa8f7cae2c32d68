import { pairAsserted } from './asserted.js';
import type { Country } from './country-rules.js';
import { compareRows, rowsOf, type TimeEvent } from './events.js';
import { type Flag, flagsOf } from './flags.js';
import { breakSpans, minutesIn, minutesOf, spanOf, workSpans } from './spans.js';
import { isClosed, type Pause, pairRows, type Stay } from './stays.js';
import { type ZonedMonth, zonedMonth } from './zone.js';

export interface SheetOptions<Version extends string | number = string | number> {
  /** A time zone of the IANA database, such as `Europe/Madrid`. */
  readonly zone: string;
  /** YYYY-MM */
  readonly month: string;
  /** The country whose rules are flagged. */
  readonly rules: 'none' | Country;
  /** The version of the rules, copied to the sheet. */
  readonly version: Version;
}

/** Times are local with their difference to UTC and without seconds, such as `2026-03-02T07:58+01:00`. All sums are in minutes. */
export interface Sheet<Version extends string | number = string | number> {
  readonly version: Version;
  readonly zone: string;
  readonly month: string;
  /** Shifts whose check-in is in the month, in full. */
  readonly shifts: readonly SheetShift[];
  /** Days of the month with work, breaks or a flag. Shifts are split at local midnight. */
  readonly days: readonly SheetDay[];
  readonly totals: SheetTotals;
  /** Flags with a date in the month. */
  readonly flags: readonly Flag[];
}

export interface SheetMinutes {
  /** By the person's own rows alone: proved, declared and agreed ones. */
  readonly minutes: number;
  /** Includes asserted shifts. Never less than `minutes`. */
  readonly minutesWithAsserted: number;
  /** Breaks with an end. Days and totals leave out breaks of asserted shifts. */
  readonly breakMinutes: number;
}

export interface SheetShift extends SheetMinutes {
  readonly from: string;
  readonly to: string | null;
  readonly fromId: string;
  readonly toId: string | null;
  /** The day of its check-in. */
  readonly date: string;
  /** Whether all its rows are asserted. Asserted rows are never paired with the person's own. */
  readonly asserted: boolean;
  readonly breaks: readonly SheetBreak[];
  /** Flags that name one of its events, even if their date is in another month. */
  readonly flags: readonly Flag[];
}

export interface SheetBreak {
  readonly from: string;
  readonly to: string | null;
  readonly fromId: string;
  readonly toId: string | null;
  readonly minutes: number;
}

export interface SheetDay extends SheetMinutes {
  readonly date: string;
  readonly flags: readonly Flag[];
}

/** The sums of the days. */
export interface SheetTotals extends SheetMinutes {
  /** The minutes that asserted shifts add. */
  readonly difference: number;
  /** Days with work. */
  readonly days: number;
}

/**
 * One person's hours of a month. Every time is first cut to the minute that the sheet shows and then subtracted, so the sums can be added
 * up by hand. Nothing is rounded, deducted or guessed: what doesn't fit has a flag, and a shift without an end has no minutes.
 *
 * Pass also the events of some days before and after the month, so that shifts over its ends are whole.
 * @throws RangeError if the zone or month is unknown. TypeError if the time of an event is not in UTC.
 */
export function sheetOf<Version extends string | number>(
  events: readonly TimeEvent[],
  { zone, month, rules, version }: SheetOptions<Version>,
): Sheet<Version> {
  const calendar = zonedMonth(zone, month);
  const rows = rowsOf(events);
  const own = pairRows(rows.filter(({ isAsserted }) => !isAsserted));
  const asserted = pairAsserted(
    rows.filter(({ isAsserted }) => isAsserted),
    own.stays,
  );
  const all = [...own.stays, ...asserted.stays].sort((a, b) => compareRows(a.from, b.from));
  const flags = flagsOf(own, asserted, all, { month: calendar, rules });

  const days = daysOf({ own: own.stays, all, flags }, calendar);
  return {
    ...{ version, zone, month },
    shifts: all
      .filter(({ from }) => calendar.dateOf(from.minute).startsWith(month))
      .map((stay) => shiftOf(stay, flags, calendar)),
    days,
    totals: totalsOf(days),
    flags: flags.filter(({ date }) => date.startsWith(month)),
  };
}

function shiftOf(stay: Stay, flags: readonly Flag[], { dateOf, show }: ZonedMonth): SheetShift {
  const spanTexts = ({ from, to }: Pause) => ({
    ...{ from: show(from.minute), to: to ? show(to.minute) : null },
    ...{ fromId: from.id, toId: to ? to.id : null },
  });
  const minutes = isClosed(stay) ? minutesOf(workSpans(stay)) : 0;
  const ids = new Set([stay, ...stay.breaks].flatMap(({ from, to }) => (to ? [from.id, to.id] : [from.id])));
  return {
    ...spanTexts(stay),
    date: dateOf(stay.from.minute),
    asserted: stay.from.isAsserted,
    minutes: stay.from.isAsserted ? 0 : minutes,
    minutesWithAsserted: minutes,
    breaks: stay.breaks.map((pause) => ({ ...spanTexts(pause), minutes: minutesOf(spanOf(pause)) })),
    breakMinutes: minutesOf(breakSpans(stay)),
    flags: flags.filter(({ eventIds }) => eventIds.some((id) => ids.has(id))),
  };
}

interface DayParts {
  readonly own: readonly Stay[];
  readonly all: readonly Stay[];
  readonly flags: readonly Flag[];
}

function daysOf({ own, all, flags }: DayParts, { days }: ZonedMonth): SheetDay[] {
  const work = own.filter(isClosed).flatMap(workSpans);
  const workWithAsserted = all.filter(isClosed).flatMap(workSpans);
  const breaks = own.flatMap(breakSpans);
  return days
    .map((day) => ({
      date: day.date,
      minutes: minutesIn(day, work),
      minutesWithAsserted: minutesIn(day, workWithAsserted),
      breakMinutes: minutesIn(day, breaks),
      flags: flags.filter(({ date }) => date === day.date),
    }))
    .filter((day) => day.minutesWithAsserted > 0 || day.breakMinutes > 0 || day.flags.length > 0);
}

function totalsOf(days: readonly SheetDay[]): SheetTotals {
  const sum = (of: keyof SheetMinutes) => days.reduce((total, day) => total + day[of], 0);
  const [minutes, minutesWithAsserted] = [sum('minutes'), sum('minutesWithAsserted')];
  return {
    ...{ minutes, minutesWithAsserted, difference: minutesWithAsserted - minutes },
    ...{ breakMinutes: sum('breakMinutes'), days: days.filter((day) => day.minutesWithAsserted > 0).length },
  };
}
