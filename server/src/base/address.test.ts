import { describe, expect, it } from 'vitest';
import { clientAddress } from './address.js';

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
    ['', 'unknown'],
    ['a.example.com', 'unknown'],
    ['203.0.113.7, 10.0.0.1', 'unknown'],
    ['[::1]:80', 'unknown'],
  ])('at %j is %s', (ip, name) => expect(clientAddress(ip)).toBe(name));
});
