import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TimeEvent } from './events.js';
import { type Sheet, type SheetOptions, sheetOf } from './sheet.js';

const EVIDENCE: readonly TimeEvent['evidence'][] = ['proved', 'declared', 'agreed'];
/** Clocks change in each month, in some zone. */
const MONTHS = ['2026-03', '2026-04', '2026-10', '2026-11'];
const ZONES = [
  ...['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kathmandu'],
  ...['Africa/Casablanca', 'America/Santiago', 'Pacific/Chatham', 'UTC'],
];

/** Gaps between events: of a double tap, a break, a shift, a weekend. */
const gapMs = fc.oneof(
  fc.integer({ min: 0, max: 120_000 }),
  fc.integer({ min: 0, max: 3_600_000 }),
  fc.integer({ min: 0, max: 12 * 3_600_000 }),
  fc.integer({ min: 0, max: 60 * 3_600_000 }),
);
const [WORK, PAUSE] = ['work', 'break'] as const;
const [IN, OUT] = ['check_in', 'check_out'] as const;
const acts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom([IN, WORK] as const, [OUT, WORK] as const) },
  { weight: 2, arbitrary: fc.constantFrom([IN, PAUSE] as const, [OUT, PAUSE] as const) },
);
/** Days as they should be, so that not all is flagged. */
const goodDay = fc.constant([
  [IN, WORK] as const,
  [OUT, PAUSE] as const,
  [IN, PAUSE] as const,
  [OUT, WORK] as const,
]);
const actLists = fc
  .array(
    fc.oneof(
      goodDay,
      acts.map((act) => [act]),
    ),
    { maxLength: 25 },
  )
  .map((lists) => lists.flat());

/** Events that begin three days before the month. */
const eventsOf = (
  month: string,
  evidence: readonly TimeEvent['evidence'][],
  name: string,
): fc.Arbitrary<TimeEvent[]> =>
  actLists.chain((list) =>
    fc
      .tuple(
        fc.array(gapMs, { minLength: list.length, maxLength: list.length }),
        fc.array(fc.constantFrom(...evidence), { minLength: list.length, maxLength: list.length }),
      )
      .map(([gaps, kinds]) => {
        let at = Date.parse(`${month}-01T00:00:00.000Z`) - 3 * 86_400_000;
        return list.map(([type, reason], index): TimeEvent => {
          at += gaps[index] ?? 0;
          const occurredAt = new Date(at).toISOString();
          return { id: `${name}${index}`, type, reason, occurredAt, evidence: kinds[index] ?? 'proved' };
        });
      }),
  );

interface Case {
  readonly own: TimeEvent[];
  readonly asserted: TimeEvent[];
  readonly options: SheetOptions<number>;
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...ZONES), fc.constantFrom(...MONTHS), fc.constantFrom('none' as const, 'DE', 'ES'))
  .chain(([zone, month, rules]) =>
    fc.record({
      own: eventsOf(month, EVIDENCE, 'own'),
      asserted: eventsOf(month, ['asserted'], 'asserted'),
      options: fc.constant({ zone, month, rules, version: 1 }),
    }),
  );

const holds = (check: (given: Case) => void) => fc.assert(fc.property(cases, check), { numRuns: 300 });
const monthAfter = (month: string, by: number) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
};
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

it('the order of the events does not matter', () => {
  fc.assert(
    fc.property(
      cases.chain(({ own, asserted, options }) => {
        const all = [...own, ...asserted];
        const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
        return fc.record({ all: fc.constant(all), shuffled, options: fc.constant(options) });
      }),
      ({ all, shuffled, options }) => {
        expect(sheetOf(shuffled, options)).toEqual(sheetOf(all, options));
      },
    ),
    { numRuns: 300 },
  );
});

it('asserted rows never change minutes, shifts and days of the person’s own rows, and never lower the other sum', () => {
  holds(({ own, asserted, options }) => {
    const [alone, both] = [sheetOf(own, options), sheetOf([...own, ...asserted], options)];
    const minutesByDay = ({ days }: Sheet) =>
      days.filter((day) => day.minutes > 0).map(({ date, minutes }) => [date, minutes]);
    expect(minutesByDay(both)).toEqual(minutesByDay(alone));
    expect(both.totals.minutes).toBe(alone.totals.minutes);
    expect(both.totals.breakMinutes).toBe(alone.totals.breakMinutes);
    const withoutFlags = ({ shifts }: Sheet) =>
      shifts.filter((shift) => !shift.asserted).map(({ flags, ...shift }) => shift);
    expect(withoutFlags(both)).toEqual(withoutFlags(alone));
    expect(both.flags).toEqual(expect.arrayContaining([...alone.flags]));
    for (const each of [...both.shifts, ...both.days, both.totals])
      expect(each.minutesWithAsserted).toBeGreaterThanOrEqual(each.minutes);
    expect(alone.totals.difference).toBe(0);
  });
});

