import ipaddr from 'ipaddr.js';

/** One client, one name: an IPv4 address (also when mapped into IPv6), or an IPv6 address's /64. */
export function clientAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** What one party is likely to own whole: an IPv4 address, or an IPv6 /48. Takes what `clientAddress` answers. */
export function networkOf(address: string): string {
  const [ip = '', prefix] = address.split('/');
  if (prefix === undefined) return address;
  return `${new ipaddr.IPv6([...ipaddr.IPv6.parse(ip).parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()}/48`;
}
