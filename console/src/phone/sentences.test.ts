import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { explained, mayTryAgain } from './sentences';

test.each([
  'pair_failed',
  'enroll_failed',
  'verify_failed',
  'verification_failed',
  'pairing_session_expired',
  'foreign_code',
  'malformed_payload',
  'invalid_api_key',
  'monthly_quota_exceeded',
] as const)('a phone offers no second try with the same code after %s', (code) => {
  expect(mayTryAgain(new SvcError(code, ''))).toBe(false);
});

test.each(['unreachable', 'rate_limit_exceeded', 'timed_out'] as const)(
  'a phone offers a second try after %s',
  (code) => expect(mayTryAgain(new SvcError(code, ''))).toBe(true),
);

test('a phone offers a second try when it was not unlocked', () => {
  expect(mayTryAgain(new Error('not unlocked'))).toBe(true);
});

test('an error keeps its code and request when a phone words it', () => {
  const error = new SvcError('unreachable', 'fetch failed', { requestId: 'req_1' });
  expect(explained(error)).toMatchObject({ code: 'unreachable', requestId: 'req_1' });
  expect((explained(error) as Error).message).toMatch(/^The service did not answer/);
});

test('an error that has no wording of its own stays as it is', () => {
  for (const error of [new Error('x'), new SvcError('internal_error', 'y')])
    expect(explained(error)).toBe(error);
});
