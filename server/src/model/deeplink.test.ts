import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { additionDeeplink, codeUrl, enrollDeeplink, registrationDeeplink, shortUrl } from './deeplink.js';

const golden = JSON.parse(readFileSync(new URL('../../test/golden/deeplinks.json', import.meta.url), 'utf8'));
const session = '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const code = 'SV-7K2M-Q9RT';

it('deeplinks have exactly the form that phones in the field parse, stable across V1', () => {
  expect({
    enroll: enrollDeeplink(code),
    addition: additionDeeplink(code),
    pair: registrationDeeplink('pair', session, code),
    'enroll step': registrationDeeplink('enroll', session, code),
    verify: registrationDeeplink('verify', session, code, '00112233445566778899aabbccddeeff'),
  }).toEqual(golden);
});

it('characters that would end a value are escaped', () => {
  expect(enrollDeeplink('a&b=c#d e')).toBe('svc://enroll?code=a%26b%3Dc%23d%20e');
  expect(additionDeeplink('a&b')).toBe('svc://add?code=a%26b');
  expect(registrationDeeplink('verify', 'a&b', 'c&d', 'e&f')).toBe(
    'svc://reg?step=verify&session=a%26b&code=c%26d&challenge=e%26f',
  );
});

it('the address of a code escapes only what would end or change its value', () => {
  const base = 'https://id.example.com';
  expect(codeUrl(base, `za:pair:1:${session}`)).toBe(`${base}/phone/#code=za:pair:1:${session}`);
  expect(codeUrl(base, additionDeeplink(code))).toBe(`${base}/phone/#code=svc://add?code=${code}`);
  expect(codeUrl(base, registrationDeeplink('pair', session, code))).toBe(
    `${base}/phone/#code=svc://reg?step=pair%26session=${session}%26code=${code}`,
  );
  const hostile = 'a&b#c%d+e f=g';
  expect(new URLSearchParams(new URL(codeUrl(base, hostile)).hash.slice(1)).get('code')).toBe(hostile);
});

it('the short address of a code has its id in 22 characters', () => {
  const base = 'https://id.example.com';
  expect(shortUrl(base, session, code)).toBe(`${base}/phone/#c=AZJWsBwtfj-KS1xtfo-aCw.${code}`);
  expect(shortUrl(base, session, `177853220.${'a'.repeat(16)}`)).toHaveLength(81);
});
