import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isLocal, isWithin, readNetwork } from './networks.js';

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const network4 = fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`);
const network6 = fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).map(([ip, bits]) => `${ip}/${bits}`);

/** The bits of an address, read in another way than the code does. */
const bitsOf = (ip: string): string =>
  ipaddr
    .parse(ip)
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:12:34::/33', '2001:db8::/33'],
    ['2001:db8::1/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::ffff:203.0.113.7/64', '::/64'],
  ])('%s is %s', (text, network) => expect(readNetwork(text)).toBe(network));

  it.each([
    '',
    ' ',
    '/',
    '/24',
    '*',
    'localhost',
    '203.0.113',
    '203.0.113/24',
    '10/8',
    '0x7f.0.0.1',
    '010.0.0.1',
    '2130706433',
    '203.0.113.256',
    '203.0.113.7/',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/+8',
    '203.0.113.7/08',
    '203.0.113.7/8.0',
    '203.0.113.7/1e1',
    '203.0.113.7/ 8',
    ' 203.0.113.7',
    '203.0.113.7/24/24',
    '203.0.113.0/255.255.255.0',
    '203.0.113.0-203.0.113.9',
    '2001:db8::/129',
    '2001:db8:::/32',
    'fe80::1%eth0',
    'fe80::1%eth0/64',
    '[2001:db8::1]',
    '２03.0.113.7',
  ])('is not %j', (text) => expect(readNetwork(text)).toBeUndefined());

  it('is canonical: reading it again changes nothing, and it contains the address it was written with', () => {
    fc.assert(
      fc.property(fc.oneof(network4, network6), (text) => {
        // IPv6 with the digits of an IPv4 address is an IPv4 address, which is in no network of IPv6.
        fc.pre(!text.includes('.') || !text.includes(':'));
        const network = readNetwork(text) as string;
        expect(readNetwork(network)).toBe(network);
        expect(isWithin(text.split('/')[0] as string, [network])).toBe(true);
      }),
    );
  });

  it('contains exactly the addresses of its kind that begin with its bits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(network4, ipv4), fc.tuple(network6, ipv6)), ([text, ip]) => {
        fc.pre(!ip.includes('.') || !ip.includes(':'));
        const network = readNetwork(text) as string;
        const [start = '', bits] = network.split('/');
        const begins = bitsOf(ip).startsWith(bitsOf(start).slice(0, Number(bits)));
        expect(isWithin(ip, [network])).toBe(begins && bitsOf(ip).length === bitsOf(start).length);
      }),
    );
  });

  it('of IPv4 contains mapped addresses, and a network of IPv6 contains none of IPv4', () => {
    fc.assert(
      fc.property(ipv4, (ip) => {
        expect(isWithin(`::ffff:${ip}`, [readNetwork(ip) as string])).toBe(true);
        expect(isWithin(ip, ['::/0'])).toBe(false);
      }),
    );
  });

  it('never fails on any text', { tags: ['ci'] }, () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readNetwork(text)));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abcdef:./%') }), (text) => {
        const network = readNetwork(text);
        if (network !== undefined) expect(readNetwork(network)).toBe(network);
      }),
    );
  });
});

describe('an address', () => {
  it('that is unknown is in no network', () => {
    for (const ip of ['', 'unknown', '203.0.113.7, 10.0.0.1'])
      expect(isWithin(ip, ['0.0.0.0/0', '::/0'])).toBe(false);
  });

  it('with a zone is judged without it', () => expect(isWithin('fe80::1%eth0', ['fe80::/10'])).toBe(true));

  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '192.168.1.1',
    '172.31.0.1',
    'fd00::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '',
  ])('%j may be that of a proxy', (ip) => expect(isLocal(ip)).toBe(true));
  it.each(['203.0.113.7', '8.8.8.8', '2001:db8::1', '100.64.0.1', '172.32.0.1'])('%s is a client’s', (ip) =>
    expect(isLocal(ip)).toBe(false),
  );
});
