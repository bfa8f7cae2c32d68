import { COUNTRY_RULES, type Country, type CountryRules, type RuleCode } from './country-rules.js';
import type { Row } from './events.js';
import { breakSpans, minutesIn, minutesOf, type Span, spanOf, workSpans } from './spans.js';
import { type ClosedStay, isClosed, type Stay } from './stays.js';
import type { ZonedMonth } from './zone.js';

export interface RuleFlag {
  readonly code: RuleCode;
  readonly date: string;
  readonly rows: readonly Row[];
}

/** The shifts that began on one calendar day. The time between two of them is a break. */
interface Workday {
  readonly date: string;
  readonly shifts: readonly Stay[];
}

/**
 * The flags of a country's rules, at most one per code and day. A day is too long if the shifts that began on it are, or the work between
 * its two midnights. This finds a long night shift as well as the halves of two on one day. Rest is measured between the shifts of two
 * days, so checking out for lunch is not a short rest.
 */
export function ruleFlags(stays: readonly Stay[], month: ZonedMonth, country: Country): RuleFlag[] {
  const rules = COUNTRY_RULES[country];
  const flags: RuleFlag[] = [];
  const workdays = workdaysOf(stays, month);
  for (const [index, workday] of workdays.entries()) {
    flags.push(...workdayFlags(workday, rules));
    const rest = restFlag(workdays[index - 1], workday, rules);
    if (rest) flags.push(rest);
  }
  const flagged = new Set(flags.filter(({ code }) => code === rules.day.code).map(({ date }) => date));
  return [...flags, ...calendarDayFlags(stays, month, rules).filter(({ date }) => !flagged.has(date))];
}

function workdaysOf(stays: readonly Stay[], { dateOf }: ZonedMonth): Workday[] {
  const days: { date: string; shifts: Stay[] }[] = [];
  for (const stay of stays) {
    const date = dateOf(stay.from.minute);
    const day = days.at(-1);
    if (day?.date === date) day.shifts.push(stay);
    else days.push({ date, shifts: [stay] });
  }
  return days;
}

/** Only closed shifts have minutes. */
function workdayFlags({ date, shifts }: Workday, rules: CountryRules): RuleFlag[] {
  const closed = shifts.filter(isClosed);
  const work = closed.flatMap(workSpans);
  const minutes = minutesOf(work);
  const counting = [...closed.flatMap(breakSpans), ...between(closed)].filter(
    (span) => minutesOf([span]) >= rules.shortestBreak,
  );
  const { day, breaks, inARow } = rules;
  const codes = [
    ...(minutes > day.max ? [day.code] : []),
    ...breaks.filter(({ over, min }) => minutes > over && minutesOf(counting) < min).map(({ code }) => code),
    ...(inARow && longestInARow(work, counting) > inARow.max ? [inARow.code] : []),
  ];
  return codes.map((code) => ({ code, date, rows: endsOf(closed) }));
}

/** The time between each shift and the next. */
const between = (shifts: readonly ClosedStay[]): Span[] =>
  shifts.slice(1).flatMap(({ from }, index) => spanOf({ from: shifts[index]?.to ?? from, to: from }));

/** The most minutes of work between two breaks that count. */
function longestInARow(work: readonly Span[], counting: readonly Span[]): number {
  const sums = new Map<number, number>();
  for (const span of work) {
    const breaksBefore = counting.filter(({ to }) => to <= span.from).length;
    sums.set(breaksBefore, (sums.get(breaksBefore) ?? 0) + minutesOf([span]));
  }
  return Math.max(0, ...sums.values());
}

function restFlag(before: Workday | undefined, { date, shifts }: Workday, { rest }: CountryRules) {
  const from = before?.shifts.at(-1)?.to;
  const to = shifts[0]?.from;
  if (!from || !to || to.minute - from.minute >= rest.min) return undefined;
  return { code: rest.code, date, rows: [from, to] };
}

function calendarDayFlags(stays: readonly Stay[], { days }: ZonedMonth, { day }: CountryRules): RuleFlag[] {
  const closed = stays.filter(isClosed).map((stay) => ({ stay, work: workSpans(stay) }));
  return days.flatMap((of) => {
    const shifts = closed.filter(({ work }) => minutesIn(of, work) > 0);
    if (
      minutesIn(
        of,
        shifts.flatMap(({ work }) => work),
      ) <= day.max
    )
      return [];
    return [{ code: day.code, date: of.date, rows: endsOf(shifts.map(({ stay }) => stay)) }];
  });
}

const endsOf = (shifts: readonly ClosedStay[]): Row[] => shifts.flatMap(({ from, to }) => [from, to]);
