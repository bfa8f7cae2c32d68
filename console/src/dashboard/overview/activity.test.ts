import { afterEach, describe, expect, test } from 'vitest';
import { stretchesOf } from './activity';

const event = (createdAt: string, status: 'success' | 'failure' = 'success') => ({ createdAt, status });
const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

describe('the stretches of a chart', () => {
  test.each(['America/New_York', 'Asia/Kolkata', 'UTC'])(
    'begin at midnight in the reader’s time zone: %s',
    (zone) => {
      process.env.TZ = zone;
      const { each, stretches } = stretchesOf([
        event('2026-05-01T12:00:00.000Z'),
        event('2026-05-12T12:00:00.000Z'),
      ]);
      expect(each).toBe('day');
      expect(stretches).toHaveLength(12);
      for (const { from } of stretches)
        expect([new Date(from).getHours(), new Date(from).getMinutes()]).toEqual([0, 0]);
    },
  );

  test('count successes and failures, also where nothing happened', () => {
    const { each, stretches } = stretchesOf([
      event('2026-05-12T09:00:10.000Z'),
      event('2026-05-12T09:02:10.000Z'),
      event('2026-05-12T09:02:50.000Z', 'failure'),
    ]);
    expect(each).toBe('minute');
    expect(stretches.map(({ succeeded, failed }) => [succeeded, failed])).toEqual([
      [1, 0],
      [0, 0],
      [1, 1],
    ]);
  });

  test('are at most 24, and leave out what is older', () => {
    const years = Array.from({ length: 5 }, (_, at) => event(`${2022 + at}-05-12T09:00:00.000Z`));
    const { stretches } = stretchesOf(years);
    expect(stretches).toHaveLength(24);
    expect(stretches.at(-1)?.succeeded).toBe(1);
  });
});
