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
export interface AskedFrom extends Network {
  readonly origin: string | null;
  readonly application: string | null;
  /** What the browser that opened the session says of itself. Null if a backend opened it. */
  readonly browser: string | null;
  readonly system: string | null;
  /** The device that the sign-in is for, if it is not the browser that shows the code. Left out by earlier versions. */
  readonly device?: StoredDevice;
  /** The application of the OpenID Provider whose sign-in page asked. Null for none, undefined in sessions of earlier versions. */
  readonly clientId?: string | null;
}

/** Where a session was opened, or a device asked for a sign-in. */
interface Network {
  /** A keyed hash. Null if a backend opened the session, or if the network is not known. */
  readonly networkHash: string | null;
}

/** A device that asks for a sign-in with a code of the device flow. */
export interface AskingDevice extends Network {
  /** As it shows it. */
  readonly userCode: string;
  /** What its network is hashed with. */
  readonly networkId: string;
}

/** Who knows the code can enter it, so it is stored encrypted. */
interface StoredDevice extends Network, Pick<AskingDevice, 'networkId'> {
  readonly userCodeSealed: string;
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

/** Of one session or device, so that the stored hashes do not show which have a network in common. Undefined for an unknown address. */
function networkText(id: string, address: string): string | undefined {
  const network = surroundingsOf(address);
  return network && `network|${id}|${network}`;
}

function hashNetwork({ keyring }: Pick<Deps, 'keyring'>, id: string, address: string): string | null {
  const text = networkText(id, address);
  return text === undefined ? null : keyring.hmac('pairing', text);
}

/** The network of a device that asks for a sign-in, to be stored with its code. */
export function networkOfDevice(deps: Pick<Deps, 'keyring' | 'ids'>, address: string) {
  const networkId = deps.ids();
  return { networkId, networkHash: hashNetwork(deps, networkId, address) };
}

function storedDevice(
  { keyring, random }: Pick<Deps, 'keyring' | 'random'>,
  { userCode, networkId, networkHash }: AskingDevice,
): StoredDevice {
  return { userCodeSealed: keyring.encrypt(userCode, random), networkId, networkHash };
}

/** The code of the device that a session signs in; null if it signs its own browser in. 410 if it can no longer be decrypted. */
export function userCodeOf({ keyring }: Pick<Deps, 'keyring'>, { device }: AskedFrom): string | null {
  if (!device) return null;
  return (
    keyring.decrypt(device.userCodeSealed) ?? fail('pairing_session_expired', { because: 'sealed code' })
  );
}

/** Whether an address is in the network of the device that asks, or else of the browser that opened a session; null if it is unknown. */
export function isSameNetwork(
  { keyring }: Pick<Deps, 'keyring'>,
  id: string,
  { device, networkHash }: AskedFrom,
  address: string,
): boolean | null {
  const hash = device ? device.networkHash : networkHash;
  const text = networkText(device?.networkId ?? id, address);
  return hash === null || text === undefined ? null : keyring.hmacs('pairing', text).includes(hash);
}

/**
 * What the phone shows about a new session. 403 for an origin that the account has not listed. With `clientId`, a sign-in page of
 * ours asks, so the request comes from the person's browser or from somebody who imitates one, whatever its headers say.
 */
export function askedFrom(
  {
    deps,
    header,
    address,
  }: Pick<BaseContext, 'header' | 'address'> & {
    readonly deps: Pick<Deps, 'keyring' | 'random'>;
  },
  {
    id,
    clientId,
    device,
  }: {
    readonly id: string;
    readonly clientId: string | null;
    readonly device: AskingDevice | undefined;
  },
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
  const isBrowser = clientId !== null || (origin !== null && header('origin') === origin);
  return {
    origin,
    application,
    // Of a device, they would be those of the browser that shows the code, and hide that another machine is signed in.
    ...(isBrowser && !device ? namesOf(header('user-agent')) : { browser: null, system: null }),
    networkHash: isBrowser ? hashNetwork(deps, id, address) : null,
    ...(device && { device: storedDevice(deps, device) }),
    clientId,
  };
}
