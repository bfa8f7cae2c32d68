import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemTimers } from '../clock.js';
import { createOutbound, type OutboundSettings } from './outbound.js';

const outbound = (settings: Partial<OutboundSettings> = {}) =>
  createOutbound({
    settings: { allowHttp: false, allowCidrs: [], denyCidrs: [], proxy: undefined, ...settings },
    timers: systemTimers,
    resolve: () => Promise.reject(new Error('a literal was looked up')),
  });
const refuse = (url: string) => outbound().refuse(url);
const refuseHttp = (url: string) => outbound({ allowHttp: true }).refuse(url);

const ADDRESS = 'must not use a private, reserved or blocked address';
const USER_INFO = 'must not contain a user name or password';
const INVALID = 'must be a valid URL';
const TOO_LONG = 'must have at most 2,048 characters';

/** 127.0.0.1 and other addresses of this machine in every spelling that the URL parser takes. */
const SPELLINGS = [
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7F000001',
  '017700000001',
  '0x7f.1',
  '0x7f.0.0x0.0x1',
  '0177.0.0.1',
  '0177.0.0.01',
  '0000000177.0.0.1',
  '127.1',
  '127.0.1',
  '127.65535',
  '127.0.0.0x1',
  '0',
  '0.0.0.0',
  '0x',
  '0x0.',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:808:808::80ff:fffe]',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1',
  '12\u00ad7.0.0.1',
  '127.0.0.\u200b1',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '[fe80::1]',
];

describe('a URL of a tenant', () => {
  it.each([
    'https://example.com',
    'https://example.com/hook?a=1#part',
    'HTTPS://EXAMPLE.com:443/',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://example.com./hook',
    'https://bücher.example/ä',
    'https://_hook.example.com/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]:8443/',
    'https://example.com/@user:password',
    'https://example.com?a=@b',
  ])('may be %s', (url) => {
    expect(refuse(url)).toBeUndefined();
  });

  it.each(SPELLINGS)('must not hold the address of this machine or its network as %s', (host) => {
    for (const port of ['', ':8080']) {
      // Some spellings are no valid host for the parser of a newer Node version.
      expect([ADDRESS, INVALID]).toContain(refuse(`https://${host}${port}/`));
      expect([ADDRESS, INVALID]).toContain(refuseHttp(`http://${host}${port}/`));
    }
  });

  it('must not hold an address of OUTBOUND_DENY_CIDRS in any spelling', () => {
    const closed = outbound({ denyCidrs: ['8.8.8.0/24'] });
    for (const host of ['8.8.8.8', '134744072', '0x8080808', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]'])
      expect(closed.refuse(`https://${host}/`), host).toBe(ADDRESS);
    expect(closed.refuse('https://8.8.4.4/')).toBeUndefined();
  });

  it('may hold an address of OUTBOUND_ALLOW_CIDRS in any spelling', () => {
    const open = outbound({ allowCidrs: ['127.0.0.0/8'] });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '127。0。0。1'])
      expect(open.refuse(`https://${host}/`)).toBeUndefined();
    expect(open.refuse('https://[::1]/')).toBe(ADDRESS);
  });

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com',
    '//example.com/',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com\\',
    ' https://example.com',
    '\thttps://example.com',
    'ht\ntps://example.com',
    'wss://example.com',
    '',
  ])('must begin with https:// and not be %j', (url) => {
    expect(refuse(url)).toBe('must begin with https://');
  });

  it('may begin with http:// only if the setting allows it', () => {
    expect(refuse('http://example.com/')).toBe('must begin with https://');
    expect(refuseHttp('http://example.com/')).toBeUndefined();
    expect(refuseHttp('ftp://example.com/')).toBe('must begin with https:// or http://');
  });

  it.each([
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com:443@127.0.0.1/',
    'https://a@b@example.com/',
    'https://example.com\\@127.0.0.1/',
  ])('must not contain user info: %s', (url) => {
    expect(refuse(url)).toBe(USER_INFO);
  });

  it.each([
    'https://',
    'https:///example.com',
    'https:///@example.com',
    'https:////user@example.com',
    'https://?a',
    'https://./',
    'https://a..example/',
    'https://example.com../',
    'https://.example.com/',
    'https://exa mple.com/',
    'https://example.com/a b',
    'https://example.com/\n',
    'https://example.com\t/',
    'https://example.com\\path',
    'https://exa<mple.com/',
    'https://exa%00mple.com/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://[::ffff:127.0.0.1%eth0]/',
    'https://example.com:65536/',
    'https://example.com:port/',
    'https://xn--a/',
  ])('must be valid: %j', (url) => {
    expect(refuse(url)).toBe(INVALID);
  });

  it('must use the standard port or one from 1024', () => {
    for (const port of [1, 22, 25, 80, 444, 1023])
      expect(refuse(`https://example.com:${port}/`)).toBe('must use port 443 or a port from 1024');
    for (const port of [0, 22, 81, 443, 1023])
      expect(refuseHttp(`http://example.com:${port}/`)).toBe('must use port 80 or a port from 1024');
    for (const port of [80, 1024, 8080]) expect(refuseHttp(`http://example.com:${port}/`)).toBeUndefined();
  });

  it('has at most 2,048 characters, also in normal form', () => {
    const url = (length: number, character = 'x') => 'https://example.com/'.padEnd(length, character);
    expect(refuse(url(2_048))).toBeUndefined();
    expect(refuse(url(2_049))).toBe(TOO_LONG);
    expect(refuse(url(1_000, 'ä'))).toBe(TOO_LONG);
  });

  it('is judged without an error, whatever it is', { tags: ['ci'] }, async () => {
    const { refuse: check, post } = outbound({ allowHttp: true });
    const url = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.string()).map(([host, path]) => `https://${host}/${path}`),
    );
    await fc.assert(
      fc.asyncProperty(url, async (text) => {
        const reason = check(text);
        expect(['string', 'undefined']).toContain(typeof reason);
        if (reason !== undefined)
          expect(await post(text, { headers: {}, body: '' })).toMatchObject({ error: 'connect' });
      }),
    );
  });
});
