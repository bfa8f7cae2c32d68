import { productName } from '../../ui/product-name';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { createKey } from './seal';

export type Protection =
  | {
      /** The authenticator derives the key each time the person unlocks it (WebAuthn PRF). */
      readonly kind: 'screen-lock';
      readonly credentialId: ArrayBuffer;
      readonly salt: Uint8Array<ArrayBuffer>;
    }
  | {
      /** The browser stores the key, and this page can use it without asking the person. */
      readonly kind: 'browser';
      readonly key: CryptoKey;
    };
export type ProtectionKind = Protection['kind'];

/** A protection with its key, which can encrypt and decrypt but not be exported. */
interface Unlocked {
  readonly protection: Protection;
  readonly key: CryptoKey;
}

/** The person declined, or the phone did not recognize them. */
export class NotUnlocked extends PhoneError {
  constructor(cause?: unknown) {
    super('not_unlocked', t.errors.notUnlocked, { cause });
  }
}

/** The authenticator does not support PRF. */
export class NoScreenLock extends PhoneError {
  constructor() {
    super('no_screen_lock', t.errors.noScreenLock);
  }
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

/**
 * Creates a protection of exactly the wanted kind, never a weaker one.
 * @throws NotUnlocked, NoScreenLock
 */
export async function createProtection(wanted: ProtectionKind, name: string): Promise<Unlocked> {
  if (wanted === 'screen-lock') return createScreenLock(name);
  const key = await createKey();
  return { protection: { kind: 'browser', key }, key };
}

/** @throws NotUnlocked */
export async function unlock(protection: Protection): Promise<CryptoKey> {
  if (protection.kind === 'browser') return protection.key;
  const { credentialId, salt } = protection;
  const credential = await requestCredential(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        allowCredentials: [{ type: 'public-key', id: credentialId, transports: ['internal'] }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const output = prfOf(credential);
  if (output === undefined) throw new NotUnlocked();
  return keyOf(output);
}

async function createScreenLock(name: string): Promise<Unlocked> {
  const salt = crypto.getRandomValues(new Uint8Array(32));
  const credential = await requestCredential(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: productName },
        user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { authenticatorAttachment: 'platform', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const { prf } = credential.getClientExtensionResults();
  if (prf?.enabled !== true) throw new NoScreenLock();
  const protection: Protection = { kind: 'screen-lock', credentialId: credential.rawId, salt };
  const output = prfOf(credential);
  return { protection, key: output ? await keyOf(output) : await unlock(protection) };
}

async function requestCredential(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await request().catch((cause: unknown) => {
    throw new NotUnlocked(cause);
  });
  if (credential === null) throw new NotUnlocked();
  return credential as PublicKeyCredential;
}

function prfOf(credential: PublicKeyCredential): Uint8Array<ArrayBuffer> | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (first === undefined) return undefined;
  return first instanceof ArrayBuffer
    ? new Uint8Array(first)
    : new Uint8Array(first.buffer as ArrayBuffer, first.byteOffset, first.byteLength);
}

/** Derives the key from the PRF output with HKDF, and overwrites the output. */
async function keyOf(output: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', output, 'HKDF', false, ['deriveKey']);
  output.fill(0);
  const info = new TextEncoder().encode('svc:phone:identity:v1');
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}
