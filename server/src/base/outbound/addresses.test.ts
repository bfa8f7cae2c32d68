import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { createJudge } from './addresses.js';

/** IANA's IPv4 special-purpose address registry, and multicast. */
const IPV4_BLOCKS = [
  '0.0.0.0/8',
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.0.0.170/32',
  '192.0.0.171/32',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.88.99.2/32',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  // Not in the registry: the host of a virtual machine in Azure.
  '168.63.129.16/32',
];

/** IANA's IPv6 special-purpose address registry without the blocks that stand for IPv4, multicast, and what is not allocated. */
const IPV6_BLOCKS = [
  '::1/128',
  '::/128',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:100::/24',
  '2001:db8::/32',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '::ffff:0:0:0/96',
  '200::/7',
  '400::/6',
  '4000::/3',
  '6000::/3',
  '8000::/3',
  'a000::/3',
  'c000::/3',
  'e000::/4',
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
  '2001:200::1',
  '2001:4860:4860::8888',
];

type Bytes = readonly number[];

/** The first and last address of a block, and some between them. */
function samples(block: string): string[] {
  const [address, length] = ipaddr.parseCIDR(block);
  const bytes = address.toByteArray();
  return [0x00, 0xff, 0x5a, 0xa5, 0x01].map((fill) =>
    ipaddr
      .fromByteArray(
        bytes.map((byte, index) => {
          const free = 0xff >> Math.max(0, Math.min(8, length - index * 8));
          return (byte & ~free) | (fill & free);
        }),
      )
      .toString(),
  );
}

const hex = (bytes: Bytes) =>
  (((bytes[0] as number) << 8) | (bytes[1] as number)).toString(16).padStart(4, '0');
const pair = (bytes: Bytes) => `${hex(bytes)}:${hex(bytes.slice(2))}`;

/** Every address that stands for an IPv4 address. */
const EMBEDDINGS: Readonly<Record<string, (bytes: Bytes) => string>> = {
  mapped: (bytes) => `::ffff:${bytes.join('.')}`,
  'mapped, in hex': (bytes) => `0:0:0:0:0:FFFF:${pair(bytes)}`,
  compatible: (bytes) => `::${pair(bytes)}`,
  NAT64: (bytes) => `64:ff9b::${pair(bytes)}`,
  '6to4': (bytes) => `2002:${pair(bytes)}::1`,
  Teredo: (bytes) => `2001:0:0808:0808:0:3fff:${pair(bytes.map((byte) => byte ^ 0xff))}`,
  'the server of Teredo': (bytes) => `2001:0:${pair(bytes)}:0:3fff:f7f7:f7f7`,
};

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
/** Bytes in or near a special block. */
const specialIpv4 = fc
  .constantFrom(...IPV4_BLOCKS.flatMap(samples))
  .map((address) => address.split('.').map(Number) as [number, number, number, number]);

describe('an address', () => {
  const judge = createJudge([]);

  it.each([...IPV4_BLOCKS, ...IPV6_BLOCKS])('of %s is not allowed', (block) => {
    for (const address of samples(block)) expect(judge(address), address).toBeUndefined();
  });

  it.each(PUBLIC)('such as %s is allowed', (address) => {
    expect(judge(address)).toBe(address);
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '8.8.8.8.',
    '8.8.8',
    '010.8.8.8',
    '8.8.8.8/32',
    ' 8.8.8.8',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
    'fe80::1%1',
    '2606:4700::1111%',
  ])('must be an address in its only form and without a zone: %j', (text) => {
    expect(judge(text)).toBeUndefined();
    expect(createJudge(['0.0.0.0/0', '::/0'])(text)).toBeUndefined();
  });

  it('in IPv4 is judged the same in every embedding in IPv6', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, specialIpv4), fc.boolean(), (bytes, opensTen) => {
        const judgeBoth = createJudge(opensTen ? ['10.0.0.0/8', '127.0.0.0/8'] : []);
        const plain = judgeBoth(bytes.join('.')) !== undefined;
        for (const [name, embed] of Object.entries(EMBEDDINGS)) {
          // `::` and `::1` have a meaning of their own, which is no better.
          const embedded = judgeBoth(embed(bytes));
          expect(embedded !== undefined, `${bytes.join('.')} ${name}`).toBe(plain);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('mapped into IPv6 is reached as IPv4', () => {
    expect(judge('::ffff:8.8.8.8')).toBe('8.8.8.8');
  });

  it('in IPv6 is only allowed if IANA has allocated its network for the internet', () => {
    const allocated = ipaddr.IPv6.parseCIDR('2000::/3');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const address = ipaddr.fromByteArray([...bytes]) as ipaddr.IPv6;
        if (!address.match(allocated)) expect(judge(address.toString())).toBeUndefined();
      }),
    );
  });
});

