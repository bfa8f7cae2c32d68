import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { originErrors, originOf } from './origins';

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  [' https://App.example.com:443/login?next=/ ', 'https://app.example.com'],
  ['app.example.com', 'https://app.example.com'],
  ['localhost:3000', 'https://localhost:3000'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['javascript://app.example.com', undefined],
  ['two words', undefined],
  ['', undefined],
])('reads %j as the origin %s', (text, origin) => expect(originOf(text)).toBe(origin));

test('finds the message of each origin that the service did not accept', () => {
  const details = [
    { path: 'body.security_policy.origins[1]', message: 'must be an origin' },
    { path: 'body.security_policy.providers', message: 'is unknown' },
  ];
  expect([...originErrors(new SvcError('invalid_request', '', { details }))]).toEqual([
    [1, 'must be an origin'],
  ]);
  expect(originErrors(new Error('offline')).size).toBe(0);
});
