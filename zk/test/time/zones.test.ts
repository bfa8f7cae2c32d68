// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sheetOf } from '@svc/zk/time/sheet';
import { zonedMonth } from '@svc/zk/time/zone';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIRST_YEAR, LAST_YEAR, UNUSUAL_ZONES } from './unusual-zones.js';

const MONTH_MINUTES = 31 * 24 * 60;

const months = fc
  .record({
    zone: fc.constantFrom(...UNUSUAL_ZONES),
    year: fc.integer({ min: FIRST_YEAR, max: LAST_YEAR }),
    number: fc.integer({ min: 1, max: 12 }),
    // From two days before the month to two days after it.
    offsets: fc.array(fc.integer({ min: -2_880, max: MONTH_MINUTES + 2_880 }), {
      minLength: 30,
      maxLength: 30,
    }),
    // Shifts one after another: the gap before each, and how long it is.
    shifts: fc.array(fc.tuple(fc.integer({ min: 0, max: 7 * 1_440 }), fc.integer({ min: 1, max: 1_440 })), {
      minLength: 4,
      maxLength: 4,
    }),
  })
  .map(({ zone, year, number, offsets, shifts }) => {
    const start = Date.UTC(year, number - 1) / 60_000;
    let at = start - 2_880;
    const spans = shifts.map(([gap, length]) => {
      const from = at + gap + 2;
      at = from + length;
      return [from, at] as const;
    });
    const month = new Date(start * 60_000).toISOString().slice(0, 7);
    return { zone, month, minutes: offsets.map((offset) => start + offset), spans };
  });

interface Answer {
  readonly shown: readonly string[];
  readonly days: Readonly<Record<string, number>>;
}

function askPython(cases: readonly object[]): Answer[] {
  const script = fileURLToPath(new URL('zones.py', import.meta.url));
  const { error, status, stdout, stderr } = spawnSync('python3', [script], {
    ...{ input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 2 ** 28 },
  });
  if (error) throw new Error(`The test needs python3, which could not be run: ${error.message}`);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Answer[];
}

it('shows the times and splits the days of 1,000 months in 20 zones as Python does', { tags: ['ci'] }, () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const cases = fc.sample(months, { numRuns: 1_000, seed });
  const answers = askPython(cases);
  for (const [index, { zone, month, minutes, spans }] of cases.entries()) {
    const calendar = zonedMonth(zone, month);
    const events = spans.flatMap((span, at) =>
      span.map((minute, end) => ({
        id: `${at} ${end}`,
        type: end === 0 ? ('check_in' as const) : ('check_out' as const),
        ...{ reason: 'work' as const, evidence: 'proved' as const },
        occurredAt: new Date(minute * 60_000).toISOString(),
      })),
    );
    const { days } = sheetOf(events, { zone, month, rules: 'none', version: 1 });
    const ours: Answer = {
      shown: minutes.map(calendar.show),
      days: Object.fromEntries(days.filter((day) => day.minutes > 0).map((day) => [day.date, day.minutes])),
    };
    expect(ours, `${zone} ${month}, seed ${seed}`).toEqual(answers[index]);
    expect(minutes.map(calendar.dateOf)).toEqual(ours.shown.map((text) => text.slice(0, 10)));
  }
});
