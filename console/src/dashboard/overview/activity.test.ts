import { afterEach, describe, expect, test } from 'vitest';
import { bucketsOf } from './activity';

const event = (createdAt: string, status: 'success' | 'failure' = 'success') => ({ createdAt, status });
const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

describe('the buckets of a chart', () => {
  test.each(['America/New_York', 'Asia/Kolkata', 'UTC'])(
    'begin at midnight in the reader’s time zone: %s',
    (zone) => {
      process.env.TZ = zone;
      const { each, buckets } = bucketsOf([
        event('2026-05-01T12:00:00.000Z'),
        event('2026-05-12T12:00:00.000Z'),
      ]);
      expect(each).toBe('day');
      expect(buckets).toHaveLength(12);
      for (const { from } of buckets)
        expect([new Date(from).getHours(), new Date(from).getMinutes()]).toEqual([0, 0]);
    },
  );

  test('count successes and failures and include empty buckets', () => {
    const { each, buckets } = bucketsOf([
      event('2026-05-12T09:00:10.000Z'),
      event('2026-05-12T09:02:10.000Z'),
      event('2026-05-12T09:02:50.000Z', 'failure'),
    ]);
    expect(each).toBe('minute');
    expect(buckets.map(({ succeeded, failed }) => [succeeded, failed])).toEqual([
      [1, 0],
      [0, 0],
      [1, 1],
    ]);
  });

  test('are limited to the newest 24', () => {
    const years = Array.from({ length: 5 }, (_, at) => event(`${2022 + at}-05-12T09:00:00.000Z`));
    const { buckets } = bucketsOf(years);
    expect(buckets).toHaveLength(24);
    expect(buckets.at(-1)?.succeeded).toBe(1);
  });
});
