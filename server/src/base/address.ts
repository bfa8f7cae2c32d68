import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address of all clients whose address a trusted proxy sends in a form that nobody can read. They share no limit by it. */
export const UNREADABLE = 'unreadable';

/** An address with what proxies put around it: quotes, brackets, a port. */
const SENT = /^"?(?:\[([^\]]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5}|([^"[\]]+))"?$/;

/** Also from `203.0.113.7:5678`, `[2001:db8::1]:5678`, `"[2001:db8::1]"` and `fe80::1%eth0`. IPv4 also when mapped into IPv6. */
function read(text = ''): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bracketed, withPort, plain] = SENT.exec(text.trim()) ?? [];
  const [ip = ''] = (bracketed ?? withPort ?? plain ?? '').split('%', 1);
  if (isIP(ip) === 0) return undefined;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv4 ? address : new ipaddr.IPv6([...address.parts]);
}

/** A whole address in its canonical form: IPv4 also when mapped into IPv6, and IPv6 without a zone. Undefined if it is none. */
export const addressOf = (text: string): string | undefined => (isIPv4(text) ? text : read(text)?.toString());

/** Identifies a client by its IPv4 address (also when mapped into IPv6) or by the /64 of its IPv6 address. */
export function clientAddress(text = ''): string {
  // The connection has ended already.
  if (text === '') return 'unknown';
  // Node accepts no other form of an IPv4 address than the canonical one.
  if (isIPv4(text)) return text;
  const address = read(text);
  if (address === undefined) return UNREADABLE;
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** Whether an address, as a proxy sends it, is in one of these networks. Each is an address or a CIDR. A connection that has ended has none. */
export function within(networks: readonly string[]): (text?: string) => boolean {
  const ranges = networks.map((network) => {
    const [ip = '', prefix] = network.split('/');
    const range = ipaddr.parse(ip);
    const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress();
    const start = isMapped ? range.toIPv4Address() : range;
    const bits = prefix === undefined ? start.toByteArray().length * 8 : Number(prefix) - (isMapped ? 96 : 0);
    return [start, bits] as const;
  });
  return (text) => {
    const address = read(text);
    return (
      address !== undefined &&
      ranges.some(
        ([start, bits]) => start.kind() === address.kind() && address.match(start, Math.max(0, bits)),
      )
    );
  };
}

/** The range that one party probably owns: an IPv4 address or an IPv6 /48. Expects the result of `clientAddress`. */
export function networkOf(address: string): string {
  const [ip = '', prefix] = address.split('/');
  if (prefix === undefined) return address;
  return `${new ipaddr.IPv6([...ipaddr.IPv6.parse(ip).parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()}/48`;
}

/**
 * The surroundings of a client: the /24 of its IPv4 address or the /48 of its IPv6 address. Undefined if its address is unknown.
 * Expects the result of `clientAddress`.
 */
export function surroundingsOf(address: string): string | undefined {
  if (address.includes('/')) return networkOf(address);
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : undefined;
}
