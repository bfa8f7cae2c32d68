// How the text of an environment variable becomes a value. Each returns undefined for text that breaks the setting's rule.
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../model/url.js';
import { type Image, readImage } from '../image.js';

export type Parse<T> = (text: string) => T | undefined;

export const when =
  (test: (text: string) => boolean): Parse<string> =>
  (text) =>
    test(text) ? text : undefined;

/** `URL` ignores spaces around an address, as the last line of a file leaves them. The clients that get it do not. */
export const address =
  (test: (text: string) => boolean): Parse<string> =>
  (text) =>
    when(test)(text.trim());

export const integer =
  (min: number, max: number): Parse<number> =>
  (text) =>
    /^[0-9]{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

export const flag: Parse<boolean> = (text) =>
  /^(true|1)$/.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : undefined;

export const list =
  (test: (item: string) => boolean): Parse<readonly string[]> =>
  (text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every(test) ? items : undefined;
  };

/** 00:00 UTC of a day. */
export const day: Parse<Date> = (text) => {
  const date = new Date(`${text}T00:00:00.000Z`);
  return /^\d{4}-/.test(text) && date.toJSON()?.startsWith(`${text}T`) ? date : undefined;
};

export const oneOf =
  <T extends string>(values: readonly T[]): Parse<T> =>
  (text) =>
    values.find((value) => value === text);

/** `true` asks for one contributor. */
export const contributors: Parse<number> = (text) =>
  text === 'true' ? 1 : /^(false|no|off)$/i.test(text) ? 0 : integer(0, 1000)(text);

/** URL accepts a `*` in a host name, but it has no meaning here. */
export const isOrigin = (text: string) => {
  const url = parseUrl(text);
  return url?.origin === text && /^https?:$/.test(url.protocol) && !text.includes('*');
};

/** An absolute http(s) URL in normal form, so that URLs can be compared as text. */
export const isTarget = (text: string) => {
  const url = parseUrl(text);
  return url?.href === text && /^https?:\/\/[^@#]+$/.test(text) && url.username === '';
};

export const isCidr = (text: string) => {
  try {
    const [address = '', ...prefix] = text.split('/');
    // Other software reads `1` or `10/8` as an address or a hop count, so only the full form is accepted.
    if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
    if (address.includes('%')) return false;
    return prefix.length > 0 ? ipaddr.parseCIDR(text).length === 2 : ipaddr.isValid(text);
  } catch {
    return false;
  }
};

/** The path may only be a database number. */
export const isRedisUrl = (text: string) => {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = url;
  if (!/^rediss?:$/.test(protocol) || hostname === '' || search + hash !== '') return false;
  return /^(\/\d{0,5})?$/.test(pathname) && !/%(?![0-9a-f]{2})/i.test(username + password);
};

/** A forward proxy. User info is for its Proxy-Authorization. */
export const isProxyUrl = (text: string) => {
  const url = parseUrl(text);
  if (url === undefined || !/^http:\/\/[^/?#]+\/?$/.test(text)) return false;
  const { username, password, port } = url;
  return port !== '0' && !/%(?![0-9a-f]{2})/i.test(username + password);
};

export const isDatabaseUrl = (text: string) => /^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? '');

export const isRpcUrl = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

export const isHost = (text: string) => /^[0-9a-zA-Z.:_-]+$/.test(text);

/** A contact as a URI: an e-mail address or one of these. */
export const contact: Parse<string> = (text) => {
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
  return /^(mailto:[^\s@]+@[^\s@]+|tel:\+[\d-]+|https:\/\/[^\s]+)$/.test(uri) && parseUrl(uri)
    ? uri
    : undefined;
};

/** Where a link of the dashboard may lead. */
export const isSupportUrl = (text: string) =>
  /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/.test(text) && parseUrl(text) !== undefined;

export const isName = (text: string) => text.trim() !== '' && text.length <= 60 && !/\p{Cc}/u.test(text);

/** The image in a file, if it can be used. */
export const imageFile: Parse<Image> = (path) => {
  try {
    const image = readImage(readFileSync(path));
    return typeof image === 'string' ? undefined : image;
  } catch {
    return undefined;
  }
};

/** The order of secp256k1. A private key is greater than 0 and less than this. */
const KEY_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
export const isPrivateKey = (text: string) =>
  /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < KEY_ORDER;

/** The JSON line printed by `svc chain deploy --json`: its addresses, and the blockchain that they are on, if it says so. */
export const contracts: Parse<{ anchorHub: string; groth16Verifier: string; chainId: unknown }> = (text) => {
  try {
    const { anchorHub, groth16Verifier, chainId } = JSON.parse(text) as Record<string, unknown>;
    const isAddress = (value: unknown): value is string =>
      typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
    return isAddress(anchorHub) && isAddress(groth16Verifier)
      ? { anchorHub, groth16Verifier, chainId }
      : undefined;
  } catch {
    return undefined;
  }
};
