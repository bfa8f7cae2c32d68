import { expect, test } from 'vitest';
import { isIos } from './install';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';

test.each([
  ['an iPhone', IPHONE, 5, true],
  ['an iPad, which claims to be a Mac', MAC, 5, true],
  ['a Mac', MAC, 0, false],
  ['an Android phone', ANDROID, 5, false],
])('explains the Share menu on %s: %#', (_, userAgent, maxTouchPoints, expected) => {
  expect(isIos({ userAgent, maxTouchPoints })).toBe(expected);
});
