import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { messageOf } from './failure';

test('removes the request ID that the SDK adds to a message', () => {
  const error = new SvcError('user_not_found', 'No such user. (request req_1)', { requestId: 'req_1' });
  expect(messageOf(error)).toBe('No such user.');
});

test('lists the errors of each field with readable field names', () => {
  const details = [
    { path: 'body.profile.fullName', message: 'is required' },
    { path: 'body.email', message: 'must be text' },
  ];
  expect(messageOf(new SvcError('invalid_request', 'Invalid.', { details }))).toBe(
    'Full name is required. Email must be text.',
  );
});

test.each(['unreachable', 'timed_out', 'gateway_failed'] as const)(
  'asks people to check the connection after %s',
  (code) => expect(messageOf(new SvcError(code, 'for developers'))).toMatch(/Check your connection/),
);

test('returns the message of any other error', () => {
  expect(messageOf(new Error('broken'))).toBe('broken');
  expect(messageOf('text')).toBe('text');
});
