import { expect, test } from 'vitest';
import { failureFor } from './api';

test.each([
  [404, { error: 'sign_in_not_found' }, 'not_open'],
  [409, { error: 'sign_in_not_approved' }, 'not_approved'],
  [429, { error: 'rate_limit_exceeded' }, 'too_many'],
  [429, {}, 'too_many'],
  [400, { error: 'invalid_request' }, 'unexpected'],
  [404, { error: 'constructor' }, 'unexpected'],
  [403, null, 'unexpected'],
  [503, { error: 'not_ready' }, 'unreachable'],
  [502, undefined, 'unreachable'],
  [404, undefined, 'unreachable'],
] as const)('%i with %j is %s', (status, content, failure) =>
  expect(failureFor(status, content)).toBe(failure),
);
