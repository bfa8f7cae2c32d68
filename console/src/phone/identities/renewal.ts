import { change, resultOf } from '../vault/database';
import type { Identity } from './identity';

/** The service accepts a request for at most so long after it was made, so after that no request is still on its way. */
const SETTLED_MS = 10 * 60_000;

/** The identity with its new secret instead of the old one. */
export function renewed({ renewal, ...identity }: Identity): Identity {
  if (renewal === undefined) return identity;
  const { commitment, secret, protection = identity.protection } = renewal;
  return { ...identity, commitment, secret, protection };
}

/** The identity with each secret that may be in force, the newest first. Both have the renewal, which a use settles. */
export const versionsOf = (identity: Identity): Identity[] =>
  identity.renewal === undefined
    ? [identity]
    : [{ ...renewed(identity), renewal: identity.renewal }, identity];

/** The identity whose new secret is sent once more. The time in which both are kept starts again. `now` is in Unix milliseconds. */
export const sentAgain = (identity: Identity, now: number): Identity =>
  identity.renewal
    ? { ...identity, renewal: { ...identity.renewal, startedAt: new Date(now).toISOString() } }
    : identity;

/** What to store after the service accepted a proof of the secret with this commitment. `now` is in Unix milliseconds. */
export function afterUse(identity: Identity, commitment: string, now: number): Identity {
  const { renewal, ...old } = identity;
  if (renewal === undefined) return identity;
  if (commitment === renewal.commitment) return renewed(identity);
  return now - Date.parse(renewal.startedAt) > SETTLED_MS ? old : identity;
}

/** Stores which of an identity's secrets the service accepted. */
export const settleKey = ({ id, commitment }: Identity, more: Partial<Identity> = {}): Promise<void> =>
  change(['identities'], async (store) => {
    const stored = await resultOf<Identity | undefined>(store('identities').get(id));
    if (stored) store('identities').put({ ...afterUse(stored, commitment, Date.now()), ...more });
  });
