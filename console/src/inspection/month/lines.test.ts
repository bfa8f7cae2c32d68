import type { PersonSheet } from '@svc/sdk';
import { sheetOf } from '@svc/zk/time/sheet';
import { expect, it } from 'vitest';
import { linesOf } from './lines';

const event = (id: string, type: 'check_in' | 'check_out', time: string, more: object = {}) => ({
  ...{ id, type, occurredAt: `2026-05-${time}:00.000Z` },
  ...{ reason: 'work' as const, evidence: 'proved' as const, ...more },
});

const personWith = (events: Parameters<typeof sheetOf>[0], contestedIds: string[] = []) =>
  ({
    sheet: sheetOf(events, { zone: 'Europe/Berlin', month: '2026-05', rules: 'DE', version: 1 }),
    ...{ marks: [], contestedIds },
  }) as unknown as PersonSheet;

it('has each day of the month, with what began on it', () => {
  const { days, hasAsserted } = linesOf(
    personWith([
      event('a', 'check_in', '04T20:00'),
      event('b', 'check_out', '05T02:00'),
      event('c', 'check_in', '12T06:00', { evidence: 'asserted' }),
      event('d', 'check_out', '12T10:00', { evidence: 'asserted' }),
    ]),
  );
  expect(days).toHaveLength(31);
  expect(days[3]).toMatchObject({ date: '2026-05-04', minutes: 120, asserted: 0 });
  expect(days[3]?.shifts).toMatchObject([{ id: 'a', to: { at: '2026-05-05T04:00+02:00' } }]);
  expect(days[4]).toMatchObject({ shifts: [], minutes: 240 });
  expect(days[11]).toMatchObject({ minutes: 0, asserted: 240, shifts: [{ from: { isAsserted: true } }] });
  expect(hasAsserted).toBe(true);
});

it('marks the times that the person contests, and numbers the flags', () => {
  const { days, codes, hasContested } = linesOf(
    personWith(
      [
        event('a', 'check_in', '04T04:00'),
        event('b', 'check_out', '04T15:30'),
        event('c', 'check_in', '05T04:00'),
      ],
      ['b'],
    ),
  );
  expect(days[3]?.shifts).toMatchObject([{ from: { isContested: false }, to: { isContested: true } }]);
  expect(hasContested).toBe(true);
  expect(days[4]?.flags.map((number) => codes[number - 1])).toContain('open_shift');
});
