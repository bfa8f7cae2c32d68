import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../base/errors.js';
import { checkRedirectUris, checkUris } from './redirect-uris.js';

type Type = Parameters<typeof checkUris>[1];

/** The path of the first URI that is rejected; undefined if all are accepted. */
function rejected(uris: readonly string[], type: Type = 'web'): string | undefined {
  try {
    checkUris(uris, type, 'uris');
    return undefined;
  } catch (error) {
    return (error as Failure).options.details?.[0]?.path;
  }
}
const isAccepted = (uri: string, type: Type = 'web') => rejected([uri], type) === undefined;

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z])?$/).filter((text) => !text.startsWith('xn'));
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const loopback = fc.constantFrom('localhost', '127.0.0.1', '[::1]');
const port = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1_024, max: 65_535 }).map((number) => `:${number}`),
);
const path = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_~-]{1,8}$/), { maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);
const query = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^[a-z]{1,5}=[A-Za-z0-9]{0,5}$/).map((text) => `?${text}`),
);
const webUri = fc
  .tuple(
    fc.oneof(
      host.map((name) => `https://${name}`),
      loopback.map((name) => `http://${name}`),
    ),
    port,
    path,
    query,
  )
  .map((parts) => parts.join(''));
const privateUri = fc.tuple(host, path).map(([name, rest]) => `${name}:${rest}`);

describe('a redirect URI', () => {
  it('may use https, and http on a loopback address, for every type', () => {
    fc.assert(
      fc.property(webUri, fc.constantFrom<Type>('web', 'spa', 'native'), (uri, type) => {
        expect(isAccepted(uri, type)).toBe(true);
      }),
    );
  });

  it('may use a scheme with a dot only for native applications', () => {
    fc.assert(
      fc.property(privateUri, (uri) => {
        expect(isAccepted(uri, 'native')).toBe(true);
        for (const type of ['web', 'spa', 'device'] as const) expect(isAccepted(uri, type)).toBe(false);
      }),
    );
  });

  it('has no wildcard, fragment or user name, wherever it is', () => {
    const uris = fc.oneof(webUri, privateUri);
    fc.assert(
      fc.property(uris, fc.constantFrom('*', '#', '#top'), fc.nat(), (uri, part, at) => {
        const position = at % (uri.length + 1);
        expect(isAccepted(`${uri.slice(0, position)}${part}${uri.slice(position)}`, 'native')).toBe(false);
      }),
    );
    fc.assert(
      fc.property(webUri, fc.constantFrom('@', 'user@', 'user:secret@', ':@'), (uri, user) => {
        expect(isAccepted(uri.replace('://', `://${user}`), 'native')).toBe(false);
      }),
    );
  });

  it('is the text that every URL parser returns for it, whatever a tenant sends', () => {
    const pieces = fc.array(
      fc.oneof(
        webUri,
        privateUri,
        fc.constantFrom(
          'https://',
          'http://',
          'HTTPS://',
          '//',
          '\\',
          '/..',
          '%2e',
          ':443',
          ' ',
          '\n',
          '@',
          '?',
          'ü',
          '.',
        ),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        pieces.map((parts) => parts.join('')),
        fc.constantFrom<Type>('web', 'native'),
        (uri, type) => {
          if (!isAccepted(uri, type)) return;
          const { href, protocol, hostname, hash, username, password } = new URL(uri);
          expect([uri, `${uri}/`]).toContain(href);
          expect([hash, username, password]).toEqual(['', '', '']);
          expect(uri).toMatch(/^[!-~]+$/);
          expect(uri).not.toMatch(/[*#]/);
          if (protocol === 'http:') expect(hostname).toMatch(/^(localhost|\[::1\]|127\.0\.0\.1)$/);
          else if (protocol !== 'https:') expect([type, protocol.includes('.')]).toEqual(['native', true]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'https://APP.example.com/',
    'https://app.example.com:443/',
    'https://app.example.com/a/../b',
    'https://app.example.com/ü',
    'https:app.example.com/',
    'https:///app.example.com/',
    ' https://app.example.com/',
    'https://app.example.com/\t',
    'https://app.example.com?x',
    'https://bücher.example/',
    'http://app.example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://127.1/',
    'http://2130706433/',
    'http://[::2]/',
    'http://0.0.0.0/',
    'javascript:alert(1)',
    'data:text/html,x',
    'app:/callback',
    'com.example.app:callback',
    'com.example.app:',
    '/callback',
    '',
  ])('is not %j', (uri) => {
    expect(isAccepted(uri, 'native')).toBe(false);
  });

  it('may be an origin without the slash, but not in both spellings', () => {
    expect(isAccepted('https://app.example.com')).toBe(true);
    expect(rejected(['https://app.example.com', 'https://app.example.com/'])).toBe('uris[1]');
    expect(rejected(['https://a.example/', 'https://b.example/', 'https://a.example/'])).toBe('uris[2]');
  });

  it('of a pairwise client has the host and port of the others, or the scheme', () => {
    const check = (uris: string[], before?: string[]) => () =>
      checkRedirectUris(uris, { type: 'native', subjectType: 'pairwise' }, before);
    expect(check(['https://a.example/1', 'https://a.example/2'])).not.toThrow();
    expect(check(['com.example.app:/1', 'com.example.app:/2'])).not.toThrow();
    expect(check(['com.example.app:/1', 'com.example.other:/1'])).toThrow('body.redirectUris[1]');
    expect(check(['https://a.example/', 'http://localhost/'])).toThrow('body.redirectUris[1]');
    expect(check(['https://a.example/2'], ['https://a.example/1'])).not.toThrow();
    expect(check(['https://b.example/'], ['https://a.example/'])).toThrow('body.redirectUris[0]');
    expect(check(['https://b.example/'], ['https://a.example/'])).toThrow(Failure);
  });
});
