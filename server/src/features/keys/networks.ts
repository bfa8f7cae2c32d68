import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressOf } from '../../base/address.js';

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
const MAPPED_BITS = 96;

/**
 * A network in its one canonical form: `10.1.2.3/8` is `10.0.0.0/8`, an address alone is a network of one, and an IPv4 network that
 * is mapped into IPv6 is that IPv4 network. Undefined if the text is neither an address nor a CIDR.
 */
export function readNetwork(text: string): string | undefined {
  const [ip = '', prefix, ...rest] = text.split('/');
  // `isIP` accepts a zone, which means nothing to another machine.
  if (rest.length > 0 || isIP(ip) === 0 || ip.includes('%')) return undefined;
  const address = ipaddr.parse(ip);
  const size = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && !PREFIX.test(prefix)) return undefined;
  const bits = prefix === undefined ? size : Number(prefix);
  if (bits > size) return undefined;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS)
    return ipv4Network(address.toIPv4Address(), bits - MAPPED_BITS);
  return address instanceof ipaddr.IPv6 ? ipv6Network(address, bits) : ipv4Network(address, bits);
}

const ipv4Network = (address: ipaddr.IPv4, bits: number) =>
  `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;

const ipv6Network = (address: ipaddr.IPv6, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;

/** Whether an address is in one of these networks. Expects results of `readNetwork`. An unknown address is in none. */
export function isWithin(ip: string, networks: readonly string[]): boolean {
  const text = addressOf(ip);
  if (text === undefined) return false;
  const address = ipaddr.parse(text);
  return networks.some((network) => {
    const [start, bits] = ipaddr.parseCIDR(network);
    return start.kind() === address.kind() && address.match(start, bits);
  });
}

const LOCAL: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'unspecified'];

/** Whether an address is of this machine or of a private network, as that of a proxy in front of the service is. */
export function isLocal(ip: string): boolean {
  const text = addressOf(ip);
  return text === undefined || LOCAL.includes(ipaddr.parse(text).range());
}
