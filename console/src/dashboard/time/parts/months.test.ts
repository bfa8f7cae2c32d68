import { expect, it } from 'vitest';
import { daysOf, monthAfter } from './months';

it('counts months over the ends of years', () => {
  expect([monthAfter('2026-01', -1), monthAfter('2026-12', 1), monthAfter('2026-05', -24)]).toEqual([
    '2025-12',
    '2027-01',
    '2024-05',
  ]);
});

it('has each day of a month once, and knows weekends', () => {
  const days = daysOf('2028-02');
  expect(days.length).toBe(29);
  expect(days.filter(({ isWeekend }) => isWeekend).map(({ day }) => day)).toEqual([
    5, 6, 12, 13, 19, 20, 26, 27,
  ]);
});
