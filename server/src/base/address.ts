import ipaddr from 'ipaddr.js';

/** A whole address in its canonical form: IPv4 also when mapped into IPv6, and IPv6 without a zone. Undefined if it is none. */
export function addressOf(ip: string): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv4 ? address.toString() : new ipaddr.IPv6([...address.parts]).toString();
}

/** Identifies a client by its IPv4 address (also when mapped into IPv6) or by the /64 of its IPv6 address. */
export function clientAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
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
  return ipaddr.IPv4.isValid(address) ? `${address.split('.').slice(0, 3).join('.')}.0/24` : undefined;
}
