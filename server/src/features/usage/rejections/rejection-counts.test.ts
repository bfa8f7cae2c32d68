import { describe, expect, it } from 'vitest';
import type { RejectedCall } from '../../../http/deps.js';
import { createRejectionCounts } from './rejection-counts.js';

const call = (id: string, at = 0): RejectedCall => ({
  principal: { environment: 'live', tenant: { id } } as RejectedCall['principal'],
  error: 'rate_limit_exceeded',
  at,
});

describe('rejected calls that wait to be written', () => {
  it('are one count for each account and minute', () => {
    const counts = createRejectionCounts();
    for (let times = 0; times < 1_000; times += 1) counts.add(call('a', times));
    counts.add(call('a', 60_000));
    counts.add(call('b'));
    expect(counts.take().map(({ tenantId, minute, calls }) => [tenantId, minute.getTime(), calls])).toEqual([
      ['a', 0, 1_000],
      ['a', 60_000, 1],
      ['b', 0, 1],
    ]);
    expect(counts.take()).toEqual([]);
  });

  it('are added to those counted since a write failed', () => {
    const counts = createRejectionCounts();
    counts.add(call('a'));
    const failed = counts.take();
    counts.add(call('a'));
    counts.restore(failed);
    expect(counts.take().map(({ calls }) => calls)).toEqual([2]);
  });

  it('are at most 5,000 counts, also after failed writes', () => {
    const counts = createRejectionCounts();
    for (let id = 0; id < 5_001; id += 1) counts.add(call(`${id}`));
    const failed = counts.take();
    expect(failed).toHaveLength(5_000);
    for (let id = 0; id < 100; id += 1) counts.add(call(`new ${id}`));
    counts.restore(failed);
    expect(counts.take()).toHaveLength(5_000);
  });
});
