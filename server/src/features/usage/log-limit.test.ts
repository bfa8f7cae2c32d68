import { expect, it } from 'vitest';
import { createLogLimit } from './log-limit.js';
import type { RecentCall } from './usage.store.js';

const calls = (tenantId: string, count: number, at = 0) =>
  Array.from({ length: count }, (_, n) => ({ tenantId, at, id: `${tenantId}${n}` }) as RecentCall);

it('logs a burst of 1,000 calls of a tenant whole, and then 100 a second: the newest', () => {
  const limit = createLogLimit();
  const burst = calls('a', 1_300);
  expect(limit.choose([...burst, ...calls('b', 2)])).toEqual([...burst.slice(300), ...calls('b', 2)]);
  expect(limit.choose(calls('a', 1))).toEqual([]);
  const later = calls('a', 80, 500);
  expect(limit.choose(later)).toEqual(later.slice(30));
  expect(limit.choose(calls('a', 1_500, 3_600_000))).toHaveLength(1_000);
});

it('deletes old calls of a tenant at its first call, and then after every 200', () => {
  const limit = createLogLimit();
  const add = (added: RecentCall[]) => limit.full(limit.choose(added));
  expect(add([...calls('a', 1), ...calls('b', 2)])).toEqual(['a', 'b']);
  // What was not deleted is tried again.
  expect(add(calls('b', 1))).toEqual(['b']);
  limit.reset(['a', 'b']);
  expect(add([...calls('a', 199), ...calls('b', 200)])).toEqual(['b']);
  expect(add(calls('a', 1))).toEqual(['a']);
});

it('knows at most 50,000 tenants', () => {
  const limit = createLogLimit();
  limit.choose(Array.from({ length: 50_001 }, (_, n) => calls(`${n}`, 1)).flat());
  limit.reset(['0', '50000']);
  expect(limit.full(calls('0', 1))).toEqual([]);
  expect(limit.full(calls('50000', 1))).toEqual(['50000']);
});
