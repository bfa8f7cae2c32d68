import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { TenantWrite } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import * as store from './pairing.store.js';

const leastOf = (policy: SecurityPolicy): store.Least => ({
  match: policy.pairing_match === 'type',
  sameDevice: policy.same_device_only === true,
  newBrowser: policy.new_browser ?? 'allow',
});

/** Whether a policy allows a sign-in that a device asks for with a code: it signs another machine in than the one that is shown. */
export const allowsDeviceFlow = (policy: SecurityPolicy): boolean => {
  const { sameDevice, newBrowser } = leastOf(policy);
  return !sameDevice && newBrowser === 'allow';
};

/** Whether a browser that is new to a person needs their phone beside it. */
export const asksNearby = (policy: SecurityPolicy): boolean =>
  leastOf(policy).newBrowser === 'nearby_or_same_device';

type Session = Pick<
  store.PairingRow,
  'match_hash' | 'return_url' | 'context' | 'browser_thumbprint' | 'opened_by_device' | 'device_ended'
>;

/** Whether the phone gives its approval back to the browser on the same device. */
export const isOnSameDevice = ({ return_url, context }: Pick<Session, 'return_url' | 'context'>): boolean =>
  return_url !== null && !context?.device;

/**
 * Whether a session asks for less than the policy, which may be newer, or its device may no longer act. Such a session counts as
 * expired.
 */
export function isOutdated(policy: SecurityPolicy, row: Session): boolean {
  if (row.device_ended) return true;
  const { match, sameDevice, newBrowser } = leastOf(policy);
  const isHere = isOnSameDevice(row);
  if ((match && row.match_hash === null) || (sameDevice && !isHere)) return true;
  if (newBrowser !== 'allow' && row.context?.device) return true;
  if (isHere) return false;
  return newBrowser === 'number'
    ? row.match_hash === null
    : newBrowser === 'nearby_or_same_device' &&
        row.browser_thumbprint === null &&
        row.opened_by_device === null;
}

/** Where people sign in on our own page. */
const hostedUrl = ({ config }: Pick<Deps, 'config'>, { tenantId, environment }: Scope): string =>
  `${config.baseUrl}/oidc/${tenantId}/${environment}/auth`;

/** Whether a new session must ask for the number. Rejects one that the policy does not allow at all. */
export function requireLeast(
  deps: Pick<Deps, 'config'>,
  scope: Scope,
  policy: SecurityPolicy,
  asked: {
    readonly sameDevice: boolean;
    readonly isHosted: boolean;
    /** Its browser can be known to a person, or its device is enrolled with a key. */
    readonly hasKey: boolean;
  },
): { readonly needsNumber: boolean } {
  const { match, sameDevice, newBrowser } = leastOf(policy);
  if (sameDevice && !asked.sameDevice)
    invalid('body.sameDevice', 'must be true, because the security policy has same_device_only');
  if (newBrowser === 'nearby_or_same_device' && !asked.sameDevice && !asked.hasKey)
    fail('new_browser_refused', asked.isHosted ? {} : { hostedUrl: hostedUrl(deps, scope) });
  return { needsNumber: match || (newBrowser === 'number' && !asked.sameDevice) };
}

/** Ends the open sessions that are weaker than a new policy. Returns what tells their desktops, after the commit. */
export async function endWeakerPairings(
  w: TenantWrite,
  { clock, bus }: Pick<Deps, 'clock'> & { readonly bus: Pick<Deps['bus'], 'publish'> },
  policy: SecurityPolicy,
): Promise<() => void> {
  const ended = await store.expireWeaker(w, leastOf(policy), new Date(clock.now()));
  return () => {
    for (const id of ended) bus.publish('pairing_session', id);
  };
}
