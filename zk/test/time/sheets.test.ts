// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { TimeEvent } from '@svc/zk/time/events';
import { type SheetOptions, sheetOf } from '@svc/zk/time/sheet';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIRST_YEAR, LAST_YEAR, UNUSUAL_ZONES } from './unusual-zones.js';

const SCRIPT = 'examples/time_sheet.py';
const HOUR_MS = 3_600_000;

type Act = Pick<TimeEvent, 'type' | 'reason'>;
const GOOD_DAY: readonly Act[] = [
  { type: 'check_in', reason: 'work' },
  { type: 'check_out', reason: 'break' },
  { type: 'check_in', reason: 'break' },
  { type: 'check_out', reason: 'work' },
];
/** Days as they should be, and single acts that are too many or missing. */
const acts = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(GOOD_DAY) },
      fc.constantFrom(...GOOD_DAY).map((act) => [act]),
    ),
    { maxLength: 20 },
  )
  .map((lists) => lists.flat());
/** Of a double tap, a break, a shift, a weekend. */
const gapMs = fc.oneof(
  fc.integer({ min: 0, max: 120_000 }),
  fc.integer({ min: 0, max: HOUR_MS }),
  fc.integer({ min: 0, max: 12 * HOUR_MS }),
  fc.integer({ min: 0, max: 60 * HOUR_MS }),
);
const evidence = fc.constantFrom('proved', 'proved', 'declared', 'agreed', 'asserted');

const months = fc
  .record({
    zone: fc.constantFrom(...UNUSUAL_ZONES),
    year: fc.integer({ min: FIRST_YEAR, max: LAST_YEAR }),
    number: fc.integer({ min: 1, max: 12 }),
    rules: fc.constantFrom('none', 'DE', 'ES'),
    acts,
    seed: fc.infiniteStream(fc.tuple(gapMs, evidence, fc.nat(19))),
  })
  .map(({ zone, year, number, rules, acts: list, seed }) => {
    const start = new Date(Date.UTC(year, number - 1));
    let at = start.getTime() - 3 * 24 * HOUR_MS;
    const events = list.map((act, index): TimeEvent => {
      const [gap, kind, chance] = seed.next().value as [number, TimeEvent['evidence'], number];
      at += gap;
      return {
        ...act,
        ...{ id: `event ${index}`, occurredAt: new Date(at).toISOString(), evidence: kind },
        ...(chance === 0 && { voided: true }),
        ...(chance === 1 && kind === 'asserted' && { result: 'rejected' as const }),
      };
    });
    const options: SheetOptions<number> = { zone, month: start.toISOString().slice(0, 7), rules, version: 1 };
    return { events, options };
  });

it('sheetOf and time_sheet.py give the same sheets of 1,000 months in 20 zones', { tags: ['ci'] }, () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const cases = fc.sample(months, { numRuns: 1_000, seed });
  const { error, status, stdout, stderr } = spawnSync('python3', [SCRIPT], {
    input: cases.map(({ events, options }) => `${JSON.stringify({ events, ...options })}\n`).join(''),
    ...{ encoding: 'utf8', maxBuffer: 2 ** 28 },
  });
  if (error) throw new Error(`The test needs python3, which could not be run: ${error.message}`);
  expect(status, stderr).toBe(0);
  const sheets = stdout.trimEnd().split('\n');
  expect(sheets).toHaveLength(cases.length);
  for (const [index, { events, options }] of cases.entries())
    expect(sheets[index], `case ${index}, seed ${seed}`).toBe(canonicalJson(sheetOf(events, options)));
});
