import { isSvcError } from '@svc/sdk';
import { type Protection, unlock } from '../vault/protection';
import { confirmIdentity, type Identity } from './identity';
import { settleKey, versionsOf } from './renewal';

/** Unlocks each protection once, so that an identity with two secrets does not ask twice. */
export function unlocker(): (protection: Protection) => Promise<CryptoKey> {
  const keys = new Map<Protection, CryptoKey>();
  return async (protection) => {
    const key = keys.get(protection) ?? (await unlock(protection));
    keys.set(protection, key);
    return key;
  };
}

/**
 * Runs `use` with the identity's secret that is in force. With two, it tries the new one and then the old one, and stores which of
 * them the service accepted.
 */
export async function withKeyInForce<T>(
  identity: Identity,
  use: (version: Identity, key: CryptoKey) => Promise<T>,
): Promise<T> {
  const unlockOnce = unlocker();
  const [newest, old] = versionsOf(identity) as [Identity, Identity?];
  const attempt = async (version: Identity) => {
    const result = await use(version, await unlockOnce(version.protection));
    await settle(version);
    return result;
  };
  try {
    return await attempt(newest);
  } catch (error) {
    if (old === undefined || !isSvcError(error, 'verification_failed')) throw error;
    return attempt(old);
  }
}

/** The service accepted this version's proof, so the identity is in force with its secret. */
export async function settle(version: Identity): Promise<void> {
  if (version.renewal) await settleKey(version);
  if (!version.confirmed) await confirmIdentity(version);
}
