import { expect, it } from 'vitest';
import { daysOf, monthsBetween, timeOf } from './dates';

it('lists the months of an inspection, newest first, over the ends of years', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
  expect(monthsBetween('2026-05', '2026-05')).toEqual(['2026-05']);
});

it('lists all days of a month, also of a leap year', () => {
  expect(daysOf('2028-02')).toHaveLength(29);
  expect(daysOf('2026-12').at(-1)).toBe('2026-12-31');
});

it('says on which day a shift ends', () => {
  expect(timeOf('2026-10-25T06:00+01:00', '2026-10-24')).toBe('06:00 (+1)');
  expect(timeOf('2026-05-12T17:30+02:00', '2026-05-12')).toBe('17:30');
});
