import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns the address to connect to, in normal form. Undefined if it is not allowed. */
export type JudgeAddress = (address: string) => string | undefined;

const ipv4In = (address: ipaddr.IPv6, at: number, mask = 0) =>
  new ipaddr.IPv4(
    address
      .toByteArray()
      .slice(at, at + 4)
      .map((byte) => byte ^ mask),
  );

/** Networks whose addresses lead to an IPv4 address, and where it stands. Mapped addresses are IPv4 before this. */
const EMBEDDINGS: readonly {
  readonly network: [ipaddr.IPv6, number];
  readonly unpack: (address: ipaddr.IPv6) => readonly ipaddr.IPv4[];
}[] = [
  // IPv4-compatible (RFC 4291).
  { network: ipaddr.IPv6.parseCIDR('::/96'), unpack: (address) => [ipv4In(address, 12)] },
  // NAT64 (RFC 6052).
  { network: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), unpack: (address) => [ipv4In(address, 12)] },
  // 6to4 (RFC 3056).
  { network: ipaddr.IPv6.parseCIDR('2002::/16'), unpack: (address) => [ipv4In(address, 2)] },
  // Teredo (RFC 4380): the server and the client, whose bits are inverted.
  {
    network: ipaddr.IPv6.parseCIDR('2001::/32'),
    unpack: (address) => [ipv4In(address, 4), ipv4In(address, 12, 0xff)],
  },
];

/** `::` and `::1` are not IPv4-compatible addresses. */
const NO_EMBEDDING = ipaddr.IPv6.parseCIDR('::/127');
/** All that IANA has allocated as global unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The host of a virtual machine in Azure. It is not in any registry, because it is outside the reserved ranges. */
const AZURE_HOST = '168.63.129.16';

/**
 * IANA's special-purpose registries list some blocks as globally reachable: anycast for PCP, TURN and SRP, AMT, AS112,
 * ORCHIDv2 and drone tags. No tenant has a web server there, so this allows none of them, except NAT64's 64:ff9b::/96, which
 * stands for the IPv4 address in it. In the local NAT64 network 64:ff9b:1::/48 each operator chooses the place of the IPv4
 * address, so it cannot be judged, and this does not allow it either.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? address.toString() !== AZURE_HOST : address.match(GLOBAL_UNICAST);
}

function embeddedIn(address: Address): readonly ipaddr.IPv4[] | undefined {
  if (address instanceof ipaddr.IPv4 || address.match(NO_EMBEDDING)) return undefined;
  return EMBEDDINGS.find(({ network }) => address.match(network))?.unpack(address);
}

/** A network, or one address. A network of IPv4 addresses mapped into IPv6 is an IPv4 network. */
function readNetwork(text: string): [Address, number] {
  const [address, length] = text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), text.includes(':') ? 128 : 32];
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= 96
    ? [address.toIPv4Address(), length - 96]
    : [address, length];
}

type Network = ReturnType<typeof readNetwork>;

const isIn = (networks: readonly Network[], address: Address): boolean =>
  networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length));

/**
 * Judges addresses: only public ones and those in `allowCidrs` are good, and none in `denyCidrs` is. An address that leads to a
 * denied IPv4 address is denied too.
 */
export function createJudge(allowCidrs: readonly string[], denyCidrs: readonly string[] = []): JudgeAddress {
  const allowed = allowCidrs.map(readNetwork);
  const denied = denyCidrs.map(readNetwork);
  const isDenied = (address: Address): boolean =>
    isIn(denied, address) || (embeddedIn(address)?.some(isDenied) ?? false);
  const isGood = (address: Address): boolean =>
    isIn(allowed, address) || (embeddedIn(address)?.every(isGood) ?? isPublic(address));
  return (text) => {
    if (isIP(text) === 0 || text.includes('%')) return undefined;
    const address = ipaddr.process(text);
    return isGood(address) && !isDenied(address) ? address.toString() : undefined;
  };
}
