import { revokeKeysOf } from './features/attestation/attestation.js';
import { eraseBrowsers, forgetOfIdentities, forgetOfPerson } from './features/browsers/browsers.js';
import { revokeIdentitiesOfDevice } from './features/identities/identities.js';
import { endGrantsOfIdentities, endGrantsOfUser } from './features/openid-provider/openid-provider.js';
import { endWeakerPairings } from './features/pairing/pairing.js';
import { endSessionsOfIdentities, endSessionsOfUser } from './features/sessions/sessions.js';
import { endStaffAt } from './features/staff/staff.js';
import type { Deps, Effects } from './http/deps.js';

/** Connects features with those above them, which they cannot import. */
export function createEffects(
  deps: Pick<Deps, 'clock'> & { readonly bus: Pick<Deps['bus'], 'publish'> },
): Effects {
  const effects: Effects = {
    async identitiesRevoked(w, { ids, recoveredUserId }, now) {
      await Promise.all([
        endSessionsOfIdentities(w, ids, now),
        endGrantsOfIdentities(w, ids, now),
        revokeKeysOf(w, ids, now),
        // A thief of the phone can also have made browsers known with an identity that was revoked before.
        recoveredUserId === undefined ? forgetOfIdentities(w, ids) : forgetOfPerson(w, recoveredUserId),
      ]);
    },
    async secretReplaced(w, identityId, now) {
      await Promise.all([
        endSessionsOfIdentities(w, [identityId], now),
        endGrantsOfIdentities(w, [identityId], now),
        forgetOfIdentities(w, [identityId]),
      ]);
    },
    async userDeactivated(w, userId, now) {
      await Promise.all([
        endSessionsOfUser(w, userId, now),
        endGrantsOfUser(w, userId, now),
        eraseBrowsers(w, userId),
      ]);
    },
    deviceRevoked: (w, deviceId, now) => revokeIdentitiesOfDevice(w, { effects }, deviceId, now),
    personBegan: (w, deviceId) => endStaffAt(w, deviceId),
    policyReplaced: (w, policy) => endWeakerPairings(w, deps, policy),
  };
  return effects;
}
