import { afterEach, expect, test, vi } from 'vitest';

const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test('names a month the same in every time zone', async () => {
  process.env.TZ = 'America/New_York';
  vi.resetModules();
  const { monthName, shortMonthName } = await import('./months');
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, options).format(new Date(2026, 4, 15));
  expect(monthName('2026-05')).toBe(name({ month: 'long', year: 'numeric' }));
  expect(shortMonthName('2026-05')).toBe(name({ month: 'short' }));
});
