import ipaddr from 'ipaddr.js';

/** One client, one name: an IPv4 address (also when mapped into IPv6), or an IPv6 address's /64. */
export function clientAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
