import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import type { Random } from './random.js';

/** The purpose of a derived key. Each purpose has its own key. */
export type Purpose =
  | 'console'
  | 'session'
  | 'legacy'
  | 'inbox'
  | 'device'
  | 'staff'
  | 'codes'
  | 'pairing'
  | 'at-rest'
  | 'cursors'
  | 'sealed-cursors'
  | 'audit-heads'
  | 'audit-checkpoints'
  | 'checkpoint-origins'
  | 'login'
  | 'windows'
  | 'sso'
  | 'sealing-keys'
  | 'oidc-cookies'
  | 'sign-in-addresses'
  | 'attestation'
  | 'attendance'
  | 'member-link'
  | 'inspection';

/** The keys of one server secret. */
export interface KeySet {
  /** Identifies the secret in tokens and signatures without revealing it. */
  readonly kid: string;
  /** 32 bytes for that purpose (HKDF-SHA256). */
  symmetric(purpose: Purpose): Buffer;
  /** The Ed25519 key that signs audit heads. */
  readonly signing: {
    readonly privateKey: KeyObject;
    readonly publicKey: KeyObject;
    readonly publicHex: string;
  };
}

/** The keys of the current secret and, during a rotation, of the previous one, which still verify and decrypt. */
export interface Keyring {
  readonly current: KeySet;
  find(kid: string): KeySet | undefined;
  hmac(purpose: Purpose, text: string): string;
  /** The values a stored hash may have: one with the current secret and one with the previous. */
  hmacs(purpose: Purpose, text: string): string[];
  encrypt(text: string, random: Random): string;
  decrypt(sealed: string): string | undefined;
}

/** DER of a PKCS #8 Ed25519 private key up to its 32-byte seed (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key with this 32-byte seed. */
export const ed25519Key = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' });

function keySet(secret: string): KeySet {
  const cache = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    let key = cache.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', secret, 'svc-v1', purpose, 32));
      cache.set(purpose, key);
    }
    return key;
  };
  const privateKey = ed25519Key(derive('audit-heads'));
  const publicKey = createPublicKey(privateKey);
  const publicHex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return {
    kid: derive('kid').toString('hex', 0, 8),
    symmetric: derive,
    signing: { privateKey, publicKey, publicHex },
  };
}

const hmacWith = (set: KeySet, purpose: Purpose, text: string) =>
  createHmac('sha256', set.symmetric(purpose)).update(text).digest('hex');

export function createKeyring(secret: string, previous?: string): Keyring {
  const current = keySet(secret);
  const sets = new Map([current, ...(previous ? [keySet(previous)] : [])].map((set) => [set.kid, set]));
  return {
    current,
    find: (kid) => sets.get(kid),
    hmac: (purpose, text) => hmacWith(current, purpose, text),
    hmacs: (purpose, text) => [...sets.values()].map((set) => hmacWith(set, purpose, text)),
    encrypt(text, random) {
      const sealed = encryptGcm(current.symmetric('at-rest'), Buffer.from(text), random);
      return `${current.kid}.${sealed.toString('base64url')}`;
    },
    decrypt(sealed) {
      const [kid = '', data = ''] = sealed.split('.');
      const key = sets.get(kid)?.symmetric('at-rest');
      return key && decryptGcm(key, Buffer.from(data, 'base64url'))?.toString('utf8');
    },
  };
}

/** Lower-case hex SHA-256 of a random token or key. Safe to store for secrets of 192 bits or more. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares secrets of any length in constant time. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));
}
