import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/'));
vi.resetModules();
const { readTimes } = await import('./list-query');
afterAll(() => void vi.unstubAllGlobals());

const read = (query: string) => readTimes(new URLSearchParams(query));
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

test('reads the order', () => {
  expect(read('sort=oldest')).toEqual({ sort: 'oldest' });
  expect(read('sort=newest')).toEqual({});
});
