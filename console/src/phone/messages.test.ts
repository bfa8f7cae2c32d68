import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { isRetryable, withPhoneMessage } from './messages';

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
] as const)('offers no retry with the same code after %s', (code) => {
  expect(isRetryable(new SvcError(code, ''))).toBe(false);
});

test.each(['unreachable', 'rate_limit_exceeded', 'timed_out'] as const)('offers a retry after %s', (code) =>
  expect(isRetryable(new SvcError(code, ''))).toBe(true),
);

test('offers a retry when the phone was not unlocked', () => {
  expect(isRetryable(new Error('not unlocked'))).toBe(true);
});

test('replaces only the message of an error, not its code and request', () => {
  const error = new SvcError('unreachable', 'fetch failed', { requestId: 'req_1' });
  expect(withPhoneMessage(error)).toMatchObject({ code: 'unreachable', requestId: 'req_1' });
  expect((withPhoneMessage(error) as Error).message).toMatch(/^The service did not respond/);
});

test('returns an error without its own message unchanged', () => {
  for (const error of [new Error('x'), new SvcError('internal_error', 'y')])
    expect(withPhoneMessage(error)).toBe(error);
});
