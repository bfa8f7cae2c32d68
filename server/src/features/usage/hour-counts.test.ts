import { describe, expect, it } from 'vitest';
import { countOf } from './histogram.js';
import { createHourCounts } from './hour-counts.js';
import type { RecentCall } from './usage.store.js';

const call = (keyId: string, durationMs = 1): RecentCall => ({
  id: 'id',
  tenantId: 'tenant',
  method: 'GET',
  endpoint: '/v1/devices',
  status: 200,
  environment: 'live',
  keyId,
  at: 0,
  durationMs,
  error: null,
});

describe('counts that wait to be written', () => {
  it('are added to those counted since a write failed', () => {
    const hours = createHourCounts();
    hours.add(call('a', 1));
    const failed = hours.take();
    hours.add(call('a', 1));
    hours.add(call('a', 400));
    hours.add(call('b'));
    hours.restore(failed);
    const counts = hours.take().map(({ keyId, buckets }) => [keyId, countOf(buckets), buckets[0]]);
    expect(counts).toEqual([
      ['a', 3, 2],
      ['b', 1, 1],
    ]);
    expect(hours.take()).toEqual([]);
  });

  it('are at most 5,000 rows, also after failed writes', () => {
    const hours = createHourCounts();
    for (let key = 0; key < 5_000; key += 1) expect(hours.add(call(`${key}`))).toBe(true);
    expect(hours.add(call('one more'))).toBe(false);
    expect(hours.add(call('0'))).toBe(true);
    const failed = hours.take();
    for (let key = 0; key < 100; key += 1) hours.add(call(`new ${key}`));
    hours.restore(failed);
    expect(hours.take()).toHaveLength(5_000);
  });
});
