import fc from 'fast-check';
import { expect, it } from 'vitest';
import { namesOf } from './asked-from.js';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Microsoft Edge',
    'Windows',
  ],
])('names the browser and the system of %s [pairing/what-a-session-asks]', (userAgent, browser, system) => {
  expect(namesOf(userAgent)).toEqual({ browser, system });
});

it.each([undefined, '', 'x'.repeat(10_000), 'My\u202eBank/1.0 (Evil\u0000OS)', 'Your-Bank-Security/9.9'])(
  'gives no name to %j [pairing/what-a-session-asks]',
  (userAgent) => {
    expect(namesOf(userAgent)).toEqual({ browser: null, system: null });
  },
);

it('never repeats what a header says [pairing/what-a-session-asks]', () => {
  const plain = /^[A-Za-z0-9 .()+-]{1,40}$/;
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (userAgent) => {
      for (const name of Object.values(namesOf(`Mozilla/5.0 ${userAgent}`)))
        if (name !== null) expect(name).toMatch(plain);
    }),
  );
});
