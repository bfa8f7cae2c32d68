import type { Passkey, Protection, ProtectionKind } from '../vault/sealed';
import { askPasskey, createPasskey, forgetPasskey, NoScreenLock, NotUnlocked } from './passkey';
import { createKey } from './seal';

/** A protection with its key, which can encrypt and decrypt but not be exported. */
interface Unlocked {
  readonly protection: Protection;
  readonly key: CryptoKey;
}

/** The strongest protection that the browser reports. Whether the authenticator supports PRF is known only after a credential is created. */
export async function availableProtection(): Promise<ProtectionKind> {
  if (typeof PublicKeyCredential !== 'function') return 'browser';
  const capabilities: Record<string, boolean> = await PublicKeyCredential.getClientCapabilities?.().catch(
    () => ({}),
  );
  if (capabilities?.['extension:prf'] === false) return 'browser';
  const hasLock = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(
    () => false,
  );
  return hasLock ? 'screen-lock' : 'browser';
}

/** Whether the screen lock was not unlocked, or can't protect a secret. The person may go on without it. */
export const needsLock = (error: unknown): boolean =>
  error instanceof NotUnlocked || error instanceof NoScreenLock;

/**
 * Creates a protection of exactly the wanted kind, never a weaker one.
 * @throws NotUnlocked, NoScreenLock
 */
export async function createProtection(wanted: ProtectionKind, name: string): Promise<Unlocked> {
  if (wanted === 'browser') {
    const key = await createKey();
    return { protection: { kind: 'browser', key }, key };
  }
  const { passkey, key } = await createPasskey(name);
  return { protection: passkey, key: key ?? (await unlockNew(passkey)) };
}

async function unlockNew(passkey: Passkey): Promise<CryptoKey> {
  try {
    return await unlock(passkey);
  } catch (error) {
    forgetPasskey(passkey);
    throw error;
  }
}

/** @throws NotUnlocked */
export const unlock = async (protection: Protection): Promise<CryptoKey> =>
  protection.kind === 'browser' ? protection.key : (await askPasskey(protection)).key;

/** The secret that it protects is deleted. */
export function discardProtection(protection: Protection | undefined): void {
  if (protection?.kind === 'screen-lock') forgetPasskey(protection);
}
