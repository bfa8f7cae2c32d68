import { SvcError } from '@svc/sdk';
import { expect, test } from 'vitest';
import { networkError, networksIn } from './networks';

test.each([
  ['', []],
  [' \n ', []],
  ['203.0.113.7', ['203.0.113.7']],
  ['203.0.113.0/24\n2001:db8::/32, 192.0.2.1\r\n', ['203.0.113.0/24', '2001:db8::/32', '192.0.2.1']],
])('%j has the networks %j', (text, networks) => expect(networksIn(text)).toEqual(networks));

test('an error names the network that the service did not accept', () => {
  const rejecting = (path: string) =>
    new SvcError('invalid_request', 'x', { status: 400, details: [{ path, message: 'must be a network' }] });
  expect(networkError(rejecting('body.allowedCidrs[1]'), ['192.0.2.1', '10/8'])).toBe(
    '10/8 must be a network.',
  );
  expect(networkError(rejecting('body.allowedCidrs'), [])).toBe('The list must be a network.');
  expect(networkError(rejecting('body.name'), [])).toBeUndefined();
  expect(networkError(null, [])).toBeUndefined();
});
