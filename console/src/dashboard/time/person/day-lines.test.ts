import { sheetOf } from '@svc/zk/time/sheet';
import { expect, it } from 'vitest';
import { linesOf, timeOf } from './day-lines';

const event = (id: string, type: 'check_in' | 'check_out', occurredAt: string) => ({
  ...{ id, type, occurredAt, reason: 'work' as const, evidence: 'proved' as const },
});

it('has every day of the month, a night shift on the day of its beginning, and numbered notes', () => {
  const sheet = sheetOf(
    [
      event('1', 'check_in', '2026-02-03T21:00:00.000Z'),
      event('2', 'check_out', '2026-02-04T05:00:00.000Z'),
      event('3', 'check_out', '2026-02-10T05:00:00.000Z'),
      event('4', 'check_in', '2026-02-11T05:00:00.000Z'),
      event('5', 'check_out', '2026-02-17T05:00:00.000Z'),
    ],
    { zone: 'Europe/Berlin', month: '2026-02', rules: 'none', version: 1 },
  );
  const { days, codes } = linesOf({ sheet, marks: [] }, '2026-02-11');
  expect(days.length).toBe(28);
  const on = (day: number) => days[day - 1];
  const [shift] = on(3)?.shifts ?? [];
  expect(`${timeOf(shift?.from ?? null, '2026-02-03')} – ${timeOf(shift?.to ?? null, '2026-02-03')}`).toBe(
    '22:00 – 06:00 (+1)',
  );
  expect([on(3)?.minutes, on(4)?.minutes]).toEqual([120, 360]);
  expect(codes[0]).toBe('check_out_alone');
  expect(on(10)?.notes).toEqual([1]);
  expect(on(12)?.notes).toEqual([]);
});

it('has no note on a day that somebody who came today may still go', () => {
  const sheet = sheetOf([event('1', 'check_in', '2026-02-11T05:00:00.000Z')], {
    ...{ zone: 'Europe/Berlin', month: '2026-02', rules: 'none', version: 1 },
  });
  const notesOn = (today: string) => linesOf({ sheet, marks: [] }, today).days[10]?.notes;
  expect([notesOn('2026-02-11'), notesOn('2026-02-12')]).toEqual([[], [1]]);
});
