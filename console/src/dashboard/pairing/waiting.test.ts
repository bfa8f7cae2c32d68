import type { Pairing } from '@svc/sdk';
import { expect, test } from 'vitest';
import { showCode } from './waiting';

const pairing = (id: string, qrPayload: string) => ({ id, qrPayload, matchCode: '42' }) as Pairing;

test('a code that moved keeps what is known about its session', () => {
  const first = showCode(undefined, pairing('1', 'a'));
  expect(first).toEqual({ pairing: pairing('1', 'a'), before: 0, phones: 0 });
  const rejection = 'No.';
  expect(showCode({ ...first, rejection }, pairing('1', 'b'))).toEqual({
    pairing: pairing('1', 'b'),
    before: 0,
    phones: 0,
    rejection,
  });
});

test('the code of a new session replaces one that has expired', () => {
  const expired = { pairing: pairing('1', 'a'), before: 0, phones: 1, hasExpired: true, rejection: 'No.' };
  expect(showCode(expired, pairing('2', 'a'))).toEqual({ pairing: pairing('2', 'a'), before: 1, phones: 0 });
});