it('the totals are the sums of the days', () => {
  holds(({ own, asserted, options }) => {
    const { days, totals } = sheetOf([...own, ...asserted], options);
    for (const of of ['minutes', 'minutesWithAsserted', 'breakMinutes'] as const)
      expect(totals[of]).toBe(sum(days.map((day) => day[of])));
    expect(totals.difference).toBe(totals.minutesWithAsserted - totals.minutes);
  });
});

it('the days of neighbouring months count each minute of all shifts once', () => {
  holds(({ own, asserted, options }) => {
    const months = Array.from({ length: 8 }, (_, index) => monthAfter(options.month, index - 1));
    const sheets = months.map((month) => sheetOf([...own, ...asserted], { ...options, month }));
    const shifts = sheets.flatMap((sheet) => sheet.shifts);
    expect(new Set(shifts.map(({ fromId }) => fromId)).size).toBe(shifts.length);
    for (const of of ['minutes', 'minutesWithAsserted'] as const)
      expect(sum(sheets.map(({ totals }) => totals[of]))).toBe(sum(shifts.map((shift) => shift[of])));
    const breaks = shifts.filter((shift) => !shift.asserted).map(({ breakMinutes }) => breakMinutes);
    expect(sum(sheets.map(({ totals }) => totals.breakMinutes))).toBe(sum(breaks));
  });
});

/** Minutes between two shown times, from their digits alone. */
function byHand(from: string, to: string | null): number {
  if (to === null) return 0;
  const read = (text: string) => {
    const [, date = '', hours, minutes, sign, offsetHours, offsetMinutes] =
      /^(.{10})T(\d\d):(\d\d)([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
    const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
    return Date.parse(date) / 60_000 + Number(hours) * 60 + Number(minutes) - offset;
  };
  return read(to) - read(from);
}

it('the minutes of a shift are those between the shown times, added up by hand', () => {
  holds(({ own, asserted, options }) => {
    for (const { from, to, breaks, ...shift } of sheetOf([...own, ...asserted], options).shifts) {
      for (const pause of breaks) expect(pause.minutes).toBe(byHand(pause.from, pause.to));
      const pauses = sum(breaks.map(({ minutes }) => minutes));
      expect(shift.breakMinutes).toBe(pauses);
      expect(shift.minutesWithAsserted).toBe(to === null ? 0 : byHand(from, to) - pauses);
      expect(shift.minutes).toBe(shift.asserted ? 0 : shift.minutesWithAsserted);
    }
  });
});

it('shifts do not overlap, and every event is in one place or flagged', () => {
  holds(({ own, asserted, options }) => {
    const events = [...own, ...asserted];
    const sheets = Array.from({ length: 8 }, (_, index) =>
      sheetOf(events, { ...options, month: monthAfter(options.month, index - 1), rules: 'none' }),
    );
    const shifts = sheets.flatMap((sheet) => sheet.shifts);
    // One that begins and ends in the same minute covers no time.
    const closed = shifts.filter(({ from, to }) => to !== null && to !== from);
    for (const [index, shift] of closed.entries())
      expect(byHand(closed[index - 1]?.to ?? shift.from, shift.from)).toBeGreaterThanOrEqual(0);
    const used = new Set([
      ...shifts.flatMap((shift) => [shift, ...shift.breaks]).flatMap(({ fromId, toId }) => [fromId, toId]),
      ...sheets.flatMap(({ flags }) => flags).flatMap(({ eventIds }) => eventIds),
    ]);
    expect(events.filter(({ id }) => !used.has(id))).toEqual([]);
  });
});

it('a sheet survives JSON', () => {
  holds(({ own, asserted, options }) => {
    const sheet = sheetOf([...own, ...asserted], options);
    expect(JSON.parse(JSON.stringify(sheet))).toEqual(sheet);
  });
});
