import { createKey } from './seal';

/** How the key of an identity's secret is kept. */
export type Protection =
  | {
      /** It comes out of the phone's authenticator, each time that the person unlocks it (WebAuthn PRF). */
      readonly kind: 'screen-lock';
      readonly credentialId: ArrayBuffer;
      readonly salt: Uint8Array<ArrayBuffer>;
    }
  | {
      /** The browser keeps it, and lends its use to this page without asking anybody. */
      readonly kind: 'browser';
      readonly key: CryptoKey;
    };
export type ProtectionKind = Protection['kind'];

/** An unlocked protection; the key encrypts and decrypts, and can be read by nobody. */
interface Unlocked {
  readonly protection: Protection;
  readonly key: CryptoKey;
}

/** The person said no, or the phone did not know them. */
export class NotUnlocked extends Error {
  constructor(cause?: unknown) {
    super('The phone was not unlocked, so nothing was done. Try again, and confirm with its screen lock.', {
      cause,
    });
  }
}

/** The authenticator is there, and keeps no secrets for pages. */
export class NoScreenLock extends Error {
  constructor() {
    super('The screen lock of this phone cannot keep a secret for a page, so nothing was done.');
  }
}

/** The best that this browser says it has. Whether the authenticator has PRF is only known once a credential is made. */
export async function protectionAtHand(): Promise<ProtectionKind> {
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
 * A protection for one identity, of the kind that was asked for and never of a weaker one.
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
  const credential = await ask(() =>
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
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Identity' },
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

async function ask(question: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await question().catch((cause: unknown) => {
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

/** The output itself is never used as a key; it is overwritten once it was stretched. */
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
