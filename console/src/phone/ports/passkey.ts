import type { AttestationAssertion } from '@svc/sdk';
import { toBase64url } from '../../ui/base64url';
import { productName } from '../../ui/product-name';
import { PhoneError } from '../language/messages';
import { t } from '../language/strings';
import type { Passkey } from '../vault/sealed';

/** The person declined, the phone did not recognize them, or the passkey was deleted. Browsers don't say which. */
export class NotUnlocked extends PhoneError {
  constructor(cause?: unknown, message = t.errors.notUnlocked) {
    super('not_unlocked', message, { cause });
  }
}

/** The authenticator does not support PRF. */
export class NoScreenLock extends PhoneError {
  constructor() {
    super('no_screen_lock', t.errors.noScreenLock);
  }
}

/** The service recognizes a phone by the first byte, and browsers keep one passkey for each handle. */
const createHandle = (): Uint8Array<ArrayBuffer> => {
  const handle = crypto.getRandomValues(new Uint8Array(17));
  handle[0] = 'p'.charCodeAt(0);
  return handle;
};

const random = () => crypto.getRandomValues(new Uint8Array(32));

/**
 * Creates a passkey that a computer beside this phone can ask for. Some authenticators return the key only when the passkey is used.
 * @throws NotUnlocked, NoScreenLock
 */
export async function createPasskey(name: string): Promise<{ passkey: Passkey; key?: CryptoKey }> {
  const salt = random();
  const credential = await requestCredential(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: productName },
        user: { id: createHandle(), name, displayName: name },
        challenge: random(),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const { rawId: credentialId, response } = credential;
  const { attestationObject, clientDataJSON } = response as AuthenticatorAttestationResponse;
  const creation = {
    attestationObject: toBase64url(attestationObject),
    clientDataJSON: toBase64url(clientDataJSON),
  };
  const passkey: Passkey = { kind: 'screen-lock', credentialId, salt, creation };
  if (credential.getClientExtensionResults().prf?.enabled !== true) {
    forgetPasskey(passkey);
    throw new NoScreenLock();
  }
  const output = prfOf(credential);
  return { passkey, ...(output && { key: await keyOf(output) }) };
}

/** What one unlock gives: the key of the secret, and the passkey's signature. */
export interface Used {
  readonly key: CryptoKey;
  readonly assertion: AttestationAssertion;
}

/** Unlocks the passkey once, and signs the digest with it. @throws NotUnlocked */
export async function askPasskey(
  { credentialId, salt }: Passkey,
  digest: Uint8Array<ArrayBuffer> = random(),
): Promise<Used> {
  const credential = await requestCredential(
    () =>
      navigator.credentials.get({
        publicKey: {
          challenge: digest,
          allowCredentials: [{ type: 'public-key', id: credentialId, transports: ['internal'] }],
          userVerification: 'required',
          extensions: { prf: { eval: { first: salt } } },
        },
      }),
    t.errors.notUnlockedOrDeleted,
  );
  const output = prfOf(credential);
  if (output === undefined) throw new NotUnlocked();
  const { authenticatorData, clientDataJSON, signature } =
    credential.response as AuthenticatorAssertionResponse;
  const assertion = {
    authenticatorData: toBase64url(authenticatorData),
    clientDataJSON: toBase64url(clientDataJSON),
    signature: toBase64url(signature),
  };
  return { key: await keyOf(output), assertion };
}

/**
 * Tells the phone that a passkey is of no use any more, so that it can remove it from its list. Only for one that opens no stored secret:
 * there is no way back.
 */
export function forgetPasskey({ credentialId }: Passkey): void {
  const unknown = { rpId: location.hostname, credentialId: toBase64url(credentialId) };
  // Not every browser has it.
  void PublicKeyCredential.signalUnknownCredential?.(unknown)?.catch(() => undefined);
}

async function requestCredential(
  request: () => Promise<Credential | null>,
  message?: string,
): Promise<PublicKeyCredential> {
  const credential = await request().catch((cause: unknown) => {
    throw new NotUnlocked(cause, message);
  });
  if (credential === null) throw new NotUnlocked(undefined, message);
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
