import { expect, it } from 'vitest';
import { createLogLimit } from './log-limit.js';

const calls = (tenantId: string, count: number) => Array.from({ length: count }, () => ({ tenantId }));

it('deletes old calls of a tenant at its first call, and then after every 200', () => {
  const limit = createLogLimit();
  expect(limit.add([...calls('a', 1), ...calls('b', 2)])).toEqual(['a', 'b']);
  // What was not deleted is tried again.
  expect(limit.add(calls('b', 1))).toEqual(['b']);
  limit.reset(['a', 'b']);
  expect(limit.add([...calls('a', 199), ...calls('b', 200)])).toEqual(['b']);
  expect(limit.add(calls('a', 1))).toEqual(['a', 'b'].slice(0, 1));
});

it('knows at most 50,000 tenants', () => {
  const limit = createLogLimit();
  const tenants = Array.from({ length: 50_001 }, (_, n) => ({ tenantId: `${n}` }));
  limit.add(tenants);
  limit.reset(['1']);
  expect(limit.add(calls('1', 1))).toEqual([]);
  expect(limit.add(calls('0', 1))).toEqual(['0']);
});
