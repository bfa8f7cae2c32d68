/** The parts of an address. */
type Address = Pick<URL, 'protocol' | 'hostname' | 'origin' | 'pathname' | 'search'> &
  Partial<Pick<URL, 'username' | 'password' | 'hash'>>;

const PLAIN = /^((https?:)\/\/([\w.-]+)(?::\d+)?)(\/[^?#]*)?([?#].*)?$/;

/** Parses an address. Engines without `URL` read only plain ones. @internal */
export function readAddress(text: string): Address | undefined {
  if (globalThis.URL) return URL.canParse(text) ? new URL(text) : undefined;
  const [, origin = '', protocol = '', hostname = '', pathname = '/', search = ''] = PLAIN.exec(text) ?? [];
  return origin ? { protocol, hostname, origin, pathname, search } : undefined;
}

/** The origin of an address, or the text itself if it is none. @internal */
export const originOf = (address: string): string => readAddress(address)?.origin ?? address;
