import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { sentenceOf } from './failure';

test('an error is shown without the request that the SDK adds to its message', () => {
  const error = new SvcError('user_not_found', 'No such user. (request req_1)', { requestId: 'req_1' });
  expect(sentenceOf(error)).toBe('No such user.');
});

test('an error that names fields is shown field by field, in words', () => {
  const details = [
    { path: 'body.profile.fullName', message: 'is required' },
    { path: 'body.email', message: 'must be text' },
  ];
  expect(sentenceOf(new SvcError('invalid_request', 'Invalid.', { details }))).toBe(
    'Full name is required. Email must be text.',
  );
});

test.each(['unreachable', 'timed_out', 'gateway_failed'] as const)(
  'a person is told to check the connection after %s',
  (code) => expect(sentenceOf(new SvcError(code, 'for developers'))).toMatch(/Check your connection/),
);

test('any other error is shown by its message', () => {
  expect(sentenceOf(new Error('broken'))).toBe('broken');
  expect(sentenceOf('text')).toBe('text');
});
