import { describe, expect, it } from 'vitest';
import { addressOf, clientAddress, within } from './address.js';

describe('a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['203.0.113.7:5678', '203.0.113.7'],
    ['"203.0.113.7:5678"', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['[::1]:80', '::/64'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]:443', '2001:db8:1:2::/64'],
    ['"[2001:db8:1:2::3]:443"', '2001:db8:1:2::/64'],
    ['[fe80::1%eth0]:443', 'fe80::/64'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['', 'unknown'],
    ['a.example.com', 'unreadable'],
    ['203.0.113.7, 10.0.0.1', 'unreadable'],
    ['203.0.113.7:x', 'unreadable'],
    ['203.0.113.7:', 'unreadable'],
    ['203.0.113.256', 'unreadable'],
    ['3405803783', 'unreadable'],
    ['0x7f.1', 'unreadable'],
    ['010.0.0.1', 'unreadable'],
    ['[203.0.113.7', 'unreadable'],
    ['_hidden', 'unreadable'],
    ['unknown', 'unreadable'],
    ['-', 'unreadable'],
    ['%eth0', 'unreadable'],
  ])('at %j is %s [limits/addresses-from-proxies]', (text, name) => expect(clientAddress(text)).toBe(name));

  it('has one whole address in every form', () => {
    for (const text of ['[2001:DB8::1%1]:443', '2001:db8:0::1', '"[2001:db8::1]"'])
      expect(addressOf(text)).toBe('2001:db8::1');
    expect(addressOf('nobody')).toBeUndefined();
  });

  it('is within a network in every form', () => {
    const isTrusted = within(['10.0.0.0/8', '2001:db8::/32', '::ffff:192.0.2.0/120', '::1', '198.51.100.7']);
    for (const text of [
      '10.9.9.9:443',
      '::ffff:10.1.1.1',
      '[2001:db8::9]:1',
      '192.0.2.9',
      '::1',
      '198.51.100.7',
    ])
      expect(isTrusted(text), text).toBe(true);
    for (const text of ['11.0.0.1', '2001:db9::1', '192.0.3.1', '::2', '198.51.100.8', 'x', ''])
      expect(isTrusted(text), text).toBe(false);
    expect(within(['0.0.0.0/0'])('::1')).toBe(false);
    expect(isTrusted(undefined), 'of a connection that has ended').toBe(false);
  });
});
