import { expect, it } from 'vitest';
import { parseUrl } from './url.js';

it('reads a URL with characters outside ASCII however often it is asked', () => {
  for (let times = 0; times < 50_000; times += 1)
    if (parseUrl('https://bücher.example/ä')?.host !== 'xn--bcher-kva.example') expect.fail(`call ${times}`);
  expect(parseUrl('bücher')).toBeUndefined();
});
