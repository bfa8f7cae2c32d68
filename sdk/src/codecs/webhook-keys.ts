import { subtle } from './web-crypto.js';

/** Why a delivery was rejected. */
export type WebhookFault =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing. */
  | 'missing_header'
  /** `webhook-timestamp` is not a number of seconds. */
  | 'bad_timestamp'
  /** The delivery is older than the tolerance. */
  | 'too_old'
  /** The delivery is from the future, by more than the tolerance. */
  | 'too_new'
  /** No signature belongs to any of the secrets. */
  | 'no_match'
  /** A secret is not `whsec_…` or `whpk_…`. */
  | 'bad_secret'
  /** The platform can't verify the signatures of `whpk_…`. */
  | 'no_ed25519'
  /** The body is not the text that was received, or no event. */
  | 'bad_body';

/** A delivery that must not be processed. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** @internal What verifies the signatures of one version. */
export interface WebhookKey {
  readonly version: 'v1' | 'v1a';
  matches(signature: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/** Named by its use, because platforms declare `CryptoKey` in different places. */
type Key = Parameters<typeof globalThis.crypto.subtle.verify>[1];

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const PUBLIC_KEY_BYTES = 32;

/** @internal @throws WebhookVerificationError `bad_secret`, which never shows the secret */
export async function importSecret(secret: string, usage: 'sign' | 'verify'): Promise<Key> {
  const bytes = bytesAfter('whsec_', secret);
  if (bytes === undefined || bytes.length === 0) throw badSecret();
  return subtle().importKey('raw', bytes, HMAC, false, [usage]);
}

/** @internal The key of a secret or of a public key. @throws WebhookVerificationError `bad_secret`, `no_ed25519` */
export async function keyOf(secret: unknown): Promise<WebhookKey> {
  if (typeof secret !== 'string') throw badSecret();
  if (!secret.startsWith('whpk_')) {
    const key = await importSecret(secret, 'verify');
    return {
      version: 'v1',
      matches: (signature, message) => subtle().verify('HMAC', key, signature, message),
    };
  }
  const bytes = bytesAfter('whpk_', secret);
  if (bytes?.length !== PUBLIC_KEY_BYTES) throw badSecret();
  const key = await importEd25519(bytes);
  return {
    version: 'v1a',
    matches: (signature, message) => subtle().verify('Ed25519', key, signature, message),
  };
}

async function importEd25519(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  try {
    return await subtle().importKey('raw', bytes, 'Ed25519', false, ['verify']);
  } catch (error) {
    if ((error as { name?: unknown }).name !== 'NotSupportedError') throw badSecret();
    throw new WebhookVerificationError(
      'no_ed25519',
      'This platform has no Ed25519. Pass the secret that begins with whsec_ instead of the public key.',
    );
  }
}

/** @internal undefined for text that is not base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @internal */
export const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

const bytesAfter = (prefix: string, text: string) =>
  text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : undefined;

const badSecret = () =>
  new WebhookVerificationError(
    'bad_secret',
    'A secret of a webhook is whsec_ and base64, and a public key is whpk_ and 32 bytes in base64. Check that it is complete.',
  );
