import { expect, it } from 'vitest';
import { toBase64url } from '../codecs/base64url.js';
import { readClaims } from './tokens.js';

const NOW = 1_795_000_000_000;
const seconds = NOW / 1000;
const expected = { issuer: 'https://id.example/oidc/t/live', clientId: 'client', nonce: 'n' };
const right = {
  iss: expected.issuer,
  sub: 's',
  aud: 'client',
  nonce: 'n',
  iat: seconds,
  exp: seconds + 3600,
};

const tokenOf = (claims: unknown) =>
  `e30.${toBase64url(new TextEncoder().encode(JSON.stringify(claims)))}.c2ln`;
const read = (claims: unknown) => readClaims(tokenOf(claims), expected, NOW);

it('reads the claims of an ID token for this sign-in', () => {
  expect(read({ ...right, name: 'Ada' })).toEqual({ ...right, name: 'Ada' });
  expect(read({ ...right, aud: ['client'] }).sub).toBe('s');
  expect(read({ ...right, exp: seconds - 299 }).sub).toBe('s');
});

it.each([
  ['of another issuer', { iss: 'https://id.example/oidc/t/test' }],
  ['for another application', { aud: 'other' }],
  ['for several applications', { aud: ['client', 'other'] }],
  ['of another sign-in', { nonce: 'm' }],
  ['without a nonce', { nonce: undefined }],
  ['of nobody', { sub: '' }],
  ['that has expired', { exp: seconds - 300 }],
  ['without an end', { exp: undefined }],
  ['of the future', { iat: seconds + 301 }],
])('rejects an ID token %s', (_, change) => {
  expect(() => read({ ...right, ...change })).toThrow(expect.objectContaining({ code: 'sign_in_failed' }));
});

it.each(['', 'a.b', 'e30.e30', 'e30.####.e30', tokenOf([]), tokenOf(null), 'e30.gICA.e30'])(
  'rejects what is no ID token: %j',
  (text) => {
    expect(() => readClaims(text, expected, NOW)).toThrow(
      expect.objectContaining({ code: 'sign_in_failed' }),
    );
  },
);
