import { isSvcError } from '../transport/errors.js';
import { identityOf, type PhonePorts, store } from './ports.js';
import { type Identity, replacingOlder, type Secret } from './records.js';

/** The service accepts a request for at most so long after it was made, so after that no request is still on its way. */
const SETTLED_MS = 10 * 60_000;

/** The identity with its new secret instead of the old one. */
export function renewed<S extends Secret>(identity: Identity<S>): Identity<S> {
  const { renewal, ...old } = identity;
  if (renewal === undefined) return identity;
  const { startedAt: _, ...secret } = renewal;
  return { ...old, ...secret } as unknown as Identity<S>;
}

/**
 * The identity with each secret that may be in force, in the order to try them: the new one, the old one, and the new one once more,
 * because a request whose response was lost may arrive between the two. All have the renewal, which a use settles.
 */
export function versionsOf<S extends Secret>(identity: Identity<S>): Identity<S>[] {
  const { renewal } = identity;
  if (renewal === undefined) return [identity];
  const newest = { ...renewed(identity), renewal };
  return [newest, identity, newest];
}

/** What to store after the service accepted a proof of the secret with this commitment. `now` is the service's time. */
export function afterUse<S extends Secret>(
  identity: Identity<S>,
  commitment: string,
  now: number,
): Identity<S> {
  const { renewal, ...old } = identity;
  if (renewal === undefined) return identity;
  if (commitment === renewal.commitment) return renewed(identity);
  return now - Date.parse(renewal.startedAt) > SETTLED_MS ? (old as unknown as Identity<S>) : identity;
}

/** @internal The service accepted this version's proof, so the identity is in force with its secret. If it was deleted, it stays deleted. */
export async function settle<S extends Secret>(
  phone: PhonePorts<S>,
  { id, commitment, renewal, confirmed }: Identity<S>,
  more: Partial<Identity<S>> = {},
): Promise<void> {
  if (renewal === undefined && confirmed && Object.keys(more).length === 0) return;
  await store(phone, (stored) => {
    const found = stored.identities.find((identity) => identity.id === id);
    if (found === undefined) return [];
    const used = { ...afterUse(found, commitment, phone.service.serverNow()), ...more };
    if (found.confirmed) return [{ put: 'identities', record: used }];
    return replacingOlder(stored, { ...used, confirmed: true, inForceAt: undefined });
  });
}

/**
 * @internal Runs `use` with the identity's secret that is in force. With two, it tries them in the order of `versionsOf`, and stores which
 * of them the service accepted.
 */
export async function withKeyInForce<S extends Secret, T>(
  phone: PhonePorts<S>,
  id: string,
  use: (version: Identity<S>) => Promise<T>,
): Promise<T> {
  let rejection: unknown;
  for (const version of versionsOf(await identityOf(phone, id)))
    try {
      const result = await use(version);
      await settle(phone, version);
      return result;
    } catch (error) {
      if (!isSvcError(error, 'verification_failed')) throw error;
      rejection = error;
    }
  throw rejection;
}
