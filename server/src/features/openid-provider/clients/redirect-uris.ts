import { invalid } from '../../../base/errors.js';
import { parseUrl } from '../../../model/url.js';
import type { SUBJECT_TYPES, TYPES } from './clients.schema.js';

type ClientType = (typeof TYPES)[number];

/** RFC 8252 asks for a domain name in reverse, so that no two applications have the same scheme. */
const PRIVATE_USE = /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:\//;

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '127.0.0.1';

/** The message about a URI that a client of this type cannot have. */
function problemOf(uri: string, type: ClientType): string | undefined {
  const url = parseUrl(uri);
  if (url === undefined) return 'must be an absolute URL';
  if (uri.includes('#')) return 'must not contain a fragment';
  if (uri.includes('*')) return 'must not contain *, because URLs are compared exactly';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (type !== 'native' && !isWeb) return 'must begin with https://, or with http:// on a loopback address';
  if (!isWeb && !PRIVATE_USE.test(uri))
    return 'must begin with https://, with http:// on a loopback address, or with a scheme such as com.example.app:/';
  // An origin may end without the slash. Any other spelling could be read as another URL.
  if (url.href !== uri && url.href !== `${uri}/`)
    return 'must be in normal form: lower-case scheme and host, no standard port, no dot segments, other characters encoded';
  return undefined;
}

/** Redirect URIs or post-logout redirect URIs: 400 with the path of the first that cannot be used. */
export function checkUris(uris: readonly string[], type: ClientType, path: string): void {
  const seen = new Set<string>();
  for (const [at, uri] of uris.entries()) {
    const problem = problemOf(uri, type);
    if (problem !== undefined) invalid(`${path}[${at}]`, problem);
    const { href } = new URL(uri);
    if (seen.has(href)) invalid(`${path}[${at}]`, 'is in the list twice');
    seen.add(href);
  }
}

/** The host and port, or the scheme of an application. */
export function sectorOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** The rules for redirect URIs. `before` are those of a client that is changed. */
export function checkRedirectUris(
  uris: readonly string[],
  { type, subjectType }: { readonly type: ClientType; readonly subjectType: (typeof SUBJECT_TYPES)[number] },
  before: readonly string[] = [],
): void {
  checkUris(uris, type, 'body.redirectUris');
  if (type === 'device' && uris.length > 0) invalid('body.redirectUris', 'must be empty for a device');
  if (type !== 'device' && uris.length === 0) invalid('body.redirectUris', 'must have at least one item');
  if (subjectType === 'public') return;
  const [first = '', ...others] = uris;
  const other = others.findIndex((uri) => sectorOf(uri) !== sectorOf(first));
  if (other !== -1)
    invalid(
      `body.redirectUris[${other + 1}]`,
      'must have the same host as the others, as pairwise subjects depend on it',
    );
  const [kept] = before;
  if (kept !== undefined && sectorOf(kept) !== sectorOf(first))
    invalid('body.redirectUris[0]', 'must have the same host as before, as pairwise subjects depend on it');
}
