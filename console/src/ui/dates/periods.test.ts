import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isSameDay, nameOfDay, readDay, startOfDay, textOfDay } from './days';
import { dayAfterKey, monthAfter, weeksOf } from './month';
import { PERIODS, type Period, rangeOf } from './periods';

const before = process.env.TZ;
afterAll(() => {
  process.env.TZ = before;
});

/** Zones that change their clocks, one by half an hour and one at midnight, and zones at both ends of the day. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
];
const time = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2030-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const inAnyZone = (check: (now: Date) => void) =>
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), time, (zone, now) => {
      process.env.TZ = zone;
      check(now);
    }),
    { numRuns: 500 },
  );

/** The days that a range contains, counted hour by hour. */
function daysIn({ from, to }: { readonly from: Date; readonly to: Date }): number {
  const days = new Set<string>();
  for (let at = from.getTime(); at < to.getTime(); at += 1_800_000) days.add(new Date(at).toDateString());
  return days.size;
}

describe('the periods of a date filter', () => {
  it('begin and end at midnight in every time zone, also when clocks change', () => {
    inAnyZone((now) => {
      for (const period of Object.keys(PERIODS) as Period[]) {
        const { from, to } = rangeOf(period, now);
        for (const end of [from, to]) {
          expect(end).toEqual(startOfDay(end));
          expect(new Date(end.getTime() - 1).toDateString()).not.toBe(end.toDateString());
        }
      }
    });
  });

  it('contain as many days as they say, up to today', { tags: ['ci'] }, () => {
    inAnyZone((now) => {
      const expected: Readonly<Record<Period, number>> = {
        today: 1,
        yesterday: 1,
        '7-days': 7,
        '30-days': 30,
        month: now.getDate(),
      };
      for (const period of Object.keys(PERIODS) as Period[]) {
        const range = rangeOf(period, now);
        expect(daysIn(range), period).toBe(expected[period]);
        expect(range.from <= now && now < range.to).toBe(period !== 'yesterday');
      }
      expect(rangeOf('yesterday', now).to).toEqual(rangeOf('today', now).from);
    });
  });
});

describe('days', () => {
  it('are the same after they were written as text', () => {
    inAnyZone((now) => expect(readDay(textOfDay(now))).toEqual(startOfDay(now)));
  });

  it('have names near today', () => {
    inAnyZone((now) => {
      expect(nameOfDay(now, now, 'en-GB')).toBe('Today');
      expect(nameOfDay(startOfDay(now, -1), now, 'en-GB')).toBe('Yesterday');
      expect(nameOfDay(startOfDay(now, -2), now, 'en-GB')).toMatch(/day,? \d+ \w+( \d{4})?$/);
    });
  });
});

describe('a month of a calendar', () => {
  it('has each of its days once, in whole weeks that begin with the first weekday', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), time, fc.nat(6), (zone, now, firstDay) => {
        process.env.TZ = zone;
        const weeks = weeksOf(now, firstDay);
        const days = weeks.flat();
        expect(new Set(days.map(textOfDay)).size).toBe(days.length);
        expect(days.filter((day) => day.getMonth() === now.getMonth()).length).toBe(
          new Date(now.getFullYear(), now.getMonth() + 1, 0).getDate(),
        );
        for (const week of weeks) expect(week.map((day) => day.getDay())[0]).toBe(firstDay);
        expect(days.every((day, at) => at === 0 || isSameDay(day, startOfDay(days[at - 1] as Date, 1)))).toBe(
          true,
        );
      }),
    );
  });

  it('moves by the keys of a grid, and stays within a shorter month', () => {
    process.env.TZ = 'Europe/Berlin';
    const day = new Date(2027, 0, 31);
    const after = (key: string, hasShift = false, rtl = false) =>
      textOfDay(dayAfterKey(key, hasShift, day, 1, rtl) ?? new Date(0));
    expect(after('ArrowRight')).toBe('2027-02-01');
    expect(after('ArrowRight', false, true)).toBe('2027-01-30');
    expect(after('ArrowUp')).toBe('2027-01-24');
    expect(after('Home')).toBe('2027-01-25');
    expect(after('End')).toBe('2027-01-31');
    expect(after('PageDown')).toBe('2027-02-28');
    expect(after('PageDown', true)).toBe('2028-01-31');
    expect(after('PageUp', true)).toBe('2026-01-31');
    expect(dayAfterKey('Tab', false, day, 1, false)).toBeUndefined();
    expect(textOfDay(monthAfter(new Date(2028, 1, 29), 12))).toBe('2029-02-28');
  });
});
