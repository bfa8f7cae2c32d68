import { describe, expect, it } from 'vitest';
import { type Deeplink, formatDeeplink, parseDeeplink } from './deeplink.js';

const SESSION = '019e1b2c-1234-7abc-8def-0123456789ab';
const CHALLENGE = '0123456789abcdef'.repeat(2);

const LINKS: readonly [string, Deeplink][] = [
  ['svc://enroll?code=SV-7QKM-3XRT', { kind: 'enroll', code: 'SV-7QKM-3XRT' }],
  [
    `svc://enroll?code=SV-7QKM-3XRT&device=${SESSION}`,
    { kind: 'enroll', code: 'SV-7QKM-3XRT', device: SESSION },
  ],
  ['svc://add?code=SV-7QKM-3XRT', { kind: 'addition', code: 'SV-7QKM-3XRT' }],
  [
    `svc://reg?step=pair&session=${SESSION}&code=SV-2345-6789`,
    { kind: 'registration', step: 'pair', session: SESSION, code: 'SV-2345-6789' },
  ],
  [
    `svc://reg?step=verify&session=${SESSION}&code=SV-ACDE-FGHJ&challenge=${CHALLENGE}`,
    { kind: 'registration', step: 'verify', session: SESSION, code: 'SV-ACDE-FGHJ', challenge: CHALLENGE },
  ],
];

describe('a deeplink', () => {
  it.each(LINKS)('%s is parsed and formatted as in the contract', (text, link) => {
    expect(parseDeeplink(text)).toEqual(link);
    expect(formatDeeplink(link)).toBe(text);
  });

  it('is parsed with its fields in any order', () => {
    expect(parseDeeplink(`svc://reg?code=SV-2345-6789&session=${SESSION}&step=enroll`)).toEqual({
      kind: 'registration',
      step: 'enroll',
      session: SESSION,
      code: 'SV-2345-6789',
    });
  });

  it.each([
    '',
    'svc://enroll',
    'svc://enroll?',
    'https://enroll?code=SV-7QKM-3XRT',
    'svc://other?code=SV-7QKM-3XRT',
    ' svc://enroll?code=SV-7QKM-3XRT',
    'svc://enroll?code=SV-7QKM-3XRT\n',
    'svc://enroll?code=SV-7QKM-3XR0',
    'svc://enroll?code=SV-7QKM-3XRT&code=SV-7QKM-3XRT',
    'svc://enroll?code=SV-7QKM-3XRT&step=pair',
    'svc://enroll?code=%E0%A4%A',
    'svc://add?',
    `svc://add?code=SV-7QKM-3XRT&device=${SESSION}`,
    `svc://enroll?device=${SESSION}`,
    'svc://enroll?code=SV-7QKM-3XRT&device=1',
    `svc://enroll?code=SV-7QKM-3XRT&session=${SESSION}`,
    `svc://reg?step=pair&session=${SESSION}&code=SV-2345-6789&device=${SESSION}`,
    'svc://enroll?constructor=SV-7QKM-3XRT',
    `svc://reg?step=pair&session=${SESSION}`,
    `svc://reg?step=other&session=${SESSION}&code=SV-7QKM-3XRT`,
    `svc://reg?step=pair&session=${SESSION.slice(1)}&code=SV-7QKM-3XRT`,
    `svc://reg?step=pair&session=${SESSION}&code=SV-7QKM-3XRT&base=https%3A%2F%2Fa.test`,
    `svc://reg?step=pair&session=${SESSION}&code=SV-7QKM-3XRT&challenge=12`,
    `svc://enroll?code=${'A'.repeat(100_000)}`,
  ])('%j is rejected', (text) => {
    expect(() => parseDeeplink(text)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
  });

  it('is not formatted with values that could not be parsed', () => {
    expect(() => formatDeeplink({ kind: 'enroll', code: 'SV-7QKM-3XRT&x=1' })).toThrow(
      'the field code is malformed',
    );
  });
});
