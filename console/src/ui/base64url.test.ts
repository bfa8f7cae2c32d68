import { expect, test } from 'vitest';
import { fromBase64url, toBase64url } from './base64url';

test.each([
  [[], ''],
  [[0], 'AA'],
  [[251, 255], '-_8'],
  [[255, 239, 190], '_---'],
  [[1, 2, 3, 4], 'AQIDBA'],
])('%j is %j, and back', (bytes, text) => {
  expect(toBase64url(Uint8Array.from(bytes as number[]).buffer)).toBe(text);
  expect([...fromBase64url(text as string)]).toEqual(bytes);
});

test('is the same as Node’s for each byte', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  expect(toBase64url(bytes.buffer)).toBe(Buffer.from(bytes).toString('base64url'));
});
