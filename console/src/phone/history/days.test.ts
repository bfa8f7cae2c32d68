import { expect, test } from 'vitest';
import { groupByDay } from './days';

const at = (day: number, hour: number) => ({ at: new Date(2026, 4, day, hour).toISOString() });
const days = (locale: string) =>
  groupByDay([at(12, 14), at(12, 0), at(11, 23), at(9, 8)], new Date(2026, 4, 12, 15), locale);

test('groups by the days of the reader’s time zone', () => {
  expect(days('en-GB').map(({ day, items }) => [day, items.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['9 May 2026', 1],
  ]);
});

test('names the days in the reader’s language', () => {
  expect(days('de').map(({ day }) => day)).toEqual(['Heute', 'Gestern', '9. Mai 2026']);
  expect(days('es').map(({ day }) => day)).toEqual(['Hoy', 'Ayer', '9 de mayo de 2026']);
});
