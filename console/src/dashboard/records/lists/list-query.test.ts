import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/'));
vi.resetModules();
const { readTimes } = await import('./list-query');
afterAll(() => void vi.unstubAllGlobals());

const read = (query: string, now = new Date()) => readTimes(new URLSearchParams(query), now);
const local = (...date: [number, number, number]) => new Date(...date).toISOString();

test('reads days from the start of the first to the end of the last, also when clocks change', () => {
  expect(read('from=2026-03-28&to=2026-03-29')).toEqual({ from: local(2026, 2, 28), to: local(2026, 2, 30) });
  expect(read('to=2026-10-25')).toEqual({ to: local(2026, 9, 26) });
  expect(read('to=2026-12-31')).toEqual({ to: local(2027, 0, 1) });
});

test.each(['2026-02-30', '2026-13-01', '26-01-01', '0001-01-01', 'today', '2026-1-1', ''])(
  'ignores %o, which is no day',
  (day) => expect(read(`from=${day}&to=${day}`)).toEqual({}),
);

test('reads a period, which counts more than days, and ignores unknown ones', () => {
  const now = new Date(2026, 2, 29, 15);
  const today = { from: local(2026, 2, 29), to: local(2026, 2, 30) };
  expect(read('period=today', now)).toEqual(today);
  expect(read('period=today&from=2026-01-01', now)).toEqual(today);
  expect(read('period=7-days', now)).toEqual({ from: local(2026, 2, 23), to: local(2026, 2, 30) });
  expect(read('period=toString', now)).toEqual({});
});
