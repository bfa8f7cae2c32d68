import { parseUrl } from '../../model/url.js';

/** Where a URL leads. */
export interface Target {
  readonly secure: boolean;
  /** A name without its trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of the Host header. */
  readonly authority: string;
  readonly path: string;
}

const MAX_URL_LENGTH = 2_048;
const MIN_FREE_PORT = 1_024;

/** Reads a URL that a tenant gave. Returns a phrase, such as 'must begin with https://', if it cannot be used. */
export function readTarget(text: string, allowHttp: boolean): Target | string {
  if (text.length > MAX_URL_LENGTH) return 'must have at most 2,048 characters';
  // The parser also accepts other spellings of the beginning, and drops white space and empty user info.
  const [, scheme, authority] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  const secure = scheme?.toLowerCase() === 'https';
  if (scheme === undefined || authority === undefined || !(secure || allowHttp))
    return allowHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  if (authority.includes('@')) return 'must not contain a user name or password';
  const url = parseUrl(text);
  if (authority === '' || /[\s\\\p{Cc}]/u.test(text) || url === undefined) return 'must be a valid URL';
  if (url.href.length > MAX_URL_LENGTH) return 'must have at most 2,048 characters';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const standardPort = secure ? 443 : 80;
  const port = url.port === '' ? standardPort : Number(url.port);
  if (port !== standardPort && port < MIN_FREE_PORT)
    return `must use port ${standardPort} or a port from ${MIN_FREE_PORT}`;
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname.split('.').includes('')) return 'must be a valid URL';
  return {
    secure,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    authority: port === standardPort ? hostname : `${hostname}:${port}`,
    path: `${url.pathname}${url.search}`,
  };
}
