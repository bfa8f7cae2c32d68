import bowser from 'bowser';
import type { Static } from 'typebox';
import { surroundingsOf } from '../../base/address.js';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { parseUrl } from '../../model/url.js';
import { VISIBLE, VISIBLE_RULE } from '../../model/visible.js';
import type { CreateBody } from './pairing.schema.js';

/** Where a sign-in was asked for, as stored with the session. */
export interface AskedFrom {
  readonly origin: string | null;
  readonly application: string | null;
  /** Only known if the browser itself opened the session. */
  readonly browser: string | null;
  readonly system: string | null;
  /** A keyed hash of the network that opened the session. */
  readonly networkHash: string | null;
}

/** Longer headers come from nobody who wants to be recognised. */
const MAX_USER_AGENT = 512;
/** Other names would be copied from the header. */
const BROWSERS = new Set<string | undefined>(Object.values(bowser.BROWSER_MAP));
const SYSTEMS = new Set<string | undefined>(Object.values(bowser.OS_MAP));

/** Browser and system by the names that we know. */
export function namesOf(userAgent: string | undefined) {
  if (!userAgent || userAgent.length > MAX_USER_AGENT) return { browser: null, system: null };
  const { browser, os } = bowser.parse(userAgent);
  return {
    browser: BROWSERS.has(browser.name) ? (browser.name ?? null) : null,
    system: SYSTEMS.has(os.name) ? (os.name ?? null) : null,
  };
}

/**
 * The origin of a URL. A user name in front of the host can make one host look like another, and the `origin` of a blob is that of
 * the page that made it.
 */
function originOf(text: string, path: string): string {
  const { protocol, host, username, password } = parseUrl(text) ?? invalid(path, 'must be a URL');
  if (username || password) fail('origin_not_allowed', { because: 'user info' });
  return `${protocol}//${host}`;
}

/** Of one session, so that the stored hashes do not show which sessions have a network in common. */
const networkText = (id: string, address: string) => `network|${id}|${surroundingsOf(address)}`;

/** Whether an address is in the network that opened a session; null if the network is unknown. */
export const isSameNetwork = (
  { keyring }: Pick<Deps, 'keyring'>,
  id: string,
  { networkHash: hash }: AskedFrom,
  address: string,
): boolean | null =>
  hash === null ? null : keyring.hmacs('pairing', networkText(id, address)).includes(hash);

/** What the phone shows about a new session. 403 for an origin that the account has not listed. */
export function askedFrom(
  { deps, header, address }: Pick<BaseContext, 'deps' | 'header' | 'address'>,
  id: string,
  { origins = [] }: SecurityPolicy,
  { context = {}, returnUrl }: Static<typeof CreateBody>,
): AskedFrom {
  const allow = (text: string, path: string) => {
    const origin = originOf(text, path);
    return origins.includes(origin) ? origin : fail('origin_not_allowed', { because: 'not listed' });
  };
  const { application = null } = context;
  if (application !== null && !VISIBLE.test(application)) invalid('body.context.application', VISIBLE_RULE);
  if (returnUrl !== undefined) allow(returnUrl, 'body.returnUrl');
  const origin = context.origin === undefined ? null : allow(context.origin, 'body.context.origin');
  // A backend's own address and browser say nothing about the person's.
  const isBrowser = origin !== null && header('origin') === origin;
  return {
    origin,
    application,
    ...(isBrowser ? namesOf(header('user-agent')) : { browser: null, system: null }),
    networkHash: isBrowser ? deps.keyring.hmac('pairing', networkText(id, address)) : null,
  };
}
