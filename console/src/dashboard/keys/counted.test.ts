import type { ApiKey } from '@svc/sdk';
import { expect, test } from 'vitest';
import { countedOf } from './counted';

const key = (id: string, status: ApiKey['status'] = 'active', replacedBy: string | null = null) =>
  ({ id, status, replacedBy }) as ApiKey;

test('counts active keys, of a key in its grace and its successor only one', () => {
  expect(countedOf([])).toBe(0);
  expect(countedOf([key('a'), key('b', 'revoked'), key('c', 'expired')])).toBe(1);
  expect(countedOf([key('a', 'active', 'b'), key('b'), key('c')])).toBe(2);
  expect(countedOf([key('a', 'active', 'b'), key('b', 'revoked')])).toBe(1);
});