describe('a network of OUTBOUND_ALLOW_CIDRS', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1', '::ffff:127.0.0.1'], ['127.0.0.2', '::1', '10.0.0.1']],
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '64:ff9b::a00:1'], ['127.0.0.1', '172.16.0.1', '::1']],
    ['::ffff:10.0.0.0/104', ['10.1.2.3', '::ffff:10.1.2.3'], ['127.0.0.1', '::1']],
    ['::1', ['::1'], ['127.0.0.1', '::2', '::']],
    ['fd00::/8', ['fd12::1'], ['fc00::1', 'fe80::1']],
    ['64:ff9b:1::/48', ['64:ff9b:1::a00:1'], ['64:ff9b::a00:1', '10.0.0.1']],
    ['::/0', ['::1', 'fe80::1', 'fd00::1'], ['127.0.0.1', '::ffff:127.0.0.1', 'fe80::1%eth0']],
    ['0.0.0.0/0', ['127.0.0.1', '169.254.169.254', '0.0.0.0'], ['::1', '::', 'fe80::1']],
  ])('%s opens its own addresses and no others', (cidr, open, closed) => {
    const judge = createJudge([cidr]);
    for (const address of open) expect(judge(address), address).toBeDefined();
    for (const address of closed) expect(judge(address), address).toBeUndefined();
  });

  it('leaves public addresses open', () => {
    const judge = createJudge(['10.0.0.0/8']);
    for (const address of PUBLIC) expect(judge(address)).toBe(address);
  });
});

describe('a network of OUTBOUND_DENY_CIDRS', () => {
  it.each([
    ['8.8.8.8', ['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'], ['8.8.4.4', '1.1.1.1']],
    ['::ffff:8.8.8.0/120', ['8.8.8.1', '64:ff9b::808:801'], ['8.8.4.4']],
    ['2606:4700::/32', ['2606:4700:4700::1111'], ['2001:4860:4860::8888', '1.1.1.1']],
    ['64:ff9b::/96', ['64:ff9b::808:808'], ['8.8.8.8']],
  ])('%s closes its own addresses, however they are written, and no others', (cidr, closed, open) => {
    const judge = createJudge([], [cidr]);
    for (const address of closed) expect(judge(address), address).toBeUndefined();
    for (const address of open) expect(judge(address), address).toBeDefined();
  });

  it('wins over OUTBOUND_ALLOW_CIDRS', () => {
    const judge = createJudge(['10.0.0.0/8', '64:ff9b::/96'], ['10.1.0.0/16']);
    expect(judge('10.2.0.1')).toBe('10.2.0.1');
    expect(judge('10.1.0.1')).toBeUndefined();
    expect(judge('64:ff9b::a01:1')).toBeUndefined();
    expect(createJudge(['10.1.0.1'], ['10.1.0.1'])('10.1.0.1')).toBeUndefined();
  });

  it('only ever closes addresses', () => {
    const address = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => [...bytes].join('.'));
    const cidr = fc.tuple(address, fc.integer({ min: 0, max: 32 })).map(([ip, length]) => `${ip}/${length}`);
    fc.assert(
      fc.property(address, fc.array(cidr), fc.array(cidr), (ip, allow, deny) => {
        const isDenied = deny.some((one) => ipaddr.IPv4.parse(ip).match(ipaddr.IPv4.parseCIDR(one)));
        expect(createJudge(allow, deny)(ip)).toBe(isDenied ? undefined : createJudge(allow)(ip));
      }),
    );
  });
});
